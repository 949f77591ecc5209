import type { Domains } from '../../links/domains/domains.ts'
import type { LinkKey } from '../../links/link-key.ts'
import { type Clock, HOUR_US } from '../../runtime/clock.ts'
import { lock } from '../../store/engine-sql.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import type { Report } from './report-fields.ts'

/** More say nothing new about a link. */
export const OPEN_OF_LINK_MAX = 20
/** More than any operator reads, so that nobody can fill the store. */
export const REPORTS_PER_HOUR_MAX = 200
export const OPEN_MAX = 5_000

export type AddReportDeps = {
  db: DurableDb
  clock: Clock
  domains: Pick<Domains, 'idOf' | 'originOf' | 'hostOf' | 'shortUrlOf'>
}
export type AddedReport = Report & { shortUrl: string }

/**
 * Stores what a visitor says about a link, and nothing about the visitor. Undefined if nothing was stored: there is no such
 * link, or there are enough reports: open ones about it, open ones of all links, or any within the last hour.
 */
export function addReport(
  { db, clock, domains }: AddReportDeps,
  key: LinkKey,
  report: Report,
): Promise<AddedReport | undefined> {
  return transact(db, async (tx) => {
    const link = await reportedLink(tx, key)
    if (link === undefined) return undefined
    await lock(tx, 'reports of links')
    if (await isFull(tx, { linkId: link.link_id, nowUs: clock.nowUs() })) return undefined
    const shortUrl = domains.shortUrlOf(key)
    await tx
      .insertInto('link_reports')
      .values({ ...link, ...report, short_url: shortUrl, reported_at: clock.nowUs() })
      .execute()
    return { ...report, shortUrl }
  })
}

const reportedLink = (tx: Tx, { domainId, code }: LinkKey) =>
  tx
    .selectFrom('codes')
    .innerJoin('links', 'links.id', 'codes.link_id')
    .select(['links.id as link_id', 'links.account_id', 'links.original_url'])
    .where('codes.code', '=', code)
    .where('codes.domain_id', '=', domainId)
    .executeTakeFirst()

async function isFull(tx: Tx, { linkId, nowUs }: { linkId: number; nowUs: number }): Promise<boolean> {
  const all = tx.selectFrom('link_reports').select('reported_at as atUs')
  const open = all.where('closed_at', 'is', null)
  const reports = [
    { nth: all.orderBy('id', 'desc').offset(REPORTS_PER_HOUR_MAX - 1), sinceUs: nowUs - HOUR_US },
    { nth: open.where('link_id', '=', linkId).offset(OPEN_OF_LINK_MAX - 1), sinceUs: 0 },
    { nth: open.offset(OPEN_MAX - 1), sinceUs: 0 },
  ]
  for (const { nth, sinceUs } of reports) {
    const found = await nth.limit(1).executeTakeFirst()
    if (found !== undefined && found.atUs > sinceUs) return true
  }
  return false
}
