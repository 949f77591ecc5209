import { type FieldErrors, invalid, Refusal } from '../../errors/refusal.ts'

type Readers = Record<string, () => unknown>
type Values<Names extends Readers> = { [Name in keyof Names]: Awaited<ReturnType<Names[Name]>> }

/** Reads values that do not depend on each other, so that one refusal names the errors of all of them. */
export async function readTogether<Names extends Readers>(readers: Names): Promise<Values<Names>> {
  const fields: FieldErrors = {}
  const values: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(readers)) {
    try {
      values[name] = await read()
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
      Object.assign(fields, error.fields)
    }
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return values as Values<Names>
}
