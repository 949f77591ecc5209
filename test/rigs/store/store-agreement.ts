import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { sumClosedClicks } from '../../../src/clicks/parquet/sum-closed-clicks.ts'
import type { FileSums } from '../../../src/clicks/parquet/sum-files.ts'
import { closedTables, COUNTER_INVARIANTS } from '../../../src/clicks/repair/counter-invariants.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { jsonLog } from '../../../src/runtime/log.ts'
import type { ReadDb } from '../../../src/store/handles.ts'
import { openStoreReader } from '../../../src/store/open-store-reader.ts'

/** Only compiles: the statements run on a file of their own. */
const COMPILER = new Kysely({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
}) as unknown as ReadDb

/** What the program itself checks, and what holds besides where a test has let everything be counted and nothing removed. */
const CLAIMS: Record<string, string> = {
  'the file is sound': `SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
  'no row refers to nothing': 'SELECT * FROM pragma_foreign_key_check',
  ...COUNTER_INVARIANTS,
  'the journal is counted to its end':
    'SELECT * FROM journal_segments WHERE finished_at IS NULL OR dead_letters > 0',
  'each segment begins where the one before it ended': `
    SELECT before.segment, after.base_count, before.base_count + before.clicks
    FROM journal_segments before JOIN journal_segments after ON after.previous_segment = before.segment
    WHERE after.base_count <> before.base_count + before.clicks`,
  'the last segment says how many clicks there have been': `
    SELECT MAX(base_count + clicks + dead_letters) AS said, SUM(clicks + dead_letters) AS counted
    FROM journal_segments HAVING said <> counted`,
}

/** What contradicts itself in a store that nobody has open; nothing, as it should be. */
export async function contradictions(dataDir: string): Promise<string[]> {
  const database = new Database(join(dataDir, 'tern.db'), { readwrite: true })
  const reader = openStoreReader(dataDir)
  try {
    const closed = await sumClosedClicks(reader.db, {
      dataDir,
      clock: systemClock,
      log: jsonLog('error', 'test'),
    })
    return contradictionsIn(database, { closed })
  } finally {
    await reader.close()
    database.close()
  }
}

type Allowances = {
  /** Claims that cannot hold after what has happened. */
  excused?: readonly string[]
  closed?: FileSums | undefined
}

/** The same for clicks in the table, and those in files if their sums are given. */
export function contradictionsIn(database: Database, { excused = [], closed }: Allowances = {}): string[] {
  // Throws when the index of titles does not match the links.
  database.run(`INSERT INTO link_search (link_search, rank) VALUES ('integrity-check', 1)`)
  return Object.entries(CLAIMS).flatMap(([claim, text]) => {
    if (excused.includes(claim)) return []
    const { sql: statement, parameters } = sql`${closedTables(COMPILER, closed)}${sql.raw(text)}`.compile(
      COMPILER,
    )
    const rows = database.query(statement).all(...(parameters as string[]))
    return rows.length === 0 ? [] : [`Not so: ${claim}: ${JSON.stringify(rows.slice(0, 5))}`]
  })
}
