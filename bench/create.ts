/**
 * Creations over the API, each on the disk before it is acknowledged, from 64 connections; beside it what SQLite takes
 * for the least that any design has to do: one row, with and without a commit of its own.
 *
 *   npm run bench:create                    5 rounds of 5 seconds
 *   LINKS=1000000 npm run bench:create      with this many links stored already
 */
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { makeLinks } from './rigs/make-links.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'
import { TernServer } from './rigs/tern-server.ts'
import { runWrk, writeCreateScript, type WrkResult } from './rigs/wrk.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 5)
const LINKS = Number(process.env.LINKS ?? 0)
const CONNECTIONS = 64
const PORT = 18_382
/** Links a second. */
const TARGET = 5_000
const YARDSTICK_ROWS = 2_000
const BULK_LINKS = 100

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const dataDir = join(folder, 'data')
const tern = await TernServer.start({ dataDir, port: PORT })
try {
  const store = await openSqliteStore(dataDir, 'same-thread')
  await makeLinks(store, { count: LINKS, ownerOf: () => 1 })
  await store.close()
  const one = loadOf(1)
  const hundred = loadOf(BULK_LINKS)
  for (const load of [one, hundred]) await load() // warm
  const rounds = {
    alone: [] as number[],
    grouped: [] as number[],
    one: [] as WrkResult[],
    hundred: [] as WrkResult[],
  }
  for (let round = 0; round < ROUNDS; round++) {
    rounds.alone.push(rowsPerSecond(1))
    rounds.grouped.push(rowsPerSecond(CONNECTIONS))
    rounds.one.push(await one())
    rounds.hundred.push(await hundred())
  }
  console.log(
    `\n${machine()}; ${ROUNDS} rounds of ${SECONDS} s, ${LINKS.toLocaleString('en')} links before\n`,
  )
  console.log(
    markdownTable(
      ['', 'links a second (median)', 'median ms', 'p99 ms', 'target'],
      [
        ['SQLite, a bare row a commit', whole(median(rounds.alone)), '', '', ''],
        [`SQLite, ${CONNECTIONS} bare rows a commit`, whole(median(rounds.grouped)), '', '', ''],
        ['Tern, POST /api/links', ...figuresOf(rounds.one, 1)],
        [`Tern, POST /api/bulk-shorten, ${BULK_LINKS} links`, ...figuresOf(rounds.hundred, BULK_LINKS)],
      ],
    ),
  )
} finally {
  await tern.stop()
  rmSync(folder, { recursive: true, force: true })
}

function loadOf(linksPerRequest: number): () => Promise<WrkResult> {
  const script = join(folder, `creations-${linksPerRequest}.lua`)
  writeCreateScript(script, tern.headers, linksPerRequest === 1 ? undefined : linksPerRequest)
  return () => runWrk({ port: PORT, seconds: SECONDS, connections: CONNECTIONS, script })
}

function figuresOf(results: readonly WrkResult[], linksPerRequest: number): string[] {
  const perSecond = linksPerRequest * median(results.map(({ perSecond }) => perSecond))
  return [
    whole(perSecond),
    median(results.map(({ p50Ms }) => p50Ms)).toFixed(1),
    median(results.map(({ p99Ms }) => p99Ms)).toFixed(1),
    `≥ ${whole(TARGET)} ${perSecond >= TARGET ? 'met' : 'missed'}`,
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
