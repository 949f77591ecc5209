import { countryName } from '../../analytics/country-name.ts'
import { allCountries } from '../../links/rules/condition-fields.ts'

let codes: ReadonlyMap<string, string> | undefined

/** The ISO 3166 alpha-2 code of a country with this English name; '' for none. */
export function countryCode(name: string): string {
  codes ??= new Map(allCountries().map((code) => [countryName(code), code]))
  return codes.get(name) ?? ''
}
