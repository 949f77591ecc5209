import { sql } from 'kysely'
import type { Domains } from '../../links/domains/domains.ts'
import type { LinkKey } from '../../links/link-key.ts'
import { RecentMap } from '../../limits/recent-map.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { limitKeys } from '../../network/client-ip.ts'
import type { Clock } from '../../runtime/clock.ts'
import { lock } from '../../store/engine-sql.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { BY_GRAVITY, isGraver, type Reason, type Report } from './report-fields.ts'

/** More say nothing new about a link. */
export const OPEN_OF_LINK_MAX = 20
/** More than any operator reads, so that nobody can fill the store. */
export const OPEN_MAX = 5_000
const NETWORKS_MAX = 40_000

/** The open report of a network about a link. In memory only, so that nothing about visitors is stored: a restart forgets it. */
export class ReportsOfNetworks {
  readonly #ids = new RecentMap<number>(NETWORKS_MAX)

  idOf = (linkId: number, ip: string): number | undefined => this.#ids.get(keyOf(linkId, ip))
  keep = (linkId: number, ip: string, reportId: number): void => this.#ids.set(keyOf(linkId, ip), reportId)
}

/** An IPv4 /24 or an IPv6 /48. */
const NETWORK_TIMES = 16

const keyOf = (linkId: number, ip: string): string => {
  const keys = limitKeys(ip)
  return `${linkId} ${(keys.find(({ times }) => times === NETWORK_TIMES) ?? keys[0]!).key}`
}

export type AddReportDeps = {
  db: DurableDb
  clock: Clock
  domains: Pick<Domains, 'idOf' | 'codeOn' | 'prefixOf' | 'rootOf' | 'prefixedHostOf' | 'shortUrlOf'>
  metrics: Pick<Metrics, 'linkReports'>
  ofNetworks: ReportsOfNetworks
}
export type AddedReport = Report & { shortUrl: string }

/**
 * Stores what a visitor says about a link, and nothing about the visitor. Of a network, a link has one open report, and at most
 * OPEN_OF_LINK_MAX in all: the gravest and, of those, the newest are kept, and the others are counted (`more`). Undefined if the
 * report is not news: it is no graver than the network's last one, or was only counted, or there is no such link.
 */
export async function addReport(
  deps: AddReportDeps,
  key: LinkKey,
  report: Report & { ip: string },
): Promise<AddedReport | undefined> {
  const { ip, ...fields } = report
  const shortUrl = deps.domains.shortUrlOf(key)
  const outcome = await transact(deps.db, async (tx) => {
    const link = await reportedLink(tx, key)
    if (link === undefined) return undefined
    await lock(tx, 'reports of links')
    const { link_id: linkId } = link
    const earlier = await openReport(tx, deps.ofNetworks.idOf(linkId, ip))
    const place = earlier ?? (await leastOfFull(tx, linkId))
    if (place !== undefined && isGraver(place.reason, fields.reason)) {
      const count = await countMore(tx, linkId, 1)
      return { linkId, id: earlier?.id, result: count ? 'merged' : 'dropped', isNews: false } as const
    }
    const isLost = place !== undefined && (await makeRoom(tx, linkId, place))
    const more = place?.linkId === linkId ? place.more + 1 : 0
    const { id } = await tx
      .insertInto('link_reports')
      .values({ ...link, ...fields, short_url: shortUrl, reported_at: deps.clock.nowUs(), more })
      .returning('id')
      .executeTakeFirstOrThrow()
    const result = isLost ? 'dropped' : place === undefined ? 'stored' : 'merged'
    return {
      linkId,
      id,
      result,
      isNews: earlier === undefined || isGraver(fields.reason, earlier.reason),
    } as const
  })
  if (outcome === undefined) return undefined
  deps.metrics.linkReports[outcome.result].add()
  if (outcome.id !== undefined) deps.ofNetworks.keep(outcome.linkId, ip, outcome.id)
  return outcome.isNews ? { ...fields, shortUrl } : undefined
}

const reportedLink = (tx: Tx, { domainId, code }: LinkKey) =>
  tx
    .selectFrom('codes')
    .innerJoin('links', 'links.id', 'codes.link_id')
    .select(['links.id as link_id', 'links.workspace_id', 'links.original_url'])
    .where('codes.code', '=', code)
    .where('codes.domain_id', '=', domainId)
    .executeTakeFirst()

type OpenReport = { id: number; linkId: number; reason: Reason; more: number }

const openReports = (tx: Tx) =>
  tx
    .selectFrom('link_reports')
    .select(['id', 'link_id as linkId', 'more'])
    .select(sql<Reason>`reason`.as('reason'))
    .where('closed_at', 'is', null)

async function openReport(tx: Tx, id: number | undefined): Promise<OpenReport | undefined> {
  return id === undefined ? undefined : openReports(tx).where('id', '=', id).executeTakeFirst()
}

/** The gravest reason first. */
const GRAVITY = sql`CASE reason ${sql.join(
  BY_GRAVITY.map((reason, place) => sql`WHEN ${reason} THEN CAST(${place} AS INTEGER)`),
  sql` `,
)} ELSE CAST(${BY_GRAVITY.length} AS INTEGER) END`

/** The report whose place a new one takes: the least grave, of those the oldest. Undefined: there is a place. */
async function leastOfFull(tx: Tx, linkId: number): Promise<OpenReport | undefined> {
  const ofLink = openReports(tx).where('link_id', '=', linkId)
  if (await hasMoreThan(ofLink, OPEN_OF_LINK_MAX - 1)) return leastOf(tx, linkId)
  if (!(await hasMoreThan(openReports(tx), OPEN_MAX - 1))) return undefined
  // From the link with the most reports, so that many about some links do not remove the only one about another.
  const crowded = await tx
    .selectFrom('link_reports')
    .select('link_id as linkId')
    .where('closed_at', 'is', null)
    .groupBy('link_id')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(sql`min(${GRAVITY})`, 'desc')
    .orderBy(sql`max(id)`)
    .limit(1)
    .executeTakeFirstOrThrow()
  return leastOf(tx, crowded.linkId)
}

const hasMoreThan = async (reports: ReturnType<typeof openReports>, max: number): Promise<boolean> =>
  (await reports.offset(max).limit(1).executeTakeFirst()) !== undefined

const leastOf = (tx: Tx, linkId: number): Promise<OpenReport> =>
  openReports(tx)
    .where('link_id', '=', linkId)
    .orderBy(GRAVITY, 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()

/** Removes a report. True if nothing is left that would count it. */
async function makeRoom(tx: Tx, linkId: number, { id, ...removed }: OpenReport): Promise<boolean> {
  await tx.deleteFrom('link_reports').where('id', '=', id).execute()
  return removed.linkId !== linkId && !(await countMore(tx, removed.linkId, removed.more + 1))
}

/** Beside the newest report about the link. False if there is none. */
async function countMore(tx: Tx, linkId: number, more: number): Promise<boolean> {
  const newest = await openReports(tx)
    .where('link_id', '=', linkId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest === undefined) return false
  await tx
    .updateTable('link_reports')
    .set({ more: newest.more + more })
    .where('id', '=', newest.id)
    .execute()
  return true
}
