/**
 * Where the time of a counted redirect goes on the redirect thread: each step by itself, how long it takes and what it
 * allocates. `bench/system-calls.ts` shows the rest.
 *
 *   npm run bench:redirect-steps           9 rounds
 *
 * Time is the median of rounds with garbage collection. Bytes are the growth of the JavaScript heap without collection, which
 * leaves out the contents of long strings and buffers.
 */
import { noOtherDomains } from '../test/rigs/redirect/no-other-domains.ts'
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
import { type Clock, systemClock } from '../src/runtime/clock.ts'
import { readRequestHead } from '../src/http/redirect-server/request-head.ts'
import { responseText } from '../src/http/redirect-server/response-sender.ts'
import { readVisit, validHosts } from '../src/http/requests/read-visit.ts'
import { Blocks } from '../src/links/destinations/blocks.ts'
import { LinkCache } from '../src/links/routes/link-cache.ts'
import type { LinkRoute } from '../src/links/routes/link-route.ts'
import { routeOptions } from '../src/links/routes/route-options.ts'
import { newSharedMetrics, openMetrics } from '../src/metrics/metrics.ts'
import type { VisitResponse } from '../src/redirect/visit-response.ts'
import { decideRoute } from '../src/redirect/decide-options.ts'
import { type FactsOrigin, VisitFacts } from '../src/redirect/visit-facts.ts'
import { openLink } from '../src/redirect/open-link.ts'
import { FIVE_RULES } from './rigs/five-rules.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'
import { BROWSER_HEADERS } from './rigs/wrk.ts'
import { defaultKey, type LinkKey } from '../src/links/link-key.ts'

const domains = noOtherDomains('https://s.example.com')
const ROUNDS = Number(process.env.ROUNDS ?? 9)
const TIMES = 50_000
/** Visits answered in one event loop iteration under load, and journaled together. */
const GROUP = 64
const CODES = 1_000
/** How the codes of links with five rules end. */
const WITH_RULES = '-rules'
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
  const headsWithRules = codes.map((code) => headOf(code + WITH_RULES))
  const keys = codes.map(defaultKey)
  const ip = '198.51.100.7'
  const { 'User-Agent': userAgent, Referer: referrer } = BROWSER_HEADERS
  const from = { visitor: 2 ** 50, country: 'DE', userAgent, referrer: referrerHost(referrer) }
  const click = { linkId: 1, workspaceId: 1, clickedAtUs: 0, ...from }
  const buffer = Buffer.alloc(4_096)
  const write = (answer: VisitResponse) => responseText(answer, { date: DATE, closes: false, isHead: false })
  const visitOf = (head: Buffer) => readVisit(readRequestHead(head)!, { domains, ip })!
  const answerTo = async (head: Buffer): Promise<VisitResponse> => openLink(deps, visitOf(head))
  const answer = await answerTo(heads[0]!)
  const plain = routeOf(keys[0]!)
  const ruled = routeOf(defaultKey(codes[0]! + WITH_RULES))
  const visit = visitOf(headsWithRules[0]!)
  const origin = originOf(deps)
  const facts = new VisitFacts(visit, origin)
  return [
    { name: 'read the head', repeat: each((i) => readRequestHead(heads[i % CODES]!)) },
    {
      name: 'check the host, find the code',
      repeat: each(
        (i) =>
          isValidHost('localhost') &&
          readVisit({ ...request, path: `/${codes[i % CODES]}` }, { domains, ip }),
      ),
    },
    { name: 'look up the link', repeat: each((i) => links.get(keys[i % CODES]!)) },
    { name: 'decide about a plain link', repeat: each(() => decideRoute(plain, facts)) },
    {
      name: 'decide about one with five rules',
      repeat: each(() => decideRoute(ruled, new VisitFacts(visit, origin))),
    },
    { name: 'look up the country', repeat: each(() => countries.countryOf(ip)) },
    { name: 'hash the visitor', repeat: each(() => visitors.of(ip, userAgent)) },
    { name: "take the referrer's host", repeat: each(() => referrerHost(referrer)) },
    { name: 'encode the click', repeat: each(() => encodeClick(buffer, 0, click)) },
    { name: 'journal it, 64 at once', repeat: inGroups(() => journal.append({ ...click })) },
    { name: 'write the answer', repeat: each(() => write(answer)) },
    { name: 'all, 64 at once', repeat: inGroups(async (i) => write(await answerTo(heads[i % CODES]!))) },
    {
      name: 'the same with five rules',
      repeat: inGroups(async (i) => write(await answerTo(headsWithRules[i % CODES]!))),
    },
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
    domains,
    openings: { open: async () => undefined, isExhausted: () => false, checkExhausted: async () => false },
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
    options: key.code.endsWith(WITH_RULES) ? routeOptions({ rules: JSON.stringify(FIVE_RULES) }) : undefined,
  }
}

/** Country and visitor are steps of their own. */
function originOf({ clock }: { clock: Pick<Clock, 'nowUs'> }): FactsOrigin {
  return {
    nowUs: () => clock.nowUs(),
    opens: () => true,
    isExhausted: () => false,
    country: () => 'DE',
    visitor: () => 2 ** 50,
  }
}

function headOf(code: string): Buffer {
  const fields = Object.entries({ Host: 'localhost', ...BROWSER_HEADERS })
  return Buffer.from(
    `GET /${code} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
}
