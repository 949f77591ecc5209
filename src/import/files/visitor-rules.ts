import type { FieldReader } from './field-reader.ts'

// What other programs have for devices, countries and parts of the visitors, as rules. The first that holds wins.

export type Rule = { when?: object; to?: string; split?: { to: string | undefined; weight: number }[] }

/** Their names here, by those that programs have. */
export const SYSTEMS = { ios: 'iOS', android: 'Android' }

/** By the names of the fields that have their URLs. */
export const systemRules = (fields: FieldReader, names: Record<'ios' | 'android', string>): Rule[] =>
  (['ios', 'android'] as const).flatMap((system) => {
    const to = fields.text(names[system])
    return to === undefined ? [] : [{ when: { os: [SYSTEMS[system]] }, to }]
  })

/** From an object with a URL for each country. Countries with the same URL are one rule. */
export function countryRules(fields: FieldReader, name: string): Rule[] {
  const urls = fields.part(name)
  const countries = Object.keys(urls.fields).flatMap((country) => {
    const to = urls.text(country)
    return to === undefined ? [] : [{ country, to }]
  })
  return [...Map.groupBy(countries, ({ to }) => to)].map(([to, some]) => ({
    when: { country: some.map(({ country }) => country) },
    to,
  }))
}

/** As a field of the API, if there are some. */
export const withRules = (rules: Rule[]): { rules?: Rule[] } => (rules.length === 0 ? {} : { rules })
