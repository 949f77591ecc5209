/**
 * `npm run bench:size` with PostgreSQL: the same links, clicks and questions, filled by COPY into a server that is
 * started for it.
 *
 *   npm run bench:size-postgres                  10,000,000 links and 100,000,000 clicks: 35 GB of the disk
 *   LINKS=100000 CLICKS=1000000 npm run bench:size-postgres
 *   DATABASE_URL=postgres://… npm run bench:size-postgres    in a database of yours, which is filled if it has no links
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { systemClock } from '../src/runtime/clock.ts'
import { findPostgres, PostgresServer } from '../test/rigs/store/postgres-server.ts'
import {
  atShare,
  aWord,
  linkPath,
  type DashboardQuery,
  DASHBOARD_QUERIES,
  timesOf,
} from './rigs/dashboard-queries.ts'
import { type Filling, fillPostgres } from './rigs/fill-postgres.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'
import { TernServer } from './rigs/tern-server.ts'

const LINKS = Number(process.env.LINKS ?? 10_000_000)
const CLICKS = Number(process.env.CLICKS ?? 100_000_000)
const DAYS = 90
const RAW_DAYS = 30
const REPEATS = Number(process.env.REPEATS ?? 60)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const PORT = 18_385
const TARGET_MS = 50
const ACCOUNT = 1
/** Of docs/operations.md, for a machine of 24 GB. */
const SETTINGS = {
  shared_buffers: '6GB',
  effective_cache_size: '18GB',
  max_connections: 50,
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  autovacuum_vacuum_cost_limit: 2000,
}
/** It waits for no disk while it is filled, and is vacuumed once, at the end. */
const OFF_WHILE_FILLED = ['fsync', 'full_page_writes', 'autovacuum']

const ALL_QUESTIONS: DashboardQuery[] = [
  ...DASHBOARD_QUERIES,
  {
    name: 'search, part of an address',
    path: (chance) => `/api/links?search=/${aWord(chance)}-${aWord(chance)}/`,
  },
  { name: 'search, in no link', path: () => '/api/links?search=zzzz' },
  {
    name: 'all of the 1,000 most clicked, 30 days',
    path: (chance) => linkPath(1 + Math.floor(chance.next() * 1_000)),
  },
]

if (findPostgres() === undefined) throw new Error("This bench needs PostgreSQL: Debian's package postgresql.")
const given = process.env.DATABASE_URL
const server = given === undefined ? await PostgresServer.start({ settings: SETTINGS }) : undefined
const url = given ?? (await server!.makeDatabase())
const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const sql = new SQL(url, { max: 1 })
try {
  const tern = { dataDir: join(folder, 'node'), port: PORT, environment: { DATABASE_URL: url } }
  // Makes the tables and the account.
  await (await TernServer.start(tern)).stop()
  await fillOnce()
  await ask(await TernServer.start(tern))
  console.log(`\n${markdownTable(['on the disk', 'rows', 'MB', 'of it indexes, MB'], await sizes())}`)
} finally {
  await sql.close()
  await server?.remove()
  rmSync(folder, { recursive: true, force: true })
}

async function fillOnce(): Promise<void> {
  const [links] = await sql`SELECT FROM links LIMIT 1`
  if (links !== undefined) return
  const made = { clicks: CLICKS, links: LINKS, workspaceId: ACCOUNT, nowUs: systemClock.nowUs() }
  const filling: Filling = { url, sql, made: { ...made, days: DAYS, rawDays: RAW_DAYS } }
  const startedMs = performance.now()
  if (server !== undefined) await tell('off')
  const clicks = await fillPostgres(filling)
  if (server !== undefined) await tell('on')
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
  console.log(`${whole(LINKS)} links and ${whole(clicks)} clicks made in ${minutes} minutes.`)
}

async function tell(how: 'on' | 'off'): Promise<void> {
  for (const setting of OFF_WHILE_FILLED) await sql.unsafe(`ALTER SYSTEM SET ${setting} = ${how}`)
  await sql`SELECT pg_reload_conf()`
}

async function ask(tern: TernServer): Promise<void> {
  try {
    const [{ clicks }] = await sql`SELECT sum(clicks) AS clicks FROM link_hours`
    if ((await tern.clicks()) !== Number(clicks)) throw new Error('The overview has other clicks.')
    const rounds: number[][][] = []
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const ofRound: number[][] = []
      for (const question of ALL_QUESTIONS)
        ofRound.push(await timesOf(tern, question, { links: LINKS, repeats: REPEATS, seed }))
      rounds.push(ofRound)
    }
    const asked = `up to ${REPEATS} answers in ms, one after the other, median of ${ROUNDS} rounds`
    console.log(`\n${machine()}; ${whole(LINKS)} links, ${whole(Number(clicks))} clicks; ${asked}\n`)
    const rows = ALL_QUESTIONS.map(({ name }, i) => {
      const at = (share: number) => median(rounds.map((times) => atShare(times[i]!, share)))
      const check = `≤ ${TARGET_MS} ${at(0.95) <= TARGET_MS ? 'met' : 'missed'}`
      return [name, at(0.5).toFixed(1), at(0.95).toFixed(1), check]
    })
    console.log(markdownTable(['', 'median', 'p95', 'target'], rows))
  } finally {
    await tern.stop()
  }
}

/** Of each table, days of clicks together, what it takes. */
async function sizes(): Promise<string[][]> {
  const rows: { name: string; rows: number; bytes: number; indexes: number }[] = await sql.unsafe(`
    SELECT regexp_replace(relname, '^clicks_of_.*', 'clicks') AS name, sum(reltuples)::float AS rows,
      sum(pg_total_relation_size(oid))::float AS bytes, sum(pg_indexes_size(oid))::float AS indexes
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    GROUP BY 1 HAVING sum(pg_total_relation_size(oid)) > 1e6 ORDER BY bytes DESC`)
  return rows.map(({ name, rows: count, bytes, indexes }) => [
    name,
    whole(count),
    whole(bytes / 1e6),
    whole(indexes / 1e6),
  ])
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}
