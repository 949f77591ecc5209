import { namedPairs, splitQuery, valueOfPair } from '../../links/destinations/query-pairs.ts'
import type { FieldReader } from './field-reader.ts'

const PARAMETERS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']

/** A sentence for each parameter of campaigns that a link has apart from its destination. `names`: the fields of a program. */
export function lostParameters(
  fields: FieldReader,
  names: { destination: string; of(parameter: string): string },
): string[] {
  const { query } = splitQuery(fields.text(names.destination) ?? '')
  const values = new Map(namedPairs(query).map(({ name, pair }) => [name, valueOfPair(pair)]))
  return PARAMETERS.flatMap((parameter) => {
    const value = fields.text(names.of(parameter))
    return value === undefined || values.get(parameter) === value
      ? []
      : [`Its ${parameter} is not in its destination, so it is left out.`]
  })
}
