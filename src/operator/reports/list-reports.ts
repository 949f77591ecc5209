import { type SqlBool, sql } from 'kysely'
import type { AnyDb } from '../../store/handles.ts'
import type { Page } from '../../store/page-of-rows.ts'
import { OWNER_EMAIL } from '../manage-workspaces.ts'
import type { Reason } from './report-fields.ts'

type ReportState = 'open' | 'closed'

/** What was reported about one link, the newest first. */
export type ReportedLink = {
  linkId: number
  shortUrl: string
  /** The destination when it was reported last. */
  reportedUrl: string
  /** Undefined if the link is deleted. */
  now: { originalUrl: string; isActive: boolean } | undefined
  /** Undefined if it is deleted. */
  workspace: { id: number; name: string; ownerEmail: string | null; isSuspended: boolean } | undefined
  /** With those that were only counted. */
  count: number
  reports: ShownReport[]
}

type ShownReport = {
  id: number
  reason: Reason
  message: string
  reportedAtUs: number
  closedAtUs: number | null
  /** Null if nobody did, or the account of the user who did was deleted. */
  closedBy: string | null
}

/** Of each link. There are no more open ones anyway. */
const SHOWN_MAX = 20

type ReportPage = Page & { state: ReportState }

/** A page of links, those that were reported last first, and how many links there are. */
export async function listReportedLinks(
  db: AnyDb,
  { state, page, perPage }: ReportPage,
): Promise<{ links: ReportedLink[]; total: number }> {
  const groups = reportsIn(db, state).groupBy('link_id')
  const rows = await groups
    .select(['link_id', sql<number>`sum(1 + more)`.as('count')])
    .orderBy(sql`max(link_reports.id)`, 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const { total } = await reportsIn(db, state)
    .select(sql<number>`count(DISTINCT link_id)`.as('total'))
    .executeTakeFirstOrThrow()
  const details = await detailsOf(
    db,
    state,
    rows.map(({ link_id: id }) => id),
  )
  return {
    links: rows.map(({ link_id: linkId, count }) => details(linkId, Number(count))),
    total: Number(total),
  }
}

const reportsIn = (db: AnyDb, state: ReportState) =>
  db
    .selectFrom('link_reports')
    .where('link_reports.closed_at', state === 'open' ? 'is' : 'is not', sql<SqlBool & null>`NULL`)

async function detailsOf(db: AnyDb, state: ReportState, linkIds: readonly number[]) {
  const rows = linkIds.length === 0 ? [] : await newestReports(db, state, linkIds)
  const workspaceIds = [...new Set(rows.map((row) => row.workspace_id))]
  const [links, workspaces] = await Promise.all([linksNow(db, linkIds), workspacesOf(db, workspaceIds)])
  return (linkId: number, count: number): ReportedLink => {
    const own = rows.filter((row) => row.link_id === linkId)
    const [latest] = own
    return {
      linkId,
      count,
      shortUrl: latest!.short_url,
      reportedUrl: latest!.original_url,
      now: links.get(linkId),
      workspace: workspaces.get(latest!.workspace_id),
      reports: own.map((row) => ({
        id: row.id,
        reason: row.reason as Reason,
        message: row.message,
        reportedAtUs: row.reported_at,
        closedAtUs: row.closed_at,
        closedBy: row.closed_by_name,
      })),
    }
  }
}

const newestReports = (db: AnyDb, state: ReportState, linkIds: readonly number[]) =>
  db
    .selectFrom(
      reportsIn(db, state)
        .leftJoin('users', 'users.id', 'link_reports.closed_by')
        .selectAll('link_reports')
        .select('users.name as closed_by_name')
        .select(
          sql<number>`row_number() OVER (PARTITION BY link_id ORDER BY link_reports.id DESC)`.as('place'),
        )
        .where('link_id', 'in', linkIds)
        .as('numbered'),
    )
    .selectAll()
    .where('place', '<=', SHOWN_MAX)
    .orderBy('id', 'desc')
    .execute()

async function linksNow(db: AnyDb, linkIds: readonly number[]) {
  if (linkIds.length === 0) return new Map<number, ReportedLink['now']>()
  const rows = await db
    .selectFrom('links')
    .select(['id', 'original_url as originalUrl', 'is_active'])
    .where('id', 'in', linkIds)
    .execute()
  return new Map(
    rows.map(({ id, originalUrl, is_active: isActive }) => [id, { originalUrl, isActive: isActive === 1 }]),
  )
}

async function workspacesOf(db: AnyDb, workspaceIds: readonly number[]) {
  if (workspaceIds.length === 0) return new Map<number, ReportedLink['workspace']>()
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'name', 'suspended_at', OWNER_EMAIL.as('ownerEmail')])
    .where('id', 'in', workspaceIds)
    .where('closed_at', 'is', null)
    .execute()
  return new Map(
    rows.map(({ suspended_at: suspendedAt, ...row }) => [
      row.id,
      { ...row, isSuspended: suspendedAt !== null },
    ]),
  )
}
