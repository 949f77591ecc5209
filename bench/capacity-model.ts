/**
 * What 1, 10 and 100 nodes carry, and where one PostgreSQL is full: hit rates of the link cache for Zipf-distributed
 * traffic over billions of links by a formula that is compared with the real cache here, and the processor times that
 * `npm run bench:scale-out` has measured. Nothing of it has been run at this size.
 *
 *   npm run bench:capacity
 */
import {
  bothCarry,
  type Costs,
  nodesCarry,
  postgresLoad,
  type Server,
  type Traffic,
} from './capacity/capacity.ts'
import { cacheMemory } from './capacity/cache-memory.ts'
import { leastRecentHitRate, twoGenerationsHitRate } from './capacity/hit-rate.ts'
import { machine, markdownTable } from './rigs/measure.ts'
import { realCacheHits } from './capacity/real-cache.ts'
import { zipfShares } from './rigs/zipf.ts'

const REQUESTS = Number(process.env.REQUESTS ?? 2_000_000)
const EXPONENTS = [0.8, 1, 1.2]
const LINKS = [1e9, 1e10, 1e11]
const CACHES = [1e5, 1e6, 1e7]
const NODES = [1, 10, 100]
/** Small enough to be run. */
const COMPARED = { links: 1e7, entriesMax: 1e5 }
/** In the middle of all of these. */
const USUAL = { links: 1e10, exponent: 1, entries: 1e6 }
/** A link is clicked a hundred times, as in the bench of size. */
const CREATIONS = 0.01
/** As it is where PostgreSQL keeps up; and where it is nearly full, so that clicks wait and are counted together. */
const COUNT_EVERY_SECONDS = [0.25, 5]
/** What is written to the log has to reach the disk, the archive and the standbys. */
const SERVERS: Server[] = [16, 64].map((cores) => ({ cores, walBytesPerSecond: 500e6 }))

/** As in docs/performance.md, "Several processes on one PostgreSQL". */
const COSTS: Costs = {
  redirect: 34.4,
  // What a look-up takes more than an uncounted redirect of a known link.
  lookUp: 37.7 - 17.1,
  click: 27.5,
  postgres: {
    // 23.7, 9.8 and 5.3 links a question took 12.6, 18.3 and 27.9 each.
    question: 104,
    code: 8,
    clicks: [
      { batch: 100, each: 147.2 },
      { batch: 1_000, each: 82 },
      { batch: 10_000, each: 60.5 },
    ],
    creation: 1_686,
    process: 1_500,
  },
  walBytes: { click: 987, creation: 2_568 },
}

console.log(`\n${machine()}\n`)
titled('The formula beside the real cache', comparedTable())
titled('Hits in % of all redirects', hitTable())
titled('The same when each node sees every link, and when each link has its node', balancedTable())
titled('What a full cache takes', await memoryTable())
for (const entries of CACHES)
  titled(`What nodes carry, ${short(entries)} links in memory`, carryTable(entries))
titled('Redirects a second with 100 nodes and 64 cores, counted every 5 s', limitTable())

function titled(title: string, table: string): void {
  console.log(`${title}\n\n${table}\n`)
}

function comparedTable(): string {
  const { links, entriesMax } = COMPARED
  const rows = EXPONENTS.map((exponent) => {
    const shares = zipfShares(links, exponent)
    const real = realCacheHits({ ...COMPARED, exponent, requests: REQUESTS })
    const formula = twoGenerationsHitRate(shares, entriesMax).hits
    const leastRecent = leastRecentHitRate(shares, entriesMax).hits
    const difference = `${(100 * (formula - real)).toFixed(2)} points`
    return [String(exponent), percent(real, 2), percent(formula, 2), difference, percent(leastRecent, 2)]
  })
  return markdownTable(
    ['exponent', 'the real cache', 'the formula', 'difference', 'least recently used, by formula'],
    rows,
  )
}

function hitTable(): string {
  const rows = LINKS.flatMap((links) =>
    EXPONENTS.map((exponent) => {
      const shares = zipfShares(links, exponent)
      const rates = CACHES.map((entries) => twoGenerationsHitRate(shares, entries))
      return [
        short(links),
        String(exponent),
        ...rates.map(({ hits }) => percent(hits, 1)),
        ...rates.map(({ requestsToFill }) => short(requestsToFill)),
      ]
    }),
  )
  const sizes = CACHES.map(short)
  const head = [...sizes.map((size) => `${size} entries`), ...sizes.map((size) => `requests to fill ${size}`)]
  return markdownTable(['links', 'exponent', ...head], rows)
}

function balancedTable(): string {
  const shares = zipfShares(USUAL.links, USUAL.exponent)
  const rows = CACHES.map((entries) => [
    short(entries),
    ...NODES.map((nodes) => percent(twoGenerationsHitRate(shares, nodes * entries).hits, 1)),
  ])
  return markdownTable(['entries a node', ...NODES.map((nodes) => `${nodes} nodes`)], rows)
}

async function memoryTable(): Promise<string> {
  const rows: string[][] = []
  for (const entries of CACHES) {
    const { bytesEach, collectionMs, listMs } = await cacheMemory(entries)
    rows.push([
      short(entries),
      whole(bytesEach),
      whole((entries * bytesEach) / 1e6),
      whole(collectionMs),
      whole(listMs),
    ])
  }
  return markdownTable(['entries', 'bytes each', 'MB', 'ms to collect the heap', 'ms to list all'], rows)
}

function carryTable(entries: number): string {
  const { hits } = twoGenerationsHitRate(zipfShares(USUAL.links, USUAL.exponent), entries)
  const rows = NODES.map((nodes) => {
    const traffic = { nodes, hits, creations: CREATIONS, countEverySeconds: COUNT_EVERY_SECONDS[0]! }
    const perSecond = nodesCarry(COSTS, traffic)
    const load = postgresLoad(COSTS, { ...traffic, perSecond })
    const { lookUps, counting, creations, all } = load.cores
    return [
      String(nodes),
      whole(perSecond),
      whole(load.lookUpsPerSecond),
      whole(load.creationsPerSecond),
      whole(load.transactionsPerSecond),
      ...[lookUps, counting, creations, all].map((cores) => cores.toFixed(1)),
      whole(load.walBytesPerSecond / 1e6),
      ...SERVERS.flatMap((server) =>
        COUNT_EVERY_SECONDS.map((countEverySeconds) => carried({ ...traffic, countEverySeconds }, server)),
      ),
    ]
  })
  return markdownTable(
    [
      'nodes',
      'redirects a second',
      'look-ups',
      'creations',
      'batches',
      'cores for look-ups',
      'for counting',
      'for creations',
      'of PostgreSQL',
      'WAL MB/s',
      ...SERVERS.flatMap(({ cores }) =>
        COUNT_EVERY_SECONDS.map((seconds) => `with ${cores} cores, counted every ${seconds} s`),
      ),
    ],
    rows,
  )
}

function limitTable(): string {
  const traffic = { nodes: 100, creations: CREATIONS, countEverySeconds: COUNT_EVERY_SECONDS.at(-1)! }
  const rows = EXPONENTS.map((exponent) => {
    const shares = zipfShares(USUAL.links, exponent)
    const of = (entries: number) => twoGenerationsHitRate(shares, entries).hits
    return [
      String(exponent),
      ...CACHES.map((entries) => carried({ ...traffic, hits: of(entries) }, SERVERS.at(-1)!)),
    ]
  })
  return markdownTable(['exponent', ...CACHES.map((entries) => `${short(entries)} entries`)], rows)
}

function carried(traffic: Omit<Traffic, 'perSecond'>, server: Server): string {
  return whole(bothCarry(COSTS, traffic, server))
}

function percent(part: number, digits: number): string {
  return (100 * part).toFixed(digits)
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}

/** Powers of ten as such, everything else with two digits. */
function short(number: number): string {
  const power = Math.floor(Math.log10(number) + 1e-9)
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
  const text = `10${[...String(power)].map((digit) => digits[Number(digit)]).join('')}`
  const factor = number / 10 ** power
  return Math.abs(factor - 1) < 0.005 ? text : `${factor.toFixed(1)} · ${text}`
}
