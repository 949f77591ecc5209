import { couldBeCode } from './code-rules.ts'
import { INVISIBLE } from './invisible.ts'

/** As many bytes as a code whose every character is percent-encoded, and something behind it. Nobody types more. */
const SEGMENT_LENGTH_MAX = 300
/** Pasted along, wherever they are. */
const INVISIBLE_PART = new RegExp(`[${INVISIBLE}]+`, 'gu')
const SPACES_BEFORE = /^\s+/u
/** The end of the sentence, quotation or line that a short URL is in. */
const BEHIND = /[\s/.,;:!?)\]}>'"’”»…*]+$/u

/**
 * The code in the path of a short URL to which a person or a mail program has added something, or in which a program has
 * percent-encoded plain characters. No code contains any of that, so no link is hidden. Undefined if there is no code in it.
 */
export function forgivenCode(segment: string): string | undefined {
  if (segment.length > SEGMENT_LENGTH_MAX) return undefined
  const code = decoded(segment)?.replace(INVISIBLE_PART, '').replace(SPACES_BEFORE, '').replace(BEHIND, '')
  return code !== undefined && couldBeCode(code) ? code : undefined
}

/** Undefined if it is not UTF-8. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
