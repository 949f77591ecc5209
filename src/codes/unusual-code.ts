import { couldBeCode, DEFAULT_DOMAIN, RESERVED } from './code-rules.ts'
import { INVISIBLE } from './invisible.ts'

// Codes that other programs made and that new links cannot have: of one character, with a dot, an emoji or slashes. They are printed
// somewhere, so they are imported as they are. None of them is a plain code.

/** In UTF-8. */
export const CODE_BYTES_MAX = 255
const SEGMENTS_MAX = 5
/** Decomposed letters may be three times as long as the text that they make. */
const DECOMPOSED_CHARS_MAX = 3 * CODE_BYTES_MAX

/** Emoji are made of several characters with these between them. */
const IN_EMOJI = String.raw`\u200D\uFE0E\uFE0F\u{E0020}-\u{E007F}`
const UNSEEN = new RegExp(String.raw`[\s\p{Cc}]|(?![${IN_EMOJI}])[${INVISIBLE}]`, 'u')
/** What a browser reads in another way: a query, a fragment, an escape, a slash. */
const NOT_IN_PATHS = /[?#%\\]/
/** A browser resolves dots, and no program keeps empty segments. */
const LOST_SEGMENT = /(?:^|\/)\.{0,2}(?:\/|$)/

const RULES: readonly { refuses(code: string): boolean; sentence: string }[] = [
  {
    refuses: (code) => Buffer.byteLength(code) > CODE_BYTES_MAX,
    sentence: `The :attribute may not take more than ${CODE_BYTES_MAX} bytes.`,
  },
  { refuses: (code) => !code.isWellFormed(), sentence: 'The :attribute is not valid Unicode.' },
  {
    refuses: (code) => UNSEEN.test(code) || NOT_IN_PATHS.test(code),
    sentence: 'The :attribute may not contain spaces, invisible characters or any of ? # % \\.',
  },
  {
    refuses: (code) => LOST_SEGMENT.test(code) || code.split('/').length > SEGMENTS_MAX,
    sentence: `The :attribute may have up to ${SEGMENTS_MAX} parts between slashes, none empty, "." or "..".`,
  },
  {
    refuses: (code) => code.endsWith('+'),
    sentence: 'The :attribute may not end with a plus, which opens the preview of a link.',
  },
]

/** Why a code that another program made cannot be imported. Undefined if it can. */
export const importedCodeFault = (code: string): string | undefined =>
  RULES.find(({ refuses }) => refuses(code))?.sentence

/** Whether there can be a link with this code, new or imported. */
export const couldOpen = (code: string): boolean => importedCodeFault(code) === undefined

/** The code that a decoded path is, if it is none that new links have. */
export function unusualCode(path: string): string | undefined {
  if (path.length > DECOMPOSED_CHARS_MAX) return undefined
  const code = composed(path)
  return !couldBeCode(code) && couldOpen(code) ? code : undefined
}

/** With letters and their accents in one character, as keyboards write them. Other programs kept either. */
export const composed = (code: string): string =>
  code.length > DECOMPOSED_CHARS_MAX ? code : code.normalize('NFC')

/** As a URL has it. */
export const codePath = (code: string): string =>
  couldBeCode(code) ? code : code.split('/').map(encodeURIComponent).join('/')

/** Files that this server has on every domain, and pictures of its short URLs. */
const RESERVED_EVERYWHERE = new Set(['.well-known', 'favicon.ico', 'favicon.svg', 'qr', 'robots.txt'])

/**
 * Whether a path of ours begins with the same segment. On domains of their own, only few words are reserved: what another program
 * has printed works there.
 */
export function isReservedOn(domainId: number, code: string): boolean {
  const slashAt = code.indexOf('/')
  const segment = (slashAt === -1 ? code : code.slice(0, slashAt)).toLowerCase()
  return RESERVED_EVERYWHERE.has(segment) || (domainId === DEFAULT_DOMAIN && RESERVED.has(segment))
}
