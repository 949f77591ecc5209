import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { COUNTER_INVARIANTS } from '../../../src/clicks/repair/counter-invariants.ts'

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
export function contradictions(dataDir: string): string[] {
  const database = new Database(join(dataDir, 'tern.db'), { readwrite: true })
  try {
    return contradictionsIn(database)
  } finally {
    database.close()
  }
}

/** The same, but for claims that cannot hold after what has happened. */
export function contradictionsIn(database: Database, excused: readonly string[] = []): string[] {
  // Throws when the index of titles does not match the links.
  database.run(`INSERT INTO link_search (link_search, rank) VALUES ('integrity-check', 1)`)
  return Object.entries(CLAIMS).flatMap(([claim, text]) => {
    const rows = excused.includes(claim) ? [] : database.query(text).all()
    return rows.length === 0 ? [] : [`Not so: ${claim}: ${JSON.stringify(rows.slice(0, 5))}`]
  })
}
