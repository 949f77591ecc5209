/**
 * What clicks cost in a store of them, and how fast it answers: days are written as they would be in time.
 *
 *   npm run bench:click-store                              1,000,000 clicks of 50,000 links in 90 days
 *   CLICKS=10000000 npm run bench:click-store
 *   ENGINE=postgres npm run bench:click-store              in the table of PostgreSQL alone
 *   ENGINE=clickhouse npm run bench:click-store            in ClickHouse, or in its engine as the tests start it
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickQuery } from '../src/clicks/queries/click-query.ts'
import { DAY_US, QUARTER_US } from '../src/runtime/clock.ts'
import { factsOfDays, FIRST_US, LAST_US, LINKS, WORKSPACES } from './rigs/click-facts.ts'
import { atShare, machine, markdownTable } from './rigs/measure.ts'
import { openClickHouse, openEmbedded, openPostgres } from './rigs/measured-clicks.ts'
import { SeededChance } from './rigs/traffic.ts'

const CLICKS = Number(process.env.CLICKS ?? 1_000_000)
const REPEATS = Number(process.env.REPEATS ?? 20)
const ENGINES = { embedded: openEmbedded, postgres: openPostgres, clickhouse: openClickHouse }

/** What reports of several links add up under filters. */
const counts: ClickQuery['counts'] = ['workspace_visitors']
const month = { fromUs: LAST_US - 30 * DAY_US, toUs: LAST_US, workspaceId: 1, counts }
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
      counts: [],
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
const store = await ENGINES[(process.env.ENGINE ?? 'embedded') as keyof typeof ENGINES](folder)
try {
  for (const day of factsOfDays(CLICKS)) await store.writeDay(day)
  console.log(
    `\n${machine()}; ${CLICKS.toLocaleString('en')} clicks on ${LINKS.toLocaleString('en')} links\n`,
  )
  console.log(`${await store.written(CLICKS)}; memory after writing ${store.memory()}\n`)
  const rows: string[][] = []
  for (const [name, query] of QUERIES) rows.push([name, ...(await timesOf(query))])
  console.log(markdownTable(['', 'p50 ms', 'p95 ms', 'CPU ms'], rows))
  console.log(`\nMemory after the queries: ${store.memory()}`)
} finally {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}

async function timesOf(queryFor: (chance: SeededChance) => ClickQuery): Promise<string[]> {
  const chance = new SeededChance(2)
  const times: number[] = []
  const beforeUs = store.cpuUs()
  for (let i = 0; i < REPEATS; i++) {
    const startedMs = performance.now()
    await store.query(queryFor(chance))
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  const cpuMs = (store.cpuUs() - beforeUs) / 1000 / REPEATS
  return [atShare(times, 0.5), atShare(times, 0.95), cpuMs].map((ms) => ms.toFixed(0))
}
