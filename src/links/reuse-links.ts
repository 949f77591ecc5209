import type { CodeStyle } from '../codes/code-style.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { inTurns } from '../runtime/turns.ts'
import { lock } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { type Link, selectLinks, toLink } from './link.ts'
import { foldText, foldedName, type LabelName } from './labels/label.ts'
import { COMPARED_COLUMNS, linkColumns, type NewLink } from './link-fields.ts'
import type { WithPasswordHash } from './link-password.ts'

// `reuse_existing`: a link that is equal to the one asked for is given instead of a second one. Equal means: the same workspace,
// domain and destination, normalized; everything that visitors meet is as asked for, and not there if not asked for; and what only
// the owner sees (title, notes, external ID, QR style, tags, folder) and its codes are as asked for, if they are asked for. A link that is disabled or
// archived is not equal to any, and neither is one with a password, whose hash is compared with nothing.

/** If more links of a domain lead to one destination, only the latest ones are compared: 100 links of a request may ask. */
const COMPARED_MAX = 100
/** Looked for before others get a turn: each is a query. */
const LINKS_PER_TURN = 5

/** `createdAtUs`: of a link that is older than its creation here. `importId`: of the import that creates it. */
export type PlacedLink = WithPasswordHash<NewLink> & {
  domainId: number
  /** How its code was written, if that is otherwise than the code. */
  spelling?: string | undefined
  /** On a domain whose codes are folded. */
  ignoresCase?: boolean
  /** Of its workspace, for a code that is assigned. */
  codeStyle?: CodeStyle | undefined
  createdAtUs?: number | undefined
  importId?: number | undefined
}

/** A link of a request: its place there, and what it would be stored as. */
export type LinkDraft = {
  index: number
  link: PlacedLink
  columns: ReturnType<typeof linkColumns>
  createdAtUs: number
  /** When it was requested. */
  nowUs: number
}

/** By its place: a link that is there already, or the place of an equal one in the request. What is not in it is to be created. */
export type ReusedLinks = ReadonlyMap<number, Link | number>

const NONE: ReusedLinks = new Map()

/**
 * Finds the links that are there already, or are asked for twice. In the transaction that creates the others: requests that
 * create links to reuse wait for each other, so that each sees what the other made. Those that find all theirs wait for nobody.
 */
export async function findReuse(tx: Tx, caller: Caller, drafts: readonly LinkDraft[]): Promise<ReusedLinks> {
  if (!drafts.some(isReusing)) return NONE
  const reused = await lookForLinks(tx, caller, drafts)
  if (!drafts.some((each) => isReusing(each) && !reused.has(each.index))) return reused
  await lock(tx, `reused links of workspace ${caller.workspaceId}`)
  return lookForLinks(tx, caller, drafts)
}

async function lookForLinks(tx: Tx, caller: Caller, drafts: readonly LinkDraft[]): Promise<ReusedLinks> {
  const hashes = await knownDestinations(tx, caller, drafts)
  const reused = new Map<number, Link | number>()
  const fresh: LinkDraft[] = []
  for await (const each of inTurns(drafts, LINKS_PER_TURN)) {
    const isThere = isReusing(each) && hashes.has(each.columns.destination_hash!)
    const equal = twinOf(each, fresh)?.index ?? (isThere ? await findEqual(tx, caller, each) : undefined)
    if (equal === undefined) fresh.push(each)
    else reused.set(each.index, equal)
  }
  return reused
}

const twinOf = (draft: LinkDraft, fresh: readonly LinkDraft[]): LinkDraft | undefined =>
  isReusing(draft) ? fresh.find((other) => isTwin(draft, other)) : undefined

/** The hashes of those destinations that links of the workspace have. */
async function knownDestinations(
  tx: Tx,
  { workspaceId }: Caller,
  drafts: readonly LinkDraft[],
): Promise<Set<number | null>> {
  const hashes = drafts.filter(isReusing).map(({ columns }) => columns.destination_hash!)
  if (hashes.length === 0) return new Set()
  const rows = await tx
    .selectFrom('links')
    .select('destination_hash')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('destination_hash', 'in', hashes)
    .execute()
  return new Set(rows.map(({ destination_hash: hash }) => hash))
}

const isReusing = (draft: LinkDraft): boolean => draft.link.reuse_existing === true && mayEqual(draft)

/** The owner's are compared only if they are asked for. */
const { always: VISITED, ifSent: OWNERS, never: UNEQUALED } = COMPARED_COLUMNS

/** Whether any other link may be equal to it. */
const mayEqual = ({ link, columns }: LinkDraft): boolean =>
  link.is_active && UNEQUALED.every((name) => columns[name] == null)

const codesOf = ({ custom_code: code, aliases }: PlacedLink): string[] => [
  ...(code === undefined ? [] : [code]),
  ...aliases,
]

const labelsOf = ({ tags = [], folder }: PlacedLink): LabelName[] => [
  ...tags.map((name) => ({ kind: 'tag' as const, name })),
  ...(folder ? [{ kind: 'folder' as const, name: folder }] : []),
]

/** Whether a link of the same request is equal. */
function isTwin({ link: wanted, columns: own }: LinkDraft, twin: LinkDraft): boolean {
  const { link: other, columns: its } = twin
  return (
    mayEqual(twin) &&
    own.destination_hash === its.destination_hash &&
    wanted.original_url.href === other.original_url.href &&
    wanted.domainId === other.domainId &&
    VISITED.every((name) => (own[name] ?? null) === (its[name] ?? null)) &&
    OWNERS.every((name) => !own[name] || own[name] === its[name]) &&
    isAmong(codesOf(wanted), codesOf(other)) &&
    isAmong(labelsOf(wanted).map(foldedName), labelsOf(other).map(foldedName))
  )
}

const isAmong = (wanted: readonly string[], there: readonly string[]): boolean =>
  wanted.every((each) => there.includes(each))

async function findEqual(
  tx: Tx,
  { workspaceId }: Caller,
  { link: wanted, columns }: LinkDraft,
): Promise<Link | undefined> {
  const { href } = wanted.original_url
  const conditions: RawBuilder<boolean>[] = [
    sql`links.is_active = 1`,
    ...UNEQUALED.map((name) => sql<boolean>`${sql.ref(`links.${name}`)} IS NULL`),
    ...VISITED.map(
      (name) => sql<boolean>`${sql.ref(`links.${name}`)} IS NOT DISTINCT FROM ${columns[name] ?? null}`,
    ),
    ...OWNERS.flatMap((name) =>
      columns[name] ? sql<boolean>`${sql.ref(`links.${name}`)} = ${columns[name]}` : [],
    ),
    ...codesOf(wanted).map(
      (code) =>
        sql<boolean>`EXISTS (SELECT 1 FROM codes WHERE codes.link_id = links.id AND codes.code = ${code})`,
    ),
    ...labelsOf(wanted).map(
      ({ kind, name }) => sql<boolean>`EXISTS (
        SELECT 1 FROM link_labels JOIN labels ON labels.id = link_labels.label_id
        WHERE link_labels.link_id = links.id AND labels.kind = ${kind} AND labels.folded_name = ${foldText(name)})`,
    ),
    // The last, as it may be long.
    sql`coalesce(links.target_url, links.original_url) = ${href}`,
  ]
  const candidates = tx
    .selectFrom('links')
    .select('links.id')
    .where('links.workspace_id', '=', workspaceId)
    .where('links.domain_id', '=', wanted.domainId)
    .where('links.destination_hash', '=', columns.destination_hash!)
    .orderBy('links.id', 'desc')
    .limit(COMPARED_MAX)
  const row = await selectLinks(tx)
    .where('links.id', 'in', candidates)
    .where(sql<boolean>`${sql.join(conditions, sql` AND `)}`)
    .orderBy('links.id')
    .limit(1)
    .executeTakeFirst()
  return row && toLink(row)
}
