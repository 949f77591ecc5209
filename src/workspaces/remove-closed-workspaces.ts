import { removeJobsOfWorkspace } from '../import/jobs/remove-jobs.ts'
import type { CurrentDb, RelaxedDb, Tx } from '../store/handles.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Clock, MINUTE_US } from '../runtime/clock.ts'
import type { ClickKeeper } from '../clicks/click-keeper.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import { transact } from '../store/transact.ts'

/** Rows per transaction, so that nobody waits longer than some hundredths of a second. */
const ROWS_MAX = 500
/** Hours of counters per transaction. */
const HOURS_MAX = 30 * 24
/** Rows read per transaction where there is no index by workspace. */
const LOOKED_AT_MAX = 10_000
/** The last clicks are counted some seconds after the links have stopped to redirect. */
const SETTLED_US = MINUTE_US

/** One pass over all codes and clicks serves this many workspaces. */
const WORKSPACES_MAX = 500

type RemovalDeps = {
  db: RelaxedDb
  clock: Pick<Clock, 'nowUs'>
  closedClicks?: Pick<ClickKeeper, 'forgetWorkspaces'> | undefined
}

/**
 * Removes what closed workspaces have left, in small steps that can be interrupted anywhere. Their codes stay claimed, by
 * nobody, so that no short URL ever leads to a stranger.
 */
export async function removeClosedWorkspaces({ db, clock, closedClicks }: RemovalDeps): Promise<void> {
  const closed = await db
    .selectFrom('workspaces')
    .select('id')
    .where('closed_at', '<=', clock.nowUs() - SETTLED_US)
    .limit(WORKSPACES_MAX)
    .execute()
  if (closed.length === 0) return
  const workspaceIds = closed.map(({ id }) => id)
  for (const id of workspaceIds) await removeLinks(db, id)
  await releaseCodes(db, workspaceIds)
  await removeClicks(db, workspaceIds)
  await closedClicks?.forgetWorkspaces(workspaceIds)
  for (const id of workspaceIds) await removeAuditLog(db, id)
  for (const id of workspaceIds) await removeJobsOfWorkspace(db, id)
  for (const id of workspaceIds) await removeWorkspace(db, id)
}

async function removeLinks(db: RelaxedDb, workspaceId: number): Promise<void> {
  for (;;) {
    const ids = await someLinkIds(db, workspaceId)
    if (ids.length === 0) return
    await transact(db, async (tx) => {
      // In the order in which a creation locks them.
      const codes = tx.selectFrom('codes').select('code').where('link_id', 'in', ids)
      await lockedToChange(tx, codes.orderBy('code').orderBy('domain_id')).execute()
      await tx.deleteFrom('links').where('id', 'in', ids).execute()
      await tx.deleteFrom('deleted_links').where('id', 'in', ids).execute()
      await tx.deleteFrom('link_openings').where('link_id', 'in', ids).execute()
      await tx.deleteFrom('imported_clicks').where('link_id', 'in', ids).execute()
      await tx.deleteFrom('link_versions').where('link_id', 'in', ids).execute()
      await tx.deleteFrom('link_labels').where('link_id', 'in', ids).execute()
      await tx.deleteFrom('link_texts').where('link_id', 'in', ids).execute()
      await lockTotals(tx, ids)
      await tx.deleteFrom('link_totals').where('link_id', 'in', ids).execute()
    })
  }
}

/** Tables with few rows per workspace. */
const OWN_ROWS = [
  ...(['workspace_link_counts', 'workspace_totals', 'api_usage_days', 'idempotency_keys'] as const),
  ...(['labels', 'workspace_settings', 'saved_views', 'link_reports', 'workspace_invitations'] as const),
  ...(['shares', 'email_reports', 'imports'] as const),
] as const

async function removeAuditLog(db: RelaxedDb, workspaceId: number): Promise<void> {
  const own = db.selectFrom('audit_log').select('id').where('workspace_id', '=', workspaceId)
  for (;;) {
    const some = db.deleteFrom('audit_log').where('id', 'in', own.orderBy('id').limit(ROWS_MAX))
    const { numDeletedRows } = await some.executeTakeFirstOrThrow()
    if (numDeletedRows < ROWS_MAX) return
  }
}

/** Of one domain at a time: each may have some ten thousand. */
async function removeNotFoundCodes(db: RelaxedDb, workspaceId: number): Promise<void> {
  const domains = await db
    .selectFrom('domains')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .execute()
  for (const { id } of domains) await db.deleteFrom('not_found_codes').where('domain_id', '=', id).execute()
}

/** Their codes stay where they are, so the rows do. Those that were verified keep their names, so that these stay refused. */
const OF_NOBODY = {
  workspace_id: null,
  host: null,
  home_url: null,
  not_found_url: null,
  expired_url: null,
}

/** The longest step: SQLite searches all codes for a reference to the workspace, 0.1 s for a million. */
async function removeWorkspace(db: RelaxedDb, workspaceId: number): Promise<void> {
  await removeWorkspaceHours(db, workspaceId)
  await removeNotFoundCodes(db, workspaceId)
  await transact(db, async (tx) => {
    const labels = tx.selectFrom('labels').select('id').where('workspace_id', '=', workspaceId)
    await tx.deleteFrom('label_link_counts').where('label_id', 'in', labels).execute()
    for (const table of OWN_ROWS) await tx.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
    // Requests that were in progress when the workspace was closed may have added some.
    await tx.deleteFrom('api_keys').where('workspace_id', '=', workspaceId).execute()
    const domains = tx.updateTable('domains').where('workspace_id', '=', workspaceId)
    await domains.set({ name: '' }).where('verified_at', 'is', null).execute()
    await domains.set(OF_NOBODY).execute()
    await tx.deleteFrom('members').where('workspace_id', '=', workspaceId).execute()
    await tx.deleteFrom('workspaces').where('id', '=', workspaceId).execute()
  })
}

/** Includes those in the trash, and those gone for good, of which only the totals are left. */
async function someLinkIds(db: CurrentDb, workspaceId: number): Promise<number[]> {
  const links = await db
    .selectFrom('links')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .limit(ROWS_MAX)
    .execute()
  if (links.length > 0) return links.map(({ id }) => id)
  const row = await db
    .selectFrom('deleted_links')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .limit(ROWS_MAX)
    .execute()
  if (row.length > 0) return row.map(({ id }) => id)
  const totals = await db
    .selectFrom('link_totals')
    .select('link_id as id')
    .where('workspace_id', '=', workspaceId)
    .limit(ROWS_MAX)
    .execute()
  return totals.map(({ id }) => id)
}

/** In the order in which counting writes: a node that was offline may still count some of a closed workspace. */
async function lockTotals(tx: Tx, linkIds: readonly number[]): Promise<void> {
  const totals = tx.selectFrom('link_totals').select('link_id').where('link_id', 'in', linkIds)
  await lockedToChange(tx, totals.orderBy('link_id')).execute()
}

/** By dimension, which is the order of the table: otherwise each step would read all of it. */
async function removeWorkspaceHours(db: RelaxedDb, workspaceId: number): Promise<void> {
  const own = db.selectFrom('workspace_hours').where('workspace_id', '=', workspaceId)
  for (const { dimension } of await own.select('dimension').distinct().execute()) {
    const place = sql`workspace_hours WHERE workspace_id = ${workspaceId} AND dimension = ${dimension}`
    for (const [from, to] of await stretches(db, place)) {
      await transact(db, async (tx) => {
        const total = tx.selectFrom('workspace_totals').select('workspace_id')
        await lockedToChange(tx, total.where('workspace_id', '=', workspaceId)).execute()
        await sql`DELETE FROM ${place} AND hour >= ${from} AND hour < ${to}`.execute(tx)
      })
    }
  }
}

/** The range of hours in these rows, in steps of HOURS_MAX; `to` is exclusive. */
async function stretches(db: CurrentDb, place: RawBuilder<unknown>): Promise<[from: number, to: number][]> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    SELECT (SELECT min(hour) FROM ${place}) AS first, (SELECT max(hour) FROM ${place}) AS last`.execute(db)
  const { first, last } = rows[0]!
  if (first === null || last === null) return []
  const count = Math.floor((last - first) / HOURS_MAX) + 1
  return Array.from({ length: count }, (_, i) => [first + i * HOURS_MAX, first + (i + 1) * HOURS_MAX])
}

/** There is no index by owner, so all codes are read, a part at a time. */
async function releaseCodes(db: RelaxedDb, workspaceIds: readonly number[]): Promise<void> {
  let after = ''
  for (;;) {
    const stretch = db
      .selectFrom('codes')
      .select('code')
      .where('code', '>', after)
      .orderBy('code')
      .limit(LOOKED_AT_MAX)
    const { last } = await db
      .selectFrom(stretch.as('stretch'))
      .select((eb) => eb.fn.max<string | null>('code').as('last'))
      .executeTakeFirstOrThrow()
    if (last === null) return
    const own = db
      .selectFrom('codes')
      .select('code')
      .where('code', '>', after)
      .where('code', '<=', last)
      .where('workspace_id', 'in', workspaceIds)
      .orderBy('code')
      .orderBy('domain_id')
    // In the order in which creations lock codes.
    const released = db
      .updateTable('codes')
      .set({ workspace_id: null })
      .where('workspace_id', 'in', workspaceIds)
    await released.where('code', 'in', lockedToChange(db, own)).execute()
    after = last
  }
}

async function removeClicks(db: RelaxedDb, workspaceIds: readonly number[]): Promise<void> {
  const { first, last } = await db
    .selectFrom('clicks')
    .select((eb) => [eb.fn.min<number | null>('id').as('first'), eb.fn.max<number | null>('id').as('last')])
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return
  for (let from = first; from <= last; from += LOOKED_AT_MAX) {
    await db
      .deleteFrom('clicks')
      .where('id', '>=', from)
      .where('id', '<', from + LOOKED_AT_MAX)
      .where('workspace_id', 'in', workspaceIds)
      .execute()
  }
}
