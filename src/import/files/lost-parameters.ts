import { UTM_NAMES, utmOf } from '../../links/utm-parameters.ts'
import type { FieldReader } from './field-reader.ts'

/** A sentence for each parameter of campaigns that a link has apart from its destination. `names`: the fields of a program. */
export function lostParameters(
  fields: FieldReader,
  names: { destination: string; of(parameter: string): string },
): string[] {
  const utm = utmOf(fields.text(names.destination) ?? '')
  return UTM_NAMES.flatMap((name) => {
    const parameter = `utm_${name}`
    const value = fields.text(names.of(parameter))
    return value === undefined || utm?.[name] === value
      ? []
      : [`Its ${parameter} is not in its destination, so it is left out.`]
  })
}
