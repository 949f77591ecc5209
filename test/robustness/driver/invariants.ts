import { expect } from 'bun:test'
import { lockFolder } from '../../../src/store/files/folder-lock.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { eventually } from '../../rigs/eventually.ts'
import { sumOf } from '../../rigs/program/click-load.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { notLinearizable } from './linearizability.ts'
import { LIMITS } from './load.ts'
import { clickCountModel, codeModel, repeatModel, switchModel, titleModel } from './models.ts'
import type { Records } from './recording-client.ts'
import type { Tern } from './tern.ts'

type Excuse = {
  /** With which statuses visitors may have been refused, whom no link refuses. Without it, no client was refused either. */
  refusals?: readonly number[]
}

/** Clicks by code, as the visitors of all loads know them. */
type Clicks = { acknowledged: number; unanswered: number; sent: number }

/**
 * Everything that Tern guarantees whatever goes wrong: each click counts once, what was acknowledged is there and in one
 * order, no limit is exceeded, nodes end in order, and the store contradicts itself nowhere. Ends all loads and nodes.
 */
export async function expectInvariants(tern: Tern, excuse: Excuse = {}): Promise<void> {
  await Promise.all(tern.loads.map((load) => load.stop()))
  await tern.restartAll()
  for (const { clients } of tern.loads) await clients?.lookAtEverything()
  const counts = await expectClicksCounted(tern)
  // While nothing can be stored, no request is counted either.
  if (excuse.refusals === undefined) await expectRequestsCounted(tern)
  await tern.stopAll()

  const links = await linksInStore(tern)
  expect(new Map([...counts.keys()].map((code) => [code, links.get(code)?.clicks ?? 0]))).toEqual(counts)
  expect(violations(tern, links, excuse)).toEqual([])
  await expectSoundStore(tern)
  console.log(summary(tern, counts))
}

/** Waits for the clicks of all loads, of all codes or of some. Returns what is counted. */
export async function expectClicksCounted(
  tern: Tern,
  codes: readonly string[] = [...clicksByCode(tern).keys()],
): Promise<Map<string, number>> {
  const clicks = clicksByCode(tern)
  const counts = await eventually(
    () => tern.operator.clickCounts(codes).catch(() => new Map<string, number>()),
    (found) => codes.every((code) => (found.get(code) ?? -1) >= clicks.get(code)!.acknowledged),
  )
  expect([...counts.keys()]).toEqual([...codes])
  expect(clickViolations(tern, counts)).toEqual([])
  return counts
}

function clicksByCode({ loads }: Tern): Map<string, Clicks> {
  const clicks = new Map<string, Clicks>()
  for (const { tally, codes } of loads.flatMap((load) => load.visitors.map((each) => each.clicks)))
    for (const code of codes) {
      const before = clicks.get(code)
      const sum = (of: keyof Clicks) => (before?.[of] ?? 0) + (tally[of].get(code) ?? 0)
      clicks.set(code, {
        acknowledged: sum('acknowledged'),
        unanswered: sum('unanswered'),
        sent: sum('sent'),
      })
    }
  return clicks
}

type StoredLink = { code: string; title: string; clicks: number; opened: number }

async function linksInStore({ nodes }: Tern): Promise<Map<string, StoredLink>> {
  const { settings } = nodes[0]!
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickHouseUrl } = settings
  const { db, close } = await openStore({ dataDir, databaseUrl, clickHouseUrl }, 'same-thread')
  const links = await db
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .leftJoin('link_openings', 'link_openings.link_id', 'links.id')
    .select(['code', 'title', 'clicks', 'opened'])
    .execute()
  await close()
  return new Map(
    links.map((link) => [link.code, { ...link, clicks: link.clicks ?? 0, opened: link.opened ?? 0 }]),
  )
}

function violations(tern: Tern, links: Map<string, StoredLink>, excuse: Excuse): string[] {
  const recorded = tern.loads.flatMap(({ clients }) => clients?.records ?? [])
  return [
    ...limitViolations(tern, links),
    ...statusViolations(tern, excuse),
    ...recorded.flatMap((records) => [...orderViolations(records), ...records.odd]),
    ...recorded.flatMap((records) => keysWithoutOneLink(records, links)),
  ]
}

/** Acknowledged ≤ counted ≤ acknowledged or without an answer. A proxy may have answered for a node that was killed. */
function clickViolations(tern: Tern, counts: Map<string, number>): string[] {
  const clicksOf = clicksByCode(tern)
  return [...counts].flatMap(([code, counted]) => {
    const clicks = clicksOf.get(code)!
    const countedMax = tern.kills > 0 ? clicks.sent : clicks.acknowledged + clicks.unanswered
    const isKept = clicks.acknowledged <= counted && counted <= countedMax
    const isAnswered = tern.isInterrupted || clicks.unanswered === 0
    return isKept && isAnswered ? [] : [`${code}: ${JSON.stringify({ ...clicks, counted })}`]
  })
}

/** Links that led too many visitors on, or lost more openings than faults can explain: each failed write may cost one. */
function limitViolations(tern: Tern, links: Map<string, StoredLink>): string[] {
  const openingsLostMax = tern.openingsLostMax + failuresOfLimited(tern)
  return [...LIMITS].flatMap(([code, limit]) => {
    const link = links.get(code)
    if (link === undefined) return []
    const lost = link.opened - link.clicks
    const isKept = lost >= 0 && lost <= openingsLostMax && link.opened <= limit
    return isKept ? [] : [`${code}: ${JSON.stringify({ ...link, limit, openingsLostMax })}`]
  })
}

function failuresOfLimited({ loads }: Tern): number {
  const limited = loads
    .flatMap(({ visitors }) => visitors)
    .filter(({ clicks }) => clicks.codes.some((code) => LIMITS.has(code)))
  const statuses = limited.flatMap(({ clicks }) => [...clicks.tally.statuses])
  return statuses.reduce((total, [status, count]) => total + (status >= 500 ? count : 0), 0)
}

function statusViolations({ loads }: Tern, { refusals = [] }: Excuse): string[] {
  return loads.flatMap(({ visitors }) =>
    visitors.flatMap(({ clicks, statuses }) => {
      const odd = [...clicks.tally.statuses].filter(
        ([status]) => ![...statuses, ...refusals].includes(status),
      )
      return odd.map(([status, count]) => `Visitors of ${clicks.codes[0]}: ${status}, ${count} times`)
    }),
  )
}

/** Answers that no order of the requests explains. */
function orderViolations({
  codes,
  switches,
  titles,
  clickCounts,
  repeats,
}: Pick<Records, 'codes' | 'switches' | 'titles' | 'clickCounts' | 'repeats'>): string[] {
  return [
    ...notLinearizable(codeModel, codes),
    ...notLinearizable(switchModel, switches),
    ...notLinearizable(titleModel, titles),
    ...notLinearizable(clickCountModel, clickCounts),
    ...notLinearizable(repeatModel, repeats),
  ]
}

/** A key that was answered has exactly one link, whose title is the key; no key has two. */
function keysWithoutOneLink({ repeats }: Records, links: Map<string, StoredLink>): string[] {
  const titles = Map.groupBy(links.values(), ({ title }) => title)
  return [...repeats.operations].flatMap(([key, requests]) => {
    const count = titles.get(key)?.length ?? 0
    const isAnswered = requests.some(({ answered }) => answered !== undefined)
    return count === 1 || (count === 0 && !isAnswered) ? [] : [`${count} links of ${key}`]
  })
}

/** Only the clients use this key, and all within one hour. */
async function expectRequestsCounted(tern: Tern): Promise<void> {
  for (const { clients } of tern.loads) {
    const rivals = clients?.accounts[1]
    if (clients === undefined || rivals === undefined) continue
    const response = await tern.ask({ node: 0, key: rivals.key }, 'GET', '/api/account/usage')
    const { data } = (await response.json()) as { data: { current_period: { requests: number } } }
    const { requests } = data.current_period
    const itself = 1
    const { sent, answered, unavailable } = clients.records
    expect(unavailable).toBe(0)
    expect(requests).toBeGreaterThanOrEqual(answered.get(rivals.account)! + itself)
    expect(requests).toBeLessThanOrEqual(sent.get(rivals.account)! + itself)
  }
}

/** Sound by every check of the tests and of the program itself. */
async function expectSoundStore(tern: Tern): Promise<void> {
  for (const [node, { settings }] of tern.nodes.entries()) {
    const isOnSqlite = settings.DATABASE_URL === undefined
    lockFolder(settings.DATA_DIR).release()
    if (isOnSqlite) expect(await contradictions(settings.DATA_DIR)).toEqual([])
    // A kill between the code log and the commit blocks a code, and the doctor says so.
    const checks = isOnSqlite && tern.kills > 0 ? ['schema', 'journal'] : ['schema', 'journal', 'codes']
    const findings = await tern.findings(undefined, { node })
    expect(
      findings.filter(({ check }) => checks.includes(check)).map(({ check, verdict }) => [check, verdict]),
    ).toEqual(checks.map((check) => [check, 'ok']))
  }
  expect(await tern.run(['recount', '--check'])).toMatchObject({ exitCode: 0 })
}

function summary({ loads, kills }: Tern, counts: Map<string, number>): string {
  const sum = (of: 'sent' | 'acknowledged') =>
    loads
      .flatMap(({ visitors }) => visitors)
      .reduce((total, { clicks }) => total + sumOf(clicks.tally[of]), 0)
  const requests = loads.flatMap(({ clients }) => [...(clients?.records.sent.values() ?? [])])
  return `${kills} kills; visits ${sum('sent')}, redirects ${sum('acknowledged')}, counted ${sumOf(counts)}; requests ${requests.join(' + ')}`
}
