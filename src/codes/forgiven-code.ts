import { couldBeCode } from './code-rules.ts'
import { INVISIBLE } from './invisible.ts'
import { CODE_BYTES_MAX, composed, couldOpen, unusualCode } from './unusual-code.ts'

/** As many bytes as a plain code whose every character is percent-encoded, and something behind it. Nobody types more. */
const FORGIVEN_LENGTH_MAX = 300
/** As many as any code whose every byte is percent-encoded, in decomposed letters. */
const PATH_LENGTH_MAX = 9 * CODE_BYTES_MAX
/** Pasted along, wherever they are. */
const INVISIBLE_PART = new RegExp(`[${INVISIBLE}]+`, 'gu')
const SPACES_BEFORE = /^\s+/u
/** What a code of another program does not end with, whatever else it does. */
const SLASHES_BEHIND = /[\s/]+$/u
/** The end of the sentence, quotation or line that a short URL is in. */
const BEHIND = /[\s/.,;:!?)\]}>'"’”»…*]+$/u

/**
 * The codes that the path of a short URL can mean to which a person or a mail program has added something, or in which a program
 * has percent-encoded plain characters. A code may have some of that itself, so the first has most of the path.
 */
export function forgivenCodes(path: string): string[] {
  const decoded = path.length > FORGIVEN_LENGTH_MAX ? undefined : decodedPath(path)
  if (decoded === undefined) return []
  const typed = decoded.replace(SPACES_BEFORE, '')
  const readings = [
    typed.replace(SLASHES_BEHIND, ''),
    typed.replace(BEHIND, ''),
    decoded.replace(INVISIBLE_PART, '').replace(SPACES_BEFORE, '').replace(BEHIND, ''),
  ]
  const codes = readings.flatMap((code) => (couldBeCode(code) ? code : (unusualCode(code) ?? [])))
  return [...new Set(codes)]
}

/** The code in a short URL that somebody has pasted, perhaps that of its preview page, from behind the host. */
export function pastedCode(path: string): string | undefined {
  const decoded = decodedPath(path.replace(BEHIND_PATH, '').replace(PREVIEW_OR_SLASH, ''))
  const code = decoded === undefined ? undefined : composed(decoded)
  return code !== undefined && couldOpen(code) ? code : undefined
}

const BEHIND_PATH = /[?#].*$/s
const PREVIEW_OR_SLASH = /\+?\/?$/

/** Undefined if it is not UTF-8, or longer than any code. */
export function decodedPath(path: string): string | undefined {
  if (path.length > PATH_LENGTH_MAX) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
