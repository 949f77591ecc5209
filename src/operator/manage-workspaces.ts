import { z } from 'zod'
import { sql } from 'kysely'
import { type Actor, operatorIn } from '../access/caller.ts'
import type { FieldChanges } from '../audit/changes-text.ts'
import { recordChange } from '../audit/record-change.ts'
import { choice } from '../validation/field-rules.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Clock } from '../runtime/clock.ts'
import { contains, lockedToChange } from '../store/engine-sql.ts'
import type { AnyDb, CurrentDb, DurableDb, Tx } from '../store/handles.ts'
import { type Page, readPage } from '../store/page-of-rows.ts'
import { transact } from '../store/transact.ts'
import { PLAN_NAMES } from '../access/plan-names.ts'
import { UNLIMITED } from '../workspaces/plans.ts'
import { noSuchWorkspace } from '../workspaces/workspace.ts'

export type ManagedWorkspace = {
  id: number
  name: string
  plan: string
  /** Requests per hour for each key; null: what the plan allows. */
  rateLimit: number | null
  suspendedAtUs: number | null
  createdAtUs: number
  /** Of several owners, the first by email; null if there is none. */
  ownerEmail: string | null
  members: number
  links: number
  clicks: number
}

/** A page of all workspaces that are not deleted, newest first, searched by name and by the email of the owner. */
export async function browseWorkspaces(
  db: CurrentDb,
  { search, ...page }: Page & { search: string },
): Promise<{ workspaces: ManagedWorkspace[]; total: number }> {
  const matches = selectWorkspaces(db)
    .$if(search !== '', (query) => query.where(contains(db, SEARCHED, search.toLowerCase())))
    .orderBy('workspaces.id', 'desc')
  const { rows, total } = await readPage(matches, page)
  return { workspaces: rows.map(toWorkspace), total }
}

/** Where `workspaces` is in the query. */
export const OWNER_EMAIL = sql<
  string | null
>`(SELECT min(users.email) FROM members JOIN users ON users.id = members.user_id
  WHERE members.workspace_id = workspaces.id AND members.role = 'owner')`
const SEARCHED = sql`lower(workspaces.name) || ' ' || coalesce(${OWNER_EMAIL}, '')`

/** Refused if there is none. */
export async function workspaceById(db: CurrentDb, workspaceId: number): Promise<ManagedWorkspace> {
  const row = await selectWorkspaces(db).where('workspaces.id', '=', workspaceId).executeTakeFirst()
  if (row === undefined) throw noSuchWorkspace()
  return toWorkspace(row)
}

const NAMED_MAX = 10

/** Digits are an ID. Refused if there is none, or there are several of that name. */
export async function workspaceByIdOrName(db: CurrentDb, text: string): Promise<ManagedWorkspace> {
  if (/^\d{1,15}$/.test(text)) return workspaceById(db, Number(text))
  const query = selectWorkspaces(db).where('workspaces.name', '=', text)
  const [row, ...others] = await query.orderBy('workspaces.id').limit(NAMED_MAX).execute()
  if (row === undefined) throw noSuchWorkspace()
  if (others.length === 0) return toWorkspace(row)
  const ids = [row, ...others].map(({ id }) => id).join(', ')
  throw new Refusal('command_failed', `Several workspaces have the name ${text}. Name one by its ID: ${ids}.`)
}

const selectWorkspaces = (db: AnyDb) =>
  db
    .selectFrom('workspaces')
    .select(['id', 'name', 'plan', 'rate_limit', 'suspended_at', 'created_at'])
    .select((eb) => [
      eb
        .selectFrom('members')
        .whereRef('members.workspace_id', '=', 'workspaces.id')
        .select((of) => of.fn.countAll<number>().as('count'))
        .as('members'),
      eb
        .selectFrom('workspace_link_counts')
        .whereRef('workspace_link_counts.workspace_id', '=', 'workspaces.id')
        .select((of) => of.fn.sum<number | null>('links').as('links'))
        .as('links'),
      eb
        .selectFrom('workspace_totals')
        .whereRef('workspace_totals.workspace_id', '=', 'workspaces.id')
        .select('clicks')
        .as('clicks'),
      OWNER_EMAIL.as('owner_email'),
    ])
    .where('closed_at', 'is', null)

type WorkspaceRow = Awaited<ReturnType<ReturnType<typeof selectWorkspaces>['executeTakeFirstOrThrow']>>

const toWorkspace = (row: WorkspaceRow): ManagedWorkspace => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  rateLimit: row.rate_limit,
  suspendedAtUs: row.suspended_at,
  createdAtUs: row.created_at,
  ownerEmail: row.owner_email,
  members: Number(row.members),
  links: Number(row.links ?? 0),
  clicks: row.clicks ?? 0,
})

const NO_LIMIT = `The :attribute must be an integer between 1 and ${UNLIMITED}.`

/** What is absent stays as it is. A limit of null is the plan's. */
export const workspaceChange = z.object({
  plan: choice(PLAN_NAMES).optional(),
  rate_limit: z.int(NO_LIMIT).min(1, NO_LIMIT).max(UNLIMITED, NO_LIMIT).nullish(),
})

/** The limits of the workspace's keys follow with their next request. */
export async function changeWorkspace(
  { db, clock }: { db: DurableDb; clock: Clock },
  by: Actor,
  { workspaceId, plan, rate_limit: rateLimit }: z.output<typeof workspaceChange> & { workspaceId: number },
): Promise<void> {
  const nowUs = clock.nowUs()
  await transact(db, async (tx) => {
    const before = await workspaceToChange(tx, workspaceId)
    const after = {
      plan: plan ?? before.plan,
      rate_limit: rateLimit === undefined ? before.rate_limit : rateLimit,
    }
    const changes: FieldChanges = {}
    for (const name of ['plan', 'rate_limit'] as const)
      if (before[name] !== after[name]) changes[name] = { from: before[name], to: after[name] }
    if (Object.keys(changes).length === 0) return
    await tx.updateTable('workspaces').set(after).where('id', '=', workspaceId).execute()
    const entry = { nowUs, action: 'workspace.updated', target: before.name, changes } as const
    await recordChange(tx, operatorIn(workspaceId, by), { ...entry, targetId: workspaceId })
  })
}

/** Locked, and refused if there is none. */
export async function workspaceToChange(tx: Tx, workspaceId: number) {
  const open = tx.selectFrom('workspaces').selectAll().where('id', '=', workspaceId)
  const row = await lockedToChange(tx, open.where('closed_at', 'is', null)).executeTakeFirst()
  if (row === undefined) throw noSuchWorkspace()
  return row
}
