import type { CurrentDb } from '../store/handles.ts'
import type { Caller } from '../access/caller.ts'
import { ALIAS_TAKEN } from './aliases.ts'
import { couldBeCode } from '../codes/code-rules.ts'
import { DEFAULT_DOMAIN } from '../codes/domains.ts'
import { fieldErrorsOf } from '../errors/field-errors.ts'
import { type FieldErrors, Refusal } from '../errors/refusal.ts'
import { customCode, type LinkSchemas } from './link-fields.ts'
import { bulkField, readNewLinks, sentCodes } from './read-links.ts'

/** The reasons why the caller cannot use a code; empty if they can. */
export async function checkCode({ db }: { db: CurrentDb }, caller: Caller, code: string): Promise<string[]> {
  const { error } = customCode.safeParse(code)
  if (error !== undefined) return Object.values(fieldErrorsOf(error.issues, ['custom_code'])).flat()
  return (await takenCodes(db, caller, [code])).has(code) ? [TAKEN] : []
}

/** The errors that creating these `links` would return. Stores nothing. */
export async function checkNewLinks(
  { db, schemas }: { db: CurrentDb; schemas: LinkSchemas },
  caller: Caller,
  input: Record<string, unknown>,
): Promise<FieldErrors> {
  const fields = errorsOf(() => readNewLinks(input, schemas))
  if (!Array.isArray(input.links) || fields.links !== undefined) return fields
  const sent = sentCodes(input.links)
  const askable = sent.flatMap(({ code }) => (typeof code === 'string' && couldBeCode(code) ? code : []))
  const taken = await takenCodes(db, caller, askable)
  for (const { index, field, code } of sent) {
    if (typeof code !== 'string' || !taken.has(code)) continue
    fields[bulkField(index, field)] ??= [field === 'custom_code' ? TAKEN : ALIAS_TAKEN]
  }
  return fields
}

const TAKEN = 'The custom code has already been taken.'

function errorsOf(read: () => unknown): FieldErrors {
  try {
    read()
    return {}
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return { ...error.fields }
    throw error
  }
}

/** The codes that the caller cannot use: somebody else's, or their own that already open a link. */
async function takenCodes(
  db: CurrentDb,
  { workspaceId }: Caller,
  codes: readonly string[],
): Promise<Set<string>> {
  if (codes.length === 0) return new Set()
  const rows = await db
    .selectFrom('codes')
    .select('codes.code')
    .where('codes.code', 'in', codes)
    .where('codes.domain_id', '=', DEFAULT_DOMAIN)
    .where((eb) =>
      eb.or([
        eb('codes.account_id', 'is', null),
        eb('codes.account_id', '!=', workspaceId),
        eb('codes.link_id', 'is not', null),
      ]),
    )
    .execute()
  return new Set(rows.map(({ code }) => code))
}
