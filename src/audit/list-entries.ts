import { type SelectQueryBuilder, sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { Database } from '../store/schema.ts'
import type { Page } from '../store/page-of-rows.ts'
import type { AuditAction } from './audit-actions.ts'
import { type AuditFilters, entryCondition } from './audit-filters.ts'
import type { FieldChanges } from './changes-text.ts'

export type AuditEntry = {
  id: number
  happenedAtUs: number
  userId: number | null
  keyId: number | null
  actor: string
  client: string
  action: AuditAction
  target: string
  targetId: number | null
  changes: FieldChanges | null
}

/** A list looks at this number of the newest entries of its period: without an index of what they say, it reads each. */
export const LOOKED_AT_MAX = 100_000
const EXPORTED_AT_ONCE = 200

type AuditPage = Page & { filters: AuditFilters }
type EntryPage = {
  entries: AuditEntry[]
  total: number
  /** False: the period may have older entries, which were not looked at. */
  isComplete: boolean
}

/** A page of the workspace's entries, newest first. */
export async function listEntries(
  { db }: { db: ReadOnlyDb },
  caller: Caller,
  { page, perPage, filters }: AuditPage,
): Promise<EntryPage> {
  const newest = ownEntries(db, caller, filters).limit(LOOKED_AT_MAX).as('audit_log')
  const where = entryCondition(db, filters)
  const { looked, total } = await db
    .selectFrom(newest)
    .select((eb) => [
      eb.fn.countAll<number>().as('looked'),
      eb.fn.countAll<number>().filterWhere(where).as('total'),
    ])
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom(newest)
    .selectAll()
    .where(where)
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return { entries: rows.map(toEntry), total: Number(total), isComplete: Number(looked) < LOOKED_AT_MAX }
}

/** All entries that match the filters, newest first, a few at a time; none that is written in between. */
export async function* everyEntry(
  { db }: { db: ReadOnlyDb },
  caller: Caller,
  filters: AuditFilters,
): AsyncGenerator<AuditEntry[]> {
  const where = entryCondition(db, filters)
  for (let before: EntryPosition | undefined; ;) {
    const own = ownEntries(db, caller, filters)
    const next = before === undefined ? own : own.where(olderThan(before))
    // The last of a few entries, whether or not it matches the filters: each step reads no more than those.
    const few = next.clearSelect().select(['happened_at', 'id']).limit(EXPORTED_AT_ONCE).as('few')
    const last = await db
      .selectFrom(few)
      .selectAll()
      .orderBy('happened_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (last === undefined) return
    const rows = await next
      .where(sql<boolean>`NOT ${olderThan(last)}`)
      .where(where)
      .execute()
    yield rows.map(toEntry)
    before = last
  }
}

type EntryPosition = { happened_at: number; id: number }

const olderThan = ({ happened_at: at, id }: EntryPosition) => sql<boolean>`(happened_at, id) < (${at}, ${id})`

type AuditQuery = SelectQueryBuilder<Database, 'audit_log', Row>
type Row = Awaited<ReturnType<typeof someRows>>[number]
const someRows = (db: ReadOnlyDb) => db.selectFrom('audit_log').selectAll().execute()

const ownEntries = (
  db: ReadOnlyDb,
  { workspaceId }: Caller,
  { from: fromUs, to: toUs }: AuditFilters,
): AuditQuery =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .$if(fromUs !== undefined, (query) => query.where('happened_at', '>=', fromUs!))
    .$if(toUs !== undefined, (query) => query.where('happened_at', '<', toUs!))
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')

const toEntry = (row: Row): AuditEntry => ({
  id: row.id,
  happenedAtUs: row.happened_at,
  userId: row.user_id,
  keyId: row.api_key_id,
  actor: row.actor,
  client: row.client,
  action: row.action as AuditAction,
  target: row.target,
  targetId: row.target_id,
  changes: row.changes === null ? null : JSON.parse(row.changes),
})

type Named = { id: number; name: string }

/** Whom the log of the workspace can be narrowed to: its members, and all of its API keys, revoked ones too. */
export async function listActors(
  { db }: { db: ReadOnlyDb },
  { workspaceId }: Caller,
): Promise<{ users: Named[]; keys: Named[] }> {
  const users = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.name'])
    .where('members.workspace_id', '=', workspaceId)
    .orderBy('users.id')
    .execute()
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute()
  return { users, keys }
}
