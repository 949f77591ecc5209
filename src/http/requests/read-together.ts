import { invalid, Refusal } from '../../errors/refusal.ts'

type Readers = Record<string, () => unknown>
type Values<Names extends Readers> = { [Name in keyof Names]: Awaited<ReturnType<Names[Name]>> }

/** Reads values that do not depend on each other, so that one refusal names the errors of all of them. */
export async function readTogether<Names extends Readers>(readers: Names): Promise<Values<Names>> {
  // Pairs: an unknown field may have a name that every object has, such as `__proto__`.
  const errors: [field: string, sentences: string[]][] = []
  const values: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(readers)) {
    try {
      values[name] = await read()
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
      errors.push(...Object.entries(error.fields))
    }
  }
  if (errors.length > 0) throw invalid(Object.fromEntries(errors))
  return values as Values<Names>
}
