import type { z } from 'zod'
import type { CurrentDb } from '../store/handles.ts'
import type { Domains } from './domains/domains.ts'
import type { Caller } from '../access/caller.ts'
import { codeInTrash, codeTaken } from './aliases.ts'
import { couldOpen, isReservedOn } from '../codes/unusual-code.ts'
import type { CodeStyle } from '../codes/code-style.ts'
import { newCode } from '../codes/random-code.ts'
import { type DomainsOfCallers, newLinkDomain, NO_SUCH_DOMAIN } from './place-links.ts'
import { codeReserved } from './place-unusual.ts'
import { keyText, type LinkKey } from './link-key.ts'
import { externalIdTaken, linksByExternalId } from './external-ids.ts'
import { fieldErrorsOf } from '../errors/field-errors.ts'
import { type FieldErrors, invalid, type ItemFault, Refusal } from '../errors/refusal.ts'
import { findKeysInTrash, type TrashedKey } from './trash/codes-in-trash.ts'
import type { NewLink } from './link-fields.ts'
import { readNewLinks, sentCodes } from './read-links.ts'

export type CodeCheck = {
  /** Why the caller cannot use the code; empty if they can. */
  reasons: string[]
  /** The link in the trash that has it. */
  trashed: TrashedKey | undefined
}

/** `schema`: of a custom code. */
export async function checkCode(
  { db, schema }: { db: CurrentDb; schema: z.ZodType },
  caller: Caller,
  key: LinkKey,
): Promise<CodeCheck> {
  const { error } = schema.safeParse(key.code)
  if (error !== undefined)
    return { reasons: Object.values(fieldErrorsOf(error.issues, ['custom_code'])).flat(), trashed: undefined }
  if (isReservedOn(key.domainId, key.code)) return { reasons: codeReserved(key.code), trashed: undefined }
  const isTaken = (await takenKeys(db, caller, [key])).has(keyText(key))
  if (isTaken) return { reasons: codeTaken('custom code'), trashed: undefined }
  const entry = (await findKeysInTrash(db, caller.workspaceId, [key])).get(keyText(key))
  return { reasons: entry === undefined ? [] : codeInTrash('custom code'), trashed: entry }
}

const SUGGESTIONS_MAX = 5

/** A code that nobody uses yet on the domain. */
export async function suggestCode(
  { db, domains }: { db: CurrentDb; domains: Pick<Domains, 'ignoresCase'> },
  caller: Caller,
  { domainId, codeStyle }: { domainId: number; codeStyle: CodeStyle | undefined },
): Promise<string> {
  const ignoresCase = domains.ignoresCase(domainId)
  const codes = Array.from({ length: SUGGESTIONS_MAX }, (_, drawn) =>
    newCode({ codeStyle, ignoresCase }, drawn),
  )
  const usedKeys = await takenKeys(
    db,
    caller,
    codes.map((code) => ({ domainId, code })),
  )
  const free = codes.find((code) => !usedKeys.has(keyText({ domainId, code })))
  if (free === undefined) throw new Error(`${SUGGESTIONS_MAX} random codes were taken`)
  return free
}

/** The errors that creating these links would return, by `links.<index>.<field>`. Refused if there are too many. Stores nothing. */
export async function checkNewLinks(
  {
    db,
    domains,
    schemas,
  }: { db: CurrentDb; domains: DomainsOfCallers; schemas: { newLink: z.ZodType<NewLink> } },
  caller: Caller,
  newLinks: readonly unknown[],
): Promise<FieldErrors> {
  const fields = await errorsOf(() => readNewLinks({ links: newLinks }, schemas))
  if (fields.links !== undefined) throw invalid(fields)
  const links = newLinks as readonly ({ domain?: unknown; external_id?: unknown } | null)[]
  const domainIds = links.map((link) => {
    const { domain } = link ?? {}
    return newLinkDomain(domains, caller, typeof domain === 'string' ? domain : undefined)
  })
  const add = ({ index, field, sentences }: ItemFault) => (fields[`links.${index}.${field}`] ??= sentences)
  for (const [index, domainId] of domainIds.entries())
    if (domainId === undefined) add({ index, field: 'domain', sentences: [NO_SUCH_DOMAIN] })
  const places = sentCodes(links).flatMap(({ code, index, field }) => {
    const domainId = domainIds[index]
    if (domainId === undefined || typeof code !== 'string' || !couldOpen(code)) return []
    return [{ index, field, key: { domainId, code: domains.codeOn(domainId, code) } }]
  })
  const keys = places.map(({ key }) => key)
  const keysTaken = await takenKeys(db, caller, keys)
  const keysInTrash = await findKeysInTrash(db, caller.workspaceId, keys)
  for (const { index, field, key } of places) {
    const name = field === 'custom_code' ? 'custom code' : 'alias'
    if (keysTaken.has(keyText(key))) add({ index, field, sentences: codeTaken(name) })
    else if (keysInTrash.has(keyText(key))) add({ index, field, sentences: codeInTrash(name) })
  }
  const ids = links.map((link) => link?.external_id)
  const askableIds = ids.flatMap((id, index) => {
    const isAskable = typeof id === 'string' && fields[`links.${index}.external_id`] === undefined
    return isAskable && id !== '' ? id : []
  })
  const owners = await linksByExternalId(db, caller, askableIds)
  for (const [index, id] of ids.entries())
    if (typeof id === 'string' && owners.has(id))
      add({ index, field: 'external_id', sentences: externalIdTaken() })
  return fields
}

async function errorsOf(read: () => Promise<unknown>): Promise<FieldErrors> {
  try {
    await read()
    return {}
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return { ...error.fields }
    throw error
  }
}

/** The keys that the caller cannot use: somebody else's, or their own that already open a link. As texts. */
async function takenKeys(
  db: CurrentDb,
  { workspaceId }: Caller,
  keys: readonly LinkKey[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .selectFrom('codes')
    .select(['codes.code', 'codes.domain_id as domainId'])
    .where('codes.code', 'in', [...new Set(keys.map(({ code }) => code))])
    .where('codes.domain_id', 'in', [...new Set(keys.map(({ domainId }) => domainId))])
    .where((eb) =>
      eb.or([
        eb('codes.workspace_id', 'is', null),
        eb('codes.workspace_id', '!=', workspaceId),
        eb('codes.link_id', 'is not', null),
      ]),
    )
    .execute()
  return new Set(rows.map(keyText))
}
