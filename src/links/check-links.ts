import type { Caller } from '../caller.ts'
import { couldBeCode, customCodeFaults } from '../codes/custom-code.ts'
import { type FieldErrors, Refusal } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import type { DestinationRules } from './destination.ts'
import { bulkField, readNewLinks } from './new-link.ts'

/** Whether a code can be used; if not, why. */
export async function checkCode({ db }: { db: Db }, caller: Caller, code: string): Promise<string[]> {
  const faults = customCodeFaults(code)
  if (faults.length > 0) return faults
  return (await takenCodes(db, caller, [code])).has(code) ? [TAKEN] : []
}

/** What would be refused of the `links` of a bulk request, as creating them would say it. Nothing is stored. */
export async function checkNewLinks(
  { db, rules }: { db: Db; rules: DestinationRules },
  caller: Caller,
  input: Record<string, unknown>,
): Promise<FieldErrors> {
  const fields = faultsOf(() => readNewLinks(input, rules))
  if (!Array.isArray(input.links)) return fields
  const codes = input.links.map((link) => (link as { custom_code?: unknown } | null)?.custom_code)
  const askable = codes.filter((code): code is string => typeof code === 'string' && couldBeCode(code))
  const taken = await takenCodes(db, caller, askable)
  for (const [index, code] of codes.entries()) {
    if (typeof code === 'string' && taken.has(code)) fields[bulkField(index, 'custom_code')] ??= [TAKEN]
  }
  return fields
}

const TAKEN = 'The custom code has already been taken.'

function faultsOf(read: () => unknown): FieldErrors {
  try {
    read()
    return {}
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return { ...error.fields }
    throw error
  }
}

/** Of these codes those that the caller cannot have: somebody else's, or the caller's own with a link. */
async function takenCodes(db: Db, { accountId }: Caller, codes: readonly string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set()
  const rows = await db
    .selectFrom('codes')
    .leftJoin('links', 'links.code', 'codes.code')
    .select('codes.code')
    .where('codes.code', 'in', codes)
    .where((eb) =>
      eb.or([
        eb('codes.account_id', 'is', null),
        eb('codes.account_id', '!=', accountId),
        eb('links.id', 'is not', null),
      ]),
    )
    .execute()
  return new Set(rows.map(({ code }) => code))
}
