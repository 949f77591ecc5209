/**
 * What a link takes in the memory of the redirect server, by the size of the heap after a collection: rows as the database
 * returns them, kept in the cache of links. Beside it a Map from code to destination, the least that a redirect needs.
 *
 *   npm run bench:link-memory
 */
import { fullGC, heapSize } from 'bun:jsc'
import { Database } from 'bun:sqlite'
import { defaultKey } from '../src/links/link-key.ts'
import { Blocks } from '../src/links/destinations/blocks.ts'
import { LinkCache } from '../src/links/routes/link-cache.ts'
import { type LinkRoute, routeFromRow, type RouteRow } from '../src/links/routes/link-route.ts'
import { newSharedMetrics, openMetrics } from '../src/metrics/metrics.ts'
import { FIVE_RULES } from './rigs/five-rules.ts'
import { machine, markdownTable } from './rigs/measure.ts'

const LINKS = Number(process.env.LINKS ?? 100_000)

const rows = new Database(':memory:').query<RouteRow, [rules: string | null, links: number]>(
  `WITH RECURSIVE numbers(n) AS (SELECT 100000000 UNION ALL SELECT n + 1 FROM numbers LIMIT ?2)
   SELECT 0 AS domain_id, 'c' || n AS code, n AS id, 7 AS workspace_id, 1 AS is_active,
     'https://example.com/some/landing/page/' || n AS destination, ?1 AS rules FROM numbers`,
)

/** `open` returns what keeps a row. */
function bytesPerLink(rules: object[] | null, open: () => (row: RouteRow) => unknown): number {
  const keep = open()
  fullGC()
  const before = heapSize()
  for (const row of rows.iterate(rules && JSON.stringify(rules), LINKS)) keep(row)
  fullGC()
  const bytes = (heapSize() - before) / LINKS
  // Used after the measurement, so that nothing of it is collected before.
  keep(rows.get(null, 1)!)
  return bytes
}

function openMap() {
  const destinations = new Map<string, string>()
  return ({ code, destination }: RouteRow) => destinations.set(code, destination)
}

function openCache() {
  let route: LinkRoute | undefined
  const cache = new LinkCache(
    {
      routes: { get: () => route, forget() {} },
      ownHosts: new Set(),
      blocks: new Blocks(),
      metrics: openMetrics(newSharedMetrics()),
    },
    4 * LINKS,
  )
  return (row: RouteRow) => {
    route = routeFromRow(row)
    return cache.get(defaultKey(row.code))
  }
}

const MEASURES: Record<string, () => number> = {
  'a Map from code to destination': () => bytesPerLink(null, openMap),
  'a plain link in the cache': () => bytesPerLink(null, openCache),
  'a link with five rules in the cache': () => bytesPerLink(FIVE_RULES, openCache),
}

const [asked] = process.argv.slice(2)
if (asked === undefined) {
  // Each in a process of its own: the collector may find what was measured before on the stack.
  const cells = Object.keys(MEASURES).map((what) => {
    const { stdout } = Bun.spawnSync([process.execPath, import.meta.path, what], { stderr: 'inherit' })
    return [what, stdout.toString().trim()]
  })
  console.log(`\n${machine()}; ${LINKS.toLocaleString('en')} links\n`)
  console.log(markdownTable(['', 'bytes per link'], cells))
} else {
  console.log(MEASURES[asked]!().toFixed(0))
}
