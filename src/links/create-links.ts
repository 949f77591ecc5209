import type { Caller } from '../access/caller.ts'
import type { LinksMax } from '../config/links-by-plan.ts'
import { AUDIT_LOG, auditRow } from '../audit/record-change.ts'
import type { Clock } from '../runtime/clock.ts'
import type { ClaimedCode } from '../codes/log/code-log-record.ts'
import { DEFAULT_DOMAIN } from '../codes/code-rules.ts'
import { randomCode } from '../codes/random-code.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import type { DurableDb, Tx } from '../store/handles.ts'
import { type RowInsert, writeRows, writeTogether } from '../store/engine-sql.ts'
import { turnAfter } from '../runtime/turns.ts'
import { codeInTrash, codeTaken } from './aliases.ts'
import { transactOrTryOut } from './bulk/try-out.ts'
import { claimCodes, type UnopenedLink } from './claim-codes.ts'
import { refuseTakenIds } from './external-ids.ts'
import { refuseOverLinkLimit } from './link-limit.ts'
import { LINK_COUNTS, linkCountRow } from './lists/count-links.ts'
import { type IdempotentRequest, type StoredResponse, storeResponse, storedResponse } from './idempotency.ts'
import type { Link, LinkChanges } from './link.ts'
import { createdLink, linkEntries, withHosts } from './link-changes.ts'
import { labelNewLinks } from './labels/link-labels.ts'
import { LINK_TEXTS, linkTextRow } from './lists/link-text.ts'
import { FIELD_COLUMNS, linkColumns, OPTION_COLUMNS, shownOptions } from './link-fields.ts'
import { findReuse, type WantedLink } from './reuse-links.ts'
import { spendDailyLinks } from './restricted-links.ts'

/** Where claims are written down outside of the database: inside the commit, or behind it. */
type CodesWrittenDown = {
  ready(): Promise<void>
  note(claims: readonly ClaimedCode[]): void
  keep(claims: readonly ClaimedCode[]): Promise<void>
}

export type CreateLinksDeps = {
  db: DurableDb
  clock: Clock
  changes: LinkChanges
  codeLog: CodesWrittenDown
  linksMax: LinksMax
}

export type CreateLinksInput = {
  /** On the default domain unless it names another. */
  links: readonly WantedLink[]
  /** What the field of the link at an index is called in a refusal. */
  fieldName(index: number, field: string): string
  /** The answer as the caller will get it, about all links, and which of them are new. Kept when the request can be repeated. */
  answer(links: readonly Link[], created: ReadonlySet<Link>): { status: number; body: string }
  idempotent: IdempotentRequest | undefined
  /** Stores nothing, reserves no code, and answers or refuses as it would have otherwise. */
  isDryRun?: boolean
}

/** More than these are created in steps, between which others get a turn. */
const LINKS_PER_TURN = 20

type CreatedLink = Link & UnopenedLink & { targetUrl: string | null }

/**
 * Creates all the links or none, except those that reuse an equal one. Gives the answer that was kept when the same request, with the same Idempotency-Key,
 * has been answered before.
 */
export async function createLinks(
  deps: CreateLinksDeps,
  caller: Caller,
  input: CreateLinksInput,
): Promise<StoredResponse> {
  await deps.codeLog.ready()
  let claims: ClaimedCode[] = []
  const { isDryRun = false } = input
  const answer = await transactOrTryOut(deps.db, { isDryRun }, async (tx) => {
    const kept = await storedResponse({ ...deps, db: tx }, caller, input.idempotent)
    if (kept !== undefined) return kept
    const reuse = await findReuse(tx, caller, input.links)
    const fresh = onlyOf(input, reuse.fresh)
    const wanted = fresh.links.map(({ external_id: externalId }, index) => ({
      field: fresh.fieldName(index, 'external_id'),
      externalId,
    }))
    await refuseTakenIds(tx, caller, wanted)
    // One time for the links and their entry in the audit log, by which it is found.
    const time = { tx, nowUs: deps.clock.nowUs() }
    await refuseOverLinkLimit({ ...deps, tx }, caller.workspaceId, fresh.links.length)
    await spendDailyLinks(tx, caller, { count: fresh.links.length, nowUs: time.nowUs })
    const links = await insertLinks(time, caller, fresh)
    await turnAfter(links, LINKS_PER_TURN)
    await openLinks(time, caller, { links, input: fresh })
    await turnAfter(links, LINKS_PER_TURN)
    const made = input.answer(reuse.all(links), new Set(links))
    if (isDryRun) return { ...made, isReplayed: false }
    await storeResponse({ ...deps, db: tx }, caller, { request: input.idempotent, ...made })
    const { workspaceId } = caller
    claims = links
      .flatMap(codesOf)
      .map(({ id, domainId, code }) => ({ domainId, code, workspaceId, linkId: id }))
    deps.codeLog.note(claims)
    return { ...made, isReplayed: false }
  })
  await deps.codeLog.keep(claims)
  deps.changes.changed(claims.map(({ domainId, code }) => ({ domainId, code })))
  return answer
}

/** The links at these places, by the names that they have in the request. */
const onlyOf = (input: CreateLinksInput, places: readonly number[]): CreateLinksInput => ({
  ...input,
  links: places.map((place) => input.links[place]!),
  fieldName: (index, field) => input.fieldName(places[index]!, field),
})

const PLAIN_LINKS = {
  table: 'links',
  columns: [
    ...(['account_id', 'domain_id', 'code', 'svc_id', 'created_at', 'updated_at', 'created_by'] as const),
    ...FIELD_COLUMNS.names,
  ],
  texts: ['code', 'svc_id', ...FIELD_COLUMNS.texts],
  then: 'RETURNING id, svc_id',
} satisfies RowInsert

const LINKS_WITH_OPTIONS: RowInsert = {
  ...PLAIN_LINKS,
  columns: [...PLAIN_LINKS.columns, ...OPTION_COLUMNS.names],
  texts: [...PLAIN_LINKS.texts, ...OPTION_COLUMNS.texts],
}

type Time = { tx: Tx; nowUs: number }

/** Before their codes, which name them. Ids in the order of the links. */
async function insertLinks(
  { tx, nowUs }: Time,
  { workspaceId, userId }: Caller,
  { links }: CreateLinksInput,
): Promise<CreatedLink[]> {
  const columns = links.map(linkColumns)
  const made = links.map((link, index) => ({
    id: 0,
    svcId: `svc_${Bun.randomUUIDv7()}`,
    domainId: link.domainId ?? DEFAULT_DOMAIN,
    code: link.custom_code ?? randomCode(),
    isCustom: link.custom_code !== undefined,
    aliases: link.aliases.toSorted(),
    originalUrl: link.original_url.text,
    targetUrl: columns[index]!.target_url ?? null,
    title: link.title,
    isActive: link.is_active,
    clickCount: 0,
    opened: 0,
    version: 1,
    createdAtUs: nowUs,
    options: shownOptions(columns[index]!),
    tags: link.tags,
    folder: link.folder ?? null,
  }))
  // A plain link binds no values for what it does not have.
  const isPlain = columns.every((each) => OPTION_COLUMNS.names.every((name) => each[name] == null))
  const names = isPlain ? FIELD_COLUMNS.names : [...FIELD_COLUMNS.names, ...OPTION_COLUMNS.names]
  const rows = made.map(({ svcId, domainId, code }, index) => {
    const values = names.map((name) => columns[index]![name] ?? null)
    return [workspaceId, domainId, code, svcId, nowUs, nowUs, userId, ...values]
  })
  const target = isPlain ? PLAIN_LINKS : LINKS_WITH_OPTIONS
  const inserted = await writeRows<{ id: number; svc_id: string }>(tx, target, rows)
  const idOf = new Map(inserted.map(({ id, svc_id }) => [svc_id, id]))
  for (const link of made) link.id = idOf.get(link.svcId)!
  return made
}

/** In the transaction that stores the links. */
async function openLinks(
  { tx, nowUs }: Time,
  caller: Caller,
  { links, input }: { links: readonly CreatedLink[]; input: CreateLinksInput },
): Promise<void> {
  if (links.length === 0) return
  const { workspaceId } = caller
  const { taken, inTrash } = await claimCodes(tx, { workspaceId, links: links.flatMap(codesOf) })
  if (taken.length > 0 || inTrash.length > 0)
    throw invalid({
      ...codeErrors(taken, codeTaken, { links, input }),
      ...codeErrors(inTrash, codeInTrash, { links, input }),
    })
  await labelLinks(tx, workspaceId, links)
  await turnAfter(links, LINKS_PER_TURN)
  const texts = links.map(({ id, options, ...link }) =>
    linkTextRow({ linkId: id, workspaceId, notes: options.notes, ...link }),
  )
  const counts = linkCountRow(workspaceId, {
    links: links.length,
    active: links.filter(({ isActive }) => isActive).length,
    archived: links.filter(({ options }) => options.is_archived === 1).length,
  })
  const change = await withHosts(tx, { nowUs, action: 'link.created', links: links.map(createdLink) })
  const entries = linkEntries(change).map((entry) => auditRow(caller, entry))
  await turnAfter(links, LINKS_PER_TURN)
  await writeTogether(tx, OF_NEW_LINKS, [texts, [counts], entries])
}

/** What is written about new links once it is sure that they have their codes. */
const OF_NEW_LINKS = [LINK_TEXTS, LINK_COUNTS, AUDIT_LOG]

async function labelLinks(tx: Tx, workspaceId: number, links: readonly CreatedLink[]): Promise<void> {
  if (links.every(({ tags, folder }) => tags.length === 0 && folder === null)) return
  const labels = await labelNewLinks(
    tx,
    { workspaceId, nowUs: links[0]!.createdAtUs },
    links.map((link) => ({ ...link, isArchived: link.options.is_archived === 1 })),
  )
  // As the workspace spells them.
  for (const [index, link] of links.entries()) Object.assign(link, labels[index])
}

/** A link as it is, and once more for each alias. */
const codesOf = (link: CreatedLink): UnopenedLink[] =>
  link.aliases.length === 0
    ? [link]
    : [link, ...link.aliases.map((code) => ({ id: link.id, domainId: link.domainId, code, isCustom: true }))]

function codeErrors(
  refused: readonly UnopenedLink[],
  reason: typeof codeTaken,
  { links, input: { links: sent, fieldName } }: { links: readonly CreatedLink[]; input: CreateLinksInput },
): FieldErrors {
  const errors = refused.map(({ id, code }) => {
    const index = links.findIndex((link) => link.id === id)
    const alias = sent[index]!.aliases.indexOf(code)
    return alias === -1
      ? [fieldName(index, 'custom_code'), reason('custom code')]
      : [fieldName(index, `aliases.${alias}`), reason('alias')]
  })
  return Object.fromEntries(errors)
}
