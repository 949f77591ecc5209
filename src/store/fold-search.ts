const ASCII = /^[\x00-\x7f]*$/
/** Of Latin, Greek and Cyrillic letters, and the points of Hebrew and Arabic. Marks of other scripts make other letters. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]+/g
/** Putting marks in order takes quadratic time. No language has more in a row (Unicode, annex 15, 13). */
const LONG_RUNS = /(\p{M}{30})\p{M}+/gu
/** Letters that Unicode does not take apart, as people type them without their own keyboard. */
const PLAIN = new Map(
  Object.entries({
    ß: 'ss',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    ħ: 'h',
    ı: 'i',
    æ: 'ae',
    œ: 'oe',
    þ: 'th',
    ς: 'σ',
  }),
)
const SPECIAL = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g')

/**
 * How texts and searches are compared: in lower case, without accents, whatever form of Unicode they are in. Composed again,
 * because what is left of Korean and Japanese is no accent.
 */
export function foldSearch(text: string): string {
  const lower = text.toLowerCase()
  if (ASCII.test(lower)) return lower
  return lower
    .replace(ACCENTS, '')
    .replace(LONG_RUNS, '$1')
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(SPECIAL, (letter) => PLAIN.get(letter)!)
    .normalize('NFC')
}

/** A trigram index can find no shorter word. */
const INDEXED_CHARS_MIN = 3

export const isIndexed = (word: string): boolean => [...word].length >= INDEXED_CHARS_MIN
