/**
 * Whether anything else that Tern does stands in a visitor's way: the latency of redirects alone, and with bulk
 * creations, analytics over millions of clicks, a copy of the database being made, and the counting of the clicks
 * themselves beside it, one by one and together.
 *
 * Redirects come at a fixed pace, far below what the server can answer, and each is timed from the moment at which it
 * was due (open loop): a load that waits for answers would leave out the very moments that this is about. Nothing is
 * pinned. On a machine of few cores the load, its timing and the server share them, alone as well as together, so the
 * ratio counts, not the milliseconds; with all of Tern on one core it would be the operating system's scheduler that
 * is measured, not whether its threads wait for each other.
 *
 *   npm run bench:isolation                     5 rounds of 5 seconds, 10,000,000 clicks
 *   ROUNDS=3 SECONDS=2 CLICKS=100000 LINKS=10000 npm run bench:isolation
 */
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/runtime/clock.ts'
import { openSqliteStore, storePath } from '../src/store/sqlite/open-sqlite-store.ts'
import { makeLargeStore } from './rigs/large-store.ts'
import { makeClicks } from './rigs/make-clicks.ts'
import { codeOfLink } from './rigs/make-links.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'
import { type PacedResult, runPaced } from './rigs/paced-load.ts'
import { TernServer } from './rigs/tern-server.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 5)
const LINKS = Number(process.env.LINKS ?? 1_000_000)
const CLICKS = Number(process.env.CLICKS ?? 10_000_000)
const PER_SECOND = Number(process.env.PER_SECOND ?? 1_000)
const PORT = 18_385
/** Of the 99th percentile alone. */
const TARGET_RATIO = 2
const LINKS_PER_BULK = 100

/** Runs until it is stopped; returns the number of rounds. */
type Work = (isOver: () => boolean) => Promise<number>

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const dataDir = join(folder, 'data')
await makeLargeStore(dataDir, LINKS)
const store = await openSqliteStore(dataDir, 'same-thread')
const period = { nowUs: systemClock.nowUs(), days: 90, rawDays: 30 }
await makeClicks(store, { clicks: CLICKS, links: LINKS, workspaceId: 1, ...period })
await store.close()
const tern = await TernServer.start({ dataDir, port: PORT })
try {
  const works: Record<string, Work[]> = {
    'redirects alone': [],
    'and bulk creations': [createLinks],
    'and analytics': [askAnalytics],
    'and a copy of the database': [copyDatabase],
    'and all of these': [createLinks, askAnalytics, copyDatabase],
  }
  await underLoad([]) // warm
  const rounds = new Map(Object.keys(works).map((name) => [name, [] as Round[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, list] of Object.entries(works)) rounds.get(name)!.push(await underLoad(list))
  }
  report(rounds)
} finally {
  await tern.stop()
  rmSync(folder, { recursive: true, force: true })
}

type Round = PacedResult & { done: number[] }

async function underLoad(works: readonly Work[]): Promise<Round> {
  let isOver = false
  const running = works.map((work) => work(() => isOver))
  const codes = Array.from({ length: 1_000 }, (_, i) => codeOfLink(1 + ((i * 977) % LINKS)))
  const result = await runPaced({ port: PORT, seconds: SECONDS, perSecond: PER_SECOND, codes })
  isOver = true
  const done = await Promise.all(running)
  await tern.hasCountedAll()
  return { ...result, done }
}

async function createLinks(isOver: () => boolean): Promise<number> {
  let bulks = 0
  const original_url = 'https://www.example.com/some/landing/page'
  for (; !isOver(); bulks++)
    await tern.createLinks(Array.from({ length: LINKS_PER_BULK }, () => ({ original_url })))
  return bulks
}

async function askAnalytics(isOver: () => boolean): Promise<number> {
  const paths = [
    'clicks?period=all&granularity=day',
    'countries?period=all',
    'browsers?period=all',
    'overview',
  ]
  let reports = 0
  for (; !isOver(); reports++) {
    const answer = await fetch(`${tern.url}/api/analytics/${paths[reports % paths.length]}`, {
      headers: tern.headers,
    })
    if (!answer.ok) throw new Error(await answer.text())
    await answer.arrayBuffer()
  }
  return reports
}

/** Like a backup: beside the server, in its own process. */
async function copyDatabase(isOver: () => boolean): Promise<number> {
  const script = `
    const { Database } = require('bun:sqlite')
    const database = new Database(${JSON.stringify(storePath(dataDir))}, { readonly: true })
    database.run("VACUUM INTO '${join(folder, 'copy.db')}'")`
  let copies = 0
  while (!isOver()) {
    const copy = Bun.spawn([Bun.argv[0]!, '-e', script], { stderr: 'inherit' })
    while (copy.exitCode === null && !isOver()) await Bun.sleep(20)
    if (copy.exitCode === null) copy.kill()
    else if (copy.exitCode === 0) copies++
    await copy.exited
    rmSync(join(folder, 'copy.db'), { force: true })
  }
  return copies
}

function report(rounds: ReadonlyMap<string, readonly Round[]>): void {
  const alone = rounds.get('redirects alone')!
  console.log(
    `\n${machine()}; ${ROUNDS} rounds of ${SECONDS} s, ${PER_SECOND} redirects a second, ${LINKS.toLocaleString('en')} links, ${clicksStored().toLocaleString('en')} clicks stored\n`,
  )
  const row = ([name, results]: [string, readonly Round[]]) => {
    // Pair by pair, so that the machine's drift from round to round falls out.
    const ratio = median(results.map(({ p99Ms }, round) => p99Ms / alone[round]!.p99Ms))
    const ms = (part: 'p50Ms' | 'p99Ms') => median(results.map((result) => result[part])).toFixed(2)
    const check = `≤ ${TARGET_RATIO} × ${ratio <= TARGET_RATIO ? 'met' : 'missed'}`
    const done = results[0]!.done.map((_, work) => median(results.map((result) => result.done[work]!)))
    return [
      name,
      ms('p50Ms'),
      ms('p99Ms'),
      `${ratio.toFixed(2)} ×`,
      results === alone ? '' : check,
      done.join(', '),
    ]
  }
  console.log(
    markdownTable(
      ['', 'median ms', 'p99 ms', 'p99 against alone', 'target', 'done in a round'],
      [...rounds].map(row),
    ),
  )
}

function clicksStored(): number {
  const database = new Database(storePath(dataDir), { readonly: true })
  const { clicks } = database.query('SELECT sum(clicks) AS clicks FROM workspace_totals').get() as {
    clicks: number
  }
  database.close()
  return clicks
}
