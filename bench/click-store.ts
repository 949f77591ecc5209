/**
 * What closed clicks cost, and how fast they answer: days of clicks are closed, and written into a file for each day and month as they
 * would be in time. 80 % of the clicks belong to one workspace.
 *
 *   npm run bench:click-store                    1,000,000 clicks of 50,000 links in 90 days
 *   CLICKS=10000000 npm run bench:click-store
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickQuery } from '../src/clicks/queries/click-query.ts'
import { planRewrites } from '../src/clicks/parquet/plan-rewrites.ts'
import { DAY_US, QUARTER_US } from '../src/runtime/clock.ts'
import { ClickStoreRig, type Fact } from '../test/rigs/clicks/click-store-rig.ts'
import { atShare, childrenOf, cpuUs, machine, markdownTable } from './rigs/measure.ts'
import { SeededChance } from './rigs/traffic.ts'

const CLICKS = Number(process.env.CLICKS ?? 1_000_000)
const LINKS = 50_000
const DAYS = 90
const WORKSPACES = 50
const REPEATS = Number(process.env.REPEATS ?? 20)
/** As a server closes them. */
const CLICKS_PER_FILE = 50_000
const FIRST_US = Date.UTC(2026, 0, 1) * 1000
const LAST_US = FIRST_US + DAYS * DAY_US

const COUNTRIES = 'US DE GB FR BR IN JP CA AU NL ES IT PL SE CH AT BE DK NO FI'.split(' ')
const DEVICES = ['mobile', 'desktop', 'tablet']
const BROWSERS = ['Chrome', 'Safari', 'Edge', 'Firefox', 'Samsung Internet', 'Instagram']
const SYSTEMS = ['Android', 'iOS', 'Windows', 'macOS', 'Linux']
const REFERRERS = 500
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ja']

const month = { fromUs: LAST_US - 30 * DAY_US, toUs: LAST_US, workspaceId: 1 }
const quarterYear = { ...month, fromUs: FIRST_US }
const germany = { country: { values: ['DE'] } }
const onMobile = { ...germany, device: { values: ['mobile'] } }
const panels: ClickQuery['groups'] = (
  ['country', 'device', 'browser', 'os', 'referrer', 'link_id'] as const
).map((name) => ({ by: [name], top: 10 }))
/** Links of the large workspace: of five ids, four. */
const aLink = (chance: SeededChance) => {
  const id = chance.skewed(LINKS)
  return id % 5 === 0 ? id + 1 : id
}

const QUERIES: [name: string, query: (chance: SeededChance) => ClickQuery][] = [
  [
    '30 days, one country: browsers',
    () => ({ ...month, filters: germany, groups: [{ by: ['browser'], top: 10 }] }),
  ],
  [
    '30 days, country and device: 500 referrers',
    () => ({ ...month, filters: onMobile, groups: [{ by: ['referrer'], top: 500 }] }),
  ],
  [
    '30 days, one country: quarters of an hour',
    () => ({ ...month, filters: germany, stepUs: QUARTER_US, groups: [{ by: ['step'] }] }),
  ],
  ['30 days, one country: six panels', () => ({ ...month, filters: germany, groups: panels })],
  [
    '90 days, one country: top links',
    () => ({ ...quarterYear, filters: germany, groups: [{ by: ['link_id'], top: 50 }] }),
  ],
  [
    '90 days, one link: six panels',
    (chance) => ({ ...quarterYear, linkIds: [aLink(chance)], groups: panels }),
  ],
  [
    '30 days, 25 links: days of each',
    (chance) => ({
      ...month,
      linkIds: Array.from({ length: 25 }, () => aLink(chance)),
      stepUs: DAY_US,
      groups: [{ by: ['link_id', 'step'] }],
    }),
  ],
  [
    '30 days, small workspace: six panels',
    (chance) => ({ ...month, workspaceId: 2 + Math.floor(chance.next() * WORKSPACES), groups: panels }),
  ],
]

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const rig = await ClickStoreRig.open(folder)
try {
  await rig.total()
  const [pid] = childrenOf(process.pid)
  const written = await writeClicks(rig, pid!)
  const files = await rig.files()
  const bytes = files.reduce((sum, { name }) => sum + statSync(join(rig.folder, name)).size, 0)
  console.log(
    `\n${machine()}; ${CLICKS.toLocaleString('en')} clicks on ${LINKS.toLocaleString('en')} links\n`,
  )
  console.log(
    `${(bytes / CLICKS).toFixed(1)} bytes a click in ${files.length} files; CPU a click: ${(written.closeUs / CLICKS).toFixed(1)} µs to close, ${(written.rewriteUs / CLICKS).toFixed(1)} µs to write again; memory after writing ${memoryOf(pid!)}\n`,
  )
  const rows: string[][] = []
  for (const [name, query] of QUERIES) rows.push([name, ...(await timesOf(rig, pid!, query))])
  console.log(markdownTable(['', 'p50 ms', 'p95 ms', 'CPU ms'], rows))
  console.log(`\nMemory after the queries: ${memoryOf(pid!)}`)
} finally {
  await rig.close()
  rmSync(folder, { recursive: true, force: true })
}

async function writeClicks(rig: ClickStoreRig, pid: number): Promise<{ closeUs: number; rewriteUs: number }> {
  const chance = new SeededChance(1)
  const cost = { closeUs: 0, rewriteUs: 0 }
  for (let day = 0; day < DAYS; day++) {
    const nowUs = FIRST_US + (day + 1) * DAY_US
    let left = Math.floor((CLICKS * (day + 1)) / DAYS) - Math.floor((CLICKS * day) / DAYS)
    for (; left > 0; left -= CLICKS_PER_FILE) {
      rig.add(Array.from({ length: Math.min(left, CLICKS_PER_FILE) }, () => aFact(chance, nowUs - DAY_US)))
      const beforeUs = cpuUs(pid)
      await rig.closeUpTo()
      cost.closeUs += cpuUs(pid) - beforeUs
    }
    const beforeUs = cpuUs(pid)
    for (const rewriting of planRewrites(await rig.files(), { nowUs: nowUs + DAY_US, coarseBeforeUs: 0 }))
      await rig.rewrite(rewriting, { nowUs })
    cost.rewriteUs += cpuUs(pid) - beforeUs
  }
  return cost
}

async function timesOf(
  rig: ClickStoreRig,
  pid: number,
  queryFor: (chance: SeededChance) => ClickQuery,
): Promise<string[]> {
  const chance = new SeededChance(2)
  const times: number[] = []
  const beforeUs = cpuUs(pid)
  for (let i = 0; i < REPEATS; i++) {
    const startedMs = performance.now()
    await rig.query(queryFor(chance))
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  const cpuMs = (cpuUs(pid) - beforeUs) / 1000 / REPEATS
  return [atShare(times, 0.5), atShare(times, 0.95), cpuMs].map((ms) => ms.toFixed(0))
}

function aFact(chance: SeededChance, dayUs: number): Partial<Fact> {
  const linkId = chance.skewed(LINKS)
  const isBot = chance.next() < 0.05
  const isFirst = !isBot && chance.next() < 0.7
  return {
    workspace_id: linkId % 5 === 0 ? 2 + ((linkId / 5) % WORKSPACES) : 1,
    link_id: linkId,
    clicked_at: dayUs + Math.floor(chance.next() * DAY_US),
    country: COUNTRIES[chance.skewed(COUNTRIES.length) - 1]!,
    ...(isBot ? {} : clientOf(chance)),
    referrer: chance.next() < 0.3 ? '' : `site-${chance.skewed(REFERRERS)}.example.org`,
    language: LANGUAGES[chance.skewed(LANGUAGES.length) - 1]!,
    via: chance.next() < 0.1 ? 'qr' : 'link',
    clicks: Number(!isBot),
    visitors: Number(isFirst),
    workspace_visitors: Number(isFirst && chance.next() < 0.9),
    bots: Number(isBot),
  }
}

function clientOf(chance: SeededChance) {
  return {
    device: DEVICES[chance.skewed(DEVICES.length) - 1]!,
    browser: BROWSERS[chance.skewed(BROWSERS.length) - 1]!,
    os: SYSTEMS[chance.skewed(SYSTEMS.length) - 1]!,
  }
}

function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024)
  // The rest is read from the files of the program and of its library, and can be dropped at any time.
  return `${megabytes('RssAnon')} MB of its own, ${megabytes('VmRSS')} MB in all, at most ${megabytes('VmHWM')} MB`
}
