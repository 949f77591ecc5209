/**
 * How long `tern recount --check` takes for each invariant. Fills an empty store with bulk SQL: consistent counters of
 * 200,000 links and 2 million hours of links.
 *
 *   npm run bench:recount                               SQLite in a temporary folder
 *   DATABASE_URL=postgres://… npm run bench:recount     an empty PostgreSQL database
 *   LINKS=20000 npm run bench:recount
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type CheckedInvariant, checkCounters } from '../src/clicks/repair/check-counters.ts'
import { DIMENSIONS } from '../src/clicks/counters/rollups.ts'
import { HOUR_US } from '../src/runtime/clock.ts'
import { openStore, type StoreLocation } from '../src/store/open-store.ts'
import { openSqliteFile } from '../src/store/sqlite/sqlite-file.ts'
import { storePath } from '../src/store/sqlite/open-sqlite-store.ts'
import { withTables } from '../src/store/with-tables.ts'
import { machine } from './rigs/measure.ts'

const LINKS = Number(process.env.LINKS ?? 200_000)
const HOURS_PER_LINK = 10
const ACCOUNTS = 100
const FIRST_HOUR = 480_000

const dataDir = mkdtempSync(join(tmpdir(), 'tern-bench-'))
try {
  const place = { dataDir, databaseUrl: process.env.DATABASE_URL }
  await (await openStore(place, 'same-thread')).close()
  await fill(place)
  console.log(`\n${machine()}; ${LINKS} links, ${LINKS * HOURS_PER_LINK} hours of links\n`)
  const kept = { nowUs: (FIRST_HOUR + 200) * HOUR_US, keepDays: 30 }
  const startMs = performance.now()
  await withTables(place, (db) => checkCounters(db, kept, reportTo(performance.now())))
  console.log(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} s  in all`)
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

function reportTo(startMs: number) {
  let fromMs = startMs
  return ({ claim, broken }: CheckedInvariant) => {
    const seconds = ((performance.now() - fromMs) / 1000).toFixed(1)
    console.log(`${seconds.padStart(6)} s  ${broken.length} broken  ${claim}`)
    fromMs = performance.now()
  }
}

/** Each link has one click, by one visitor, in each of its hours. */
async function fill(place: StoreLocation): Promise<void> {
  const links = `WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${LINKS})`
  const hours = `WITH RECURSIVE hours(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM hours WHERE n + 1 < ${HOURS_PER_LINK})`
  const hourOf = `${FIRST_HOUR} + (link_id * 7 + n * 17) % 170`
  for (const text of [
    `INSERT INTO link_totals (link_id, workspace_id, clicks, visitors, bots)
      ${links} SELECT id, id % ${ACCOUNTS} + 1, ${HOURS_PER_LINK}, ${HOURS_PER_LINK}, 0 FROM ids`,
    `INSERT INTO link_hours (link_id, hour, dimensions_id, clicks, visitors, bots)
      ${hours} SELECT link_id, ${hourOf}, 1, 1, 1, 0 FROM link_totals CROSS JOIN hours`,
    `INSERT INTO link_dimension_hours (link_id, dimension, hour, value, clicks, visitors)
      SELECT link_id, 'variant', hour, 'rule ' || link_id % 3, 1, 1 FROM link_hours`,
    `INSERT INTO workspace_hours (workspace_id, dimension, hour, value, clicks, visitors, bots)
      SELECT workspace_id, dimension, hour, value, sum(link_dimension_hours.clicks), count(*), 0
      FROM link_dimension_hours JOIN link_totals USING (link_id) GROUP BY workspace_id, dimension, hour, value`,
    ...['total', ...DIMENSIONS].map(
      (
        dimension,
      ) => `INSERT INTO workspace_hours (workspace_id, dimension, hour, value, clicks, visitors, bots)
        SELECT workspace_id, '${dimension}', hour, '', sum(link_hours.clicks), sum(link_hours.visitors), 0
        FROM link_hours JOIN link_totals USING (link_id) GROUP BY workspace_id, hour`,
    ),
    `INSERT INTO workspace_totals (workspace_id, clicks, visitors, bots)
      SELECT workspace_id, sum(clicks), sum(visitors), 0 FROM workspace_hours WHERE dimension = 'total' GROUP BY workspace_id`,
    `INSERT INTO journal_segments
      (segment, node, previous_segment, base_count, position, clicks, dead_letters, damaged_bytes, finished_at)
      SELECT 'bench', 'bench', '', 0, 0, sum(clicks), 0, 0, 1 FROM link_totals`,
  ]) {
    await run(place, text)
  }
}

/** Not by a handle of the store: its statements are given up after some seconds. */
async function run({ dataDir, databaseUrl }: StoreLocation, text: string): Promise<void> {
  if (databaseUrl === undefined) {
    const database = openSqliteFile(storePath(dataDir))
    database.run(text)
    return database.close()
  }
  const sql = new SQL(databaseUrl, { max: 1 })
  await sql.unsafe(text)
  await sql.close()
}
