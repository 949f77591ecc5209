import type { FieldErrors } from '../request.ts'

const NAME_OF_ONE = { aliases: 'code', tags: 'tag' }

/** `aliases.2` is about the third of the values. */
export function errorsOfEach(
  fields: FieldErrors,
  field: keyof typeof NAME_OF_ONE,
  values: readonly string[],
): string[] | undefined {
  const errors = Object.entries(fields).flatMap(([key, messages]) => {
    const [name, index] = key.split('.')
    if (name !== field) return []
    // The value is named, so its number is not needed.
    return index === undefined
      ? messages
      : `${values[Number(index)]}: ${messages.join(' ').replaceAll(key, NAME_OF_ONE[field])}`
  })
  return errors.length === 0 ? undefined : errors
}
