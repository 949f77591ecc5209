/**
 * Where the time of a counted redirect goes on the redirect thread: each step by itself, how long it takes and what it
 * allocates. `bench/system-calls.ts` shows the rest.
 *
 *   npm run bench:redirect-steps           9 rounds
 *
 * Time is the median of rounds with garbage collection. Bytes are the growth of the JavaScript heap without collection, which
 * leaves out the contents of long strings and buffers.
 */
import { heapStats } from 'bun:jsc'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeClick } from '../src/clicks/journal/click.ts'
import { openCountryLookup } from '../src/clicks/visitor/country.ts'
import { realFiles } from '../src/clicks/journal/files.ts'
import { openJournal } from '../src/clicks/journal/open-journal.ts'
import { referrerHost } from '../src/clicks/visitor/referrer-host.ts'
import { VisitorHash } from '../src/clicks/visitor/visitor-hash.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { readRequestHead } from '../src/http/redirect-server/request-head.ts'
import { responseText } from '../src/http/redirect-server/response-sender.ts'
import { readVisit, validHosts } from '../src/http/requests/read-visit.ts'
import { Blocks } from '../src/links/destinations/blocks.ts'
import { LinkCache } from '../src/links/routes/link-cache.ts'
import type { LinkRoute } from '../src/links/routes/link-route.ts'
import { newSharedMetrics, openMetrics } from '../src/metrics/metrics.ts'
import type { VisitResponse } from '../src/redirect/visit-response.ts'
import { openLink } from '../src/redirect/open-link.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'
import { BROWSER_HEADERS } from './rigs/wrk.ts'
import { defaultKey, type LinkKey } from '../src/links/link-key.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const TIMES = 50_000
/** Visits answered in one event loop iteration under load, and journaled together. */
const GROUP = 64
const CODES = 1_000
/** Set in the process that measures allocation, with garbage collection off. */
const ALLOCATING = 'BENCH_ALLOCATING'
const NO_COLLECTOR = { BUN_JSC_useGC: '0', [ALLOCATING]: '1' }
const DATE = new Date(0).toUTCString()

/** Runs the step this many times and waits for it. */
type Step = { name: string; repeat(times: number): unknown }

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
try {
  const steps = await stepsOf(folder)
  if (process.env[ALLOCATING] === undefined) await report(steps)
  else console.log(JSON.stringify(await allocatedBytes(steps)))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function report(steps: readonly Step[]): Promise<void> {
  const times = new Map(steps.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, repeat } of steps) times.get(name)!.push(await nanosecondsOf(repeat))
  }
  const bytes = bytesElsewhere()
  const rows = steps.map(({ name }) => [
    name,
    (median(times.get(name)!) / 1000).toFixed(2),
    Math.round(bytes[name]!).toLocaleString('en'),
  ])
  console.log(`\n${machine()}; median of ${ROUNDS} rounds of ${TIMES.toLocaleString('en')}\n`)
  console.log(markdownTable(['step', 'µs', 'bytes allocated'], rows))
}

async function nanosecondsOf(repeat: Step['repeat']): Promise<number> {
  const startedAt = Bun.nanoseconds()
  await repeat(TIMES)
  return (Bun.nanoseconds() - startedAt) / TIMES
}

/** Measured in its own process, without garbage collection. */
function bytesElsewhere(): Record<string, number> {
  const { stdout } = Bun.spawnSync([process.execPath, import.meta.path], {
    env: { ...process.env, ...NO_COLLECTOR },
    stderr: 'inherit',
  })
  return JSON.parse(stdout.toString())
}

async function allocatedBytes(steps: readonly Step[]): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {}
  for (const { name, repeat } of steps) {
    await repeat(TIMES)
    const before = heapStats().heapCapacity
    await repeat(TIMES)
    bytes[name] = (heapStats().heapCapacity - before) / TIMES
  }
  return bytes
}

function each(run: (i: number) => unknown): Step['repeat'] {
  return (times) => {
    for (let i = 0; i < times; i++) run(i)
  }
}

function inGroups(run: (i: number) => Promise<unknown>): Step['repeat'] {
  return async (times) => {
    for (let i = 0; i < times; i += GROUP)
      await Promise.all(Array.from({ length: GROUP }, (_, j) => run(i + j)))
  }
}

async function stepsOf(dataDir: string): Promise<Step[]> {
  const deps = await openLinkDeps(dataDir)
  const { links, visitors, countries, journal } = deps
  const isValidHost = validHosts()
  const request = { method: 'GET', host: 'localhost', header: () => null }
  const codes = Array.from({ length: CODES }, (_, i) => `bench-${i}`)
  const heads = codes.map(headOf)
  const keys = codes.map(defaultKey)
  const ip = '198.51.100.7'
  const { 'User-Agent': userAgent, Referer: referrer } = BROWSER_HEADERS
  const origin = { visitor: 2 ** 50, country: 'DE', userAgent, referrer: referrerHost(referrer) }
  const click = { linkId: 1, workspaceId: 1, clickedAtUs: 0, ...origin }
  const buffer = Buffer.alloc(4_096)
  const write = (answer: VisitResponse) => responseText(answer, { date: DATE, closes: false, isHead: false })
  const answerTo = async (i: number): Promise<VisitResponse> => {
    return openLink(deps, readVisit(readRequestHead(heads[i % CODES]!)!, ip)!)
  }
  const answer = await answerTo(0)
  return [
    { name: 'read the head', repeat: each((i) => readRequestHead(heads[i % CODES]!)) },
    {
      name: 'check the host, find the code',
      repeat: each(
        (i) => isValidHost('localhost') && readVisit({ ...request, path: `/${codes[i % CODES]}` }, ip),
      ),
    },
    { name: 'look up the link', repeat: each((i) => links.get(keys[i % CODES]!)) },
    { name: 'look up the country', repeat: each(() => countries.countryOf(ip)) },
    { name: 'hash the visitor', repeat: each(() => visitors.of(ip, userAgent)) },
    { name: "take the referrer's host", repeat: each(() => referrerHost(referrer)) },
    { name: 'encode the click', repeat: each(() => encodeClick(buffer, 0, click)) },
    { name: 'journal it, 64 at once', repeat: inGroups(() => journal.append({ ...click })) },
    { name: 'write the answer', repeat: each(() => write(answer)) },
    { name: 'all, 64 at once', repeat: inGroups(async (i) => write(await answerTo(i))) },
  ]
}

async function openLinkDeps(dataDir: string) {
  const routes = { get: routeOf, forget() {} }
  const metrics = openMetrics(newSharedMetrics())
  return {
    links: new LinkCache({ routes, ownHosts: new Set(), blocks: new Blocks(), metrics }, 10 * CODES),
    visitors: new VisitorHash(),
    countries: openCountryLookup(),
    clock: systemClock,
    baseUrl: 'https://s.example.com',
    openings: { open: async () => undefined },
    misses: { count: () => ({ isAllowed: true, retryAfterSeconds: 0 }) },
    journal: await openJournal(
      { files: realFiles, clock: systemClock },
      { dataDir, node: 'bench', boot: 'bench', sync: 'os', segmentBytesMax: 2 ** 30, onProgress() {} },
    ),
  }
}

function routeOf(key: LinkKey): LinkRoute {
  const destination = `https://example.com/some/landing/page/${key.code}`
  return {
    ...key,
    linkId: 1,
    workspaceId: 1,
    destination,
    isActive: true,
    blockedBy: undefined,
    options: undefined,
  }
}

function headOf(code: string): Buffer {
  const fields = Object.entries({ Host: 'localhost', ...BROWSER_HEADERS })
  return Buffer.from(
    `GET /${code} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
}
