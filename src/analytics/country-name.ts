import { once } from '../runtime/make-once.ts'

// `none`: a code without a name gives undefined. The default would show the bare code as if it were a name.
const english = once(() => new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }))
const TWO_LETTERS = /^[A-Z]{2}$/
const UNKNOWN = 'Unknown'

/** The English name of an ISO 3166 alpha-2 code. 'Unknown' for null, '' and anything that is not a country. */
export function countryName(code: string | null): string {
  // The standard calls ZZ "Unknown Region".
  if (code === null || code === 'ZZ' || !TWO_LETTERS.test(code)) return UNKNOWN
  return english().of(code) ?? UNKNOWN
}
