import { type FieldErrors, invalid, Refusal } from '../../errors/refusal.ts'

/** Reads values that do not depend on each other, so that one refusal names the errors of all of them. */
export function readTogether<Readers extends Record<string, () => unknown>>(
  readers: Readers,
): { [Name in keyof Readers]: ReturnType<Readers[Name]> } {
  const fields: FieldErrors = {}
  const values = Object.entries(readers).map(([name, read]) => {
    try {
      return [name, read()]
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
      return [name, Object.assign(fields, error.fields)]
    }
  })
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return Object.fromEntries(values)
}
