import { countryName } from '../../analytics/country-name.ts'
import { allCountries } from '../../links/rules/condition-fields.ts'
import { once } from '../../runtime/make-once.ts'

const codes = once(() => new Map(allCountries().map((code) => [countryName(code), code])))

/** The ISO 3166 alpha-2 code of a country with this English name; '' for none. */
export const countryCode = (name: string): string => codes().get(name) ?? ''
