import { decodeEntities } from './html-entities.ts'

/** Read of one text; more is never shown. */
export const TEXT_CHARS_READ = 8_192

/** Marks that reorder the text around them, and the byte order mark. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
const SPACES = /[\s\p{Cc}\u2028\u2029]+/gu

/** Text of a page as one line of plain text, at most `max` code points; undefined if nothing is left. */
export function pageText(written: string, max: number): string | undefined {
  const text = decodeEntities(written.slice(0, TEXT_CHARS_READ))
    .toWellFormed()
    .replace(SPACES, ' ')
    .replace(BIDI_CONTROLS, '')
    .trim()
  const characters = [...text]
  if (characters.length <= max) return text === '' ? undefined : text
  return `${characters
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`
}
