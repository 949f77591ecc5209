/**
 * How fast one core counts clicks from the journal. The yardstick is the least that SQLite needs in any design: one prepared
 * INSERT per click into a table with one index, 5,000 in a transaction.
 *
 *   npm run bench:ingest                    1,000,000 clicks on 50,000 links
 *   CLICKS=200000 LINKS=1000 npm run bench:ingest
 */
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Click } from '../src/clicks/journal/click.ts'
import { realFiles } from '../src/clicks/journal/files.ts'
import { JournalReader } from '../src/clicks/ingest/journal-reader.ts'
import { journalFolder, openJournal } from '../src/clicks/journal/open-journal.ts'
import { readUserAgent } from '../src/clicks/visitor/read-user-agent.ts'
import { manualClock } from '../src/runtime/clock.ts'
import { jsonLog } from '../src/runtime/log.ts'
import { newSharedMetrics, openMetrics } from '../src/metrics/metrics.ts'
import { openSqliteStore, storePath } from '../src/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../src/store/open-store.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'
import { aVisit, SeededChance } from './rigs/traffic.ts'

const CLICKS = Number(process.env.CLICKS ?? 1_000_000)
const LINKS = Number(process.env.LINKS ?? 50_000)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const CLICKS_PER_SECOND = 10_000
const CLICKS_PER_GROUP = 64
const BATCH_CLICKS = 5_000
const START_US = Date.UTC(2026, 3, 20, 12) * 1000

type Cost = { cpuUs: number; wallUs: number; bytes: number }

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
try {
  const rounds: { tern: Cost; sqlite: Cost }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ tern: await ternRound(round), sqlite: sqliteRound(round) })
  }
  console.log(
    `\n${machine()}; ${ROUNDS} rounds, ${CLICKS.toLocaleString('en')} clicks on ${LINKS.toLocaleString('en')} links\n`,
  )
  const row = (label: string, who: 'tern' | 'sqlite') => {
    const perClick = (part: keyof Cost) => median(rounds.map((costs) => costs[who][part])) / CLICKS
    const ratio = median(rounds.map(({ tern, sqlite }) => (who === 'tern' ? tern.cpuUs / sqlite.cpuUs : 1)))
    return [
      label,
      perClick('cpuUs').toFixed(1),
      `${ratio.toFixed(2)} ×`,
      Math.round(1e6 / perClick('wallUs')).toLocaleString('en'),
      perClick('bytes').toFixed(0),
    ]
  }
  console.log(
    markdownTable(
      ['', 'CPU µs a click', 'against one INSERT', 'clicks a second', 'bytes a click on the disk'],
      [
        row('SQLite, one INSERT a click', 'sqlite'),
        row('Tern, clicks in every dimension and counters', 'tern'),
      ],
    ),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function ternRound(round: number): Promise<Cost> {
  const dataDir = join(folder, `tern-${round}`)
  await realFiles.makeFolder(dataDir)
  await journalClicks(dataDir)
  const store = await openSqliteStore(dataDir, 'same-thread')
  const cost = await measured(() => count(store, dataDir))
  const { clicks } = await store.db
    .selectFrom('workspace_totals')
    .select((eb) => eb.fn.sum<number>(eb('clicks', '+', eb.ref('bots'))).as('clicks'))
    .executeTakeFirstOrThrow()
  if (clicks !== CLICKS) throw new Error(`${CLICKS} journaled, ${clicks} counted.`)
  await store.close()
  return { ...cost, bytes: statSync(storePath(dataDir)).size }
}

async function count(store: Store, dataDir: string): Promise<void> {
  const clock = manualClock(START_US)
  const log = jsonLog('error', 'bench')
  const reader = new JournalReader(
    { store, clock, log, metrics: openMetrics(newSharedMetrics()), files: realFiles, readUserAgent },
    { folder: journalFolder(dataDir), boot: '', retentionUs: 0, hasExactTimes: true },
  )
  await reader.findSegments()
  while (await reader.countSome());
}

async function journalClicks(dataDir: string): Promise<void> {
  const clock = manualClock(START_US)
  const journal = await openJournal(
    { files: realFiles, clock },
    {
      dataDir,
      node: 'bench',
      boot: '0193b1c0-0000-7000-8000-0000000000b0',
      sync: 'os',
      segmentBytesMax: 16 * 1024 * 1024,
      onProgress() {},
    },
  )
  for (const clicks of groups()) {
    await Promise.all(clicks.map((click) => journal.append(click)))
    clock.advance((clicks.length * 1_000_000) / CLICKS_PER_SECOND)
  }
  await journal.close()
}

function* groups(): Generator<Click[]> {
  const chance = new SeededChance(1)
  for (let made = 0; made < CLICKS; made += CLICKS_PER_GROUP) {
    const size = Math.min(CLICKS_PER_GROUP, CLICKS - made)
    yield Array.from({ length: size }, () => aVisit(chance, LINKS))
  }
}

function sqliteRound(round: number): Cost {
  const path = join(folder, `sqlite-${round}.db`)
  const database = new Database(path, { create: true })
  database.run('PRAGMA journal_mode = WAL')
  database.run('PRAGMA synchronous = NORMAL')
  database.run(
    'CREATE TABLE clicks (id INTEGER PRIMARY KEY, link INTEGER, at INTEGER, country TEXT, browser TEXT, referrer TEXT)',
  )
  database.run('CREATE INDEX clicks_by_link ON clicks (link, at)')
  const insert = database.prepare(
    'INSERT INTO clicks (link, at, country, browser, referrer) VALUES (?, ?, ?, ?, ?)',
  )
  const rows = [...groups()].flat()
  const insertBatch = database.transaction((batch: Click[]) => {
    for (const { linkId, country, referrer } of batch)
      insert.run(linkId, START_US, country, 'Chrome', referrer)
  })
  const startedUs = process.cpuUsage()
  const startedMs = performance.now()
  for (let from = 0; from < rows.length; from += BATCH_CLICKS)
    insertBatch(rows.slice(from, from + BATCH_CLICKS))
  const cost = costSince(startedUs, startedMs)
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return { ...cost, bytes: statSync(path).size }
}

async function measured(work: () => Promise<void>): Promise<Omit<Cost, 'bytes'>> {
  const startedUs = process.cpuUsage()
  const startedMs = performance.now()
  await work()
  return costSince(startedUs, startedMs)
}

function costSince(startedUs: NodeJS.CpuUsage, startedMs: number): Cost {
  const { user, system } = process.cpuUsage(startedUs)
  return { cpuUs: user + system, wallUs: (performance.now() - startedMs) * 1000, bytes: 0 }
}
