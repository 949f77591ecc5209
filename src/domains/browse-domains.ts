import { sql } from 'kysely'
import { contains } from '../store/engine-sql.ts'
import type { AnyDb } from '../store/handles.ts'
import { type Page, readPage } from '../store/page-of-rows.ts'
import { domainStatus, type DomainStatus } from './find-domains.ts'

/** A domain as the operator sees it. */
export type ListedDomain = {
  id: number
  host: string
  /** Null: every workspace can use it. */
  workspace: { id: number; name: string } | null
  status: DomainStatus
  verifiedAtUs: number | null
  checkedAtUs: number | null
  failingSinceUs: number | null
  /** What the last check has missed. */
  failure: string | null
  ignoresCase: boolean
  createdAtUs: number
}

/** A page of the domains of all workspaces, newest first, searched by host and by the name of the workspace. */
export async function browseDomains(
  db: AnyDb,
  { search, ...page }: Page & { search: string },
): Promise<{ domains: ListedDomain[]; total: number }> {
  const matches = selectListed(db)
    .$if(search !== '', (query) => query.where(contains(db, SEARCHED, search.toLowerCase())))
    .orderBy('domains.id', 'desc')
  const { rows, total } = await readPage(matches, page)
  return { domains: rows.map(toListed), total }
}

/** Those with this host: workspaces can have added the same one, of which at most one is verified. */
export async function domainsOfHost(db: AnyDb, host: string): Promise<ListedDomain[]> {
  const rows = await selectListed(db).where('domains.name', '=', host).orderBy('domains.id').execute()
  return rows.map(toListed)
}

const SEARCHED = sql`domains.name || ' ' || coalesce(lower(workspaces.name), '')`

/** Without those that a deleted workspace has left. */
const selectListed = (db: AnyDb) =>
  db
    .selectFrom('domains')
    .leftJoin('workspaces', 'workspaces.id', 'domains.workspace_id')
    .selectAll('domains')
    .select('workspaces.name as workspace_name')
    .where('domains.id', '<>', 0)
    .where('domains.removed_at', 'is', null)
    .where((eb) => eb.or([eb('domains.is_shared', '=', 1), eb('domains.workspace_id', 'is not', null)]))
    .where('workspaces.closed_at', 'is', null)

type ListedRow = Awaited<ReturnType<ReturnType<typeof selectListed>['executeTakeFirstOrThrow']>>

const toListed = (row: ListedRow): ListedDomain => ({
  id: row.id,
  host: row.name,
  workspace: row.workspace_id === null ? null : { id: row.workspace_id, name: row.workspace_name ?? '' },
  status: domainStatus(row),
  verifiedAtUs: row.verified_at,
  checkedAtUs: row.checked_at,
  failingSinceUs: row.failing_since,
  failure: row.failure,
  ignoresCase: row.case_insensitive === 1,
  createdAtUs: row.created_at,
})
