/**
 * Creations over the API, each on the disk before it is acknowledged, with the server on one core and the load on the other;
 * in comparison, what SQLite takes for the least that any design has to do: one row, with and without a commit of its own.
 *
 *   npm run bench:create                             5 rounds of 5 seconds
 *   LINKS=1000000 npm run bench:create               with this many links stored already
 *   BEFORE=../other-checkout npm run bench:create    in turn with another version
 */
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { makeLinks } from './rigs/make-links.ts'
import { machine, markdownTable, median, medianRatio, need } from './rigs/measure.ts'
import { TernServer } from './rigs/tern-server.ts'
import { runWrk, writeCreateScript, type WrkResult } from './rigs/wrk.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 5)
const LINKS = Number(process.env.LINKS ?? 0)
const { BEFORE } = process.env
const PORT = 18_382
const YARDSTICK_ROWS = 2_000
/** `target`: how many times as many links a second as the version before. */
const LOADS = [
  { connections: 1, links: 1, target: 1.7 },
  { connections: 16, links: 1, target: 2.5 },
  { connections: 64, links: 1, target: 2.2 },
  { connections: 8, links: 100, target: 1 },
]

/** `results`: one for each round of each load. */
type Version = { name: string; tern: TernServer; results: WrkResult[][] }

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const versions: Version[] = []
try {
  versions.push(await startVersion('now', PORT))
  if (BEFORE !== undefined) versions.push(await startVersion('before', PORT + 1, BEFORE))
  await runRound() // warm
  for (const version of versions) version.results = LOADS.map(() => [])
  const rows: [alone: number, grouped: number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    rows.push([rowsPerSecond(1), rowsPerSecond(64)])
    await runRound()
  }
  report(rows)
} finally {
  for (const { tern } of versions) await tern.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function startVersion(name: string, port: number, checkout?: string): Promise<Version> {
  const dataDir = join(folder, name)
  const startedBy = [need('taskset', 'util-linux'), '-c', '0']
  const tern = await TernServer.start({ dataDir, port, checkout, startedBy })
  if (LINKS > 0) {
    const store = await openSqliteStore(dataDir, 'same-thread')
    await makeLinks(store, { count: LINKS, ownerOf: () => 1 })
    await store.close()
  }
  return { name, tern, results: LOADS.map(() => []) }
}

/** Every load once, the versions in turn. */
async function runRound(): Promise<void> {
  for (const [i, { connections, links }] of LOADS.entries())
    for (const { name, tern, results } of versions) {
      const script = join(folder, `${name}-${links}.lua`)
      writeCreateScript(script, tern.headers, links === 1 ? undefined : links)
      results[i]!.push(await runWrk({ port: tern.port, seconds: SECONDS, connections, script, core: 1 }))
    }
}

function report(rows: readonly [alone: number, grouped: number][]): void {
  console.log(
    `\n${machine()}; ${ROUNDS} rounds of ${SECONDS} s, ${LINKS.toLocaleString('en')} links before\n`,
  )
  console.log(
    markdownTable(
      ['', 'links a second (median)', 'median ms', 'p99 ms', 'times before'],
      [
        ['SQLite, a bare row a commit', whole(median(rows.map(([alone]) => alone))), '', '', ''],
        ['SQLite, 64 bare rows a commit', whole(median(rows.map(([, grouped]) => grouped))), '', '', ''],
        ...LOADS.flatMap((_, load) => versions.map((version) => figuresOf(version, load))),
      ],
    ),
  )
}

function figuresOf({ name, results }: Version, load: number): string[] {
  const { connections, links, target } = LOADS[load]!
  const perSecond = (rounds: readonly WrkResult[]) => rounds.map((round) => links * round.perSecond)
  const rounds = results[load]!
  const before = versions.find((version) => version.name === 'before')
  const ratio = medianRatio(perSecond(rounds), perSecond(before?.results[load] ?? []))
  const verdict = `${ratio.toFixed(2)} (≥ ${target} ${ratio >= target ? 'met' : 'missed'})`
  return [
    `Tern ${name}, ${links === 1 ? 'POST /api/links' : `POST /api/bulk-shorten, ${links} links`}, ${connections} at a time`,
    whole(median(perSecond(rounds))),
    median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(1),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1),
    before === undefined || name === 'before' ? '' : verdict,
  ]
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}

/** A table with one index, synced to the disk at each commit. */
function rowsPerSecond(rowsPerCommit: number): number {
  const path = join(folder, 'yardstick.db')
  const database = new Database(path, { create: true })
  database.run('PRAGMA journal_mode = WAL')
  database.run('PRAGMA synchronous = FULL')
  database.run('CREATE TABLE IF NOT EXISTS links (id INTEGER PRIMARY KEY, code TEXT UNIQUE, url TEXT)')
  const insert = database.prepare('INSERT INTO links (code, url) VALUES (?, ?)')
  const insertSome = database.transaction(() => {
    for (let i = 0; i < rowsPerCommit; i++)
      insert.run(crypto.randomUUID(), 'https://www.example.com/some/landing/page')
  })
  const startedMs = performance.now()
  for (let row = 0; row < YARDSTICK_ROWS; row += rowsPerCommit) insertSome()
  const seconds = (performance.now() - startedMs) / 1000
  database.close()
  return YARDSTICK_ROWS / seconds
}
