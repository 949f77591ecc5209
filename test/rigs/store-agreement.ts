import { Database } from 'bun:sqlite'
import { join } from 'node:path'

/** Each finds rows that should not be. Clicks are counted in five places, and all of them say the same. */
const CONTRADICTIONS: Record<string, string> = {
  'the file is sound': `SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
  'no row refers to nothing': 'SELECT * FROM pragma_foreign_key_check',
  'totals of links are the sums of their hours': `
    SELECT link_id, clicks, visitors, bots FROM link_totals
    EXCEPT SELECT link_id, SUM(clicks), SUM(visitors), SUM(bots) FROM link_hours GROUP BY link_id`,
  'hours of links have totals':
    'SELECT * FROM link_hours WHERE link_id NOT IN (SELECT link_id FROM link_totals)',
  'totals of links are their single clicks': `
    SELECT link_id, clicks, bots FROM link_totals
    EXCEPT SELECT link_id, SUM(1 - is_bot), SUM(is_bot) FROM clicks GROUP BY link_id`,
  'single clicks have totals': 'SELECT * FROM clicks WHERE link_id NOT IN (SELECT link_id FROM link_totals)',
  'totals of accounts are the sums of their links': `
    SELECT account_id, clicks, bots FROM account_totals
    EXCEPT SELECT account_id, SUM(clicks), SUM(bots) FROM link_totals GROUP BY account_id`,
  'totals of accounts are the sums of their hours, by every dimension': `
    SELECT account_hours.account_id, dimension FROM account_hours JOIN account_totals USING (account_id)
    GROUP BY account_hours.account_id, dimension
    HAVING SUM(account_hours.clicks) <> account_totals.clicks`,
  'what was counted is what was read from the journal': `
    SELECT (SELECT SUM(clicks) FROM journal_segments) AS journal, SUM(clicks + bots) AS counted
    FROM link_totals HAVING journal <> counted`,
  'the journal is counted to its end':
    'SELECT * FROM journal_segments WHERE finished_at IS NULL OR dead_letters > 0',
  'each segment begins where the one before it ended': `
    SELECT before.segment, after.base_count, before.base_count + before.clicks
    FROM journal_segments before JOIN journal_segments after ON after.previous_segment = before.segment
    WHERE after.base_count <> before.base_count + before.clicks`,
  'the last segment says how many clicks there have been': `
    SELECT MAX(base_count + clicks + dead_letters) AS said, SUM(clicks + dead_letters) AS counted
    FROM journal_segments HAVING said <> counted`,
  'every link is its code owner’s':
    'SELECT * FROM links JOIN codes USING (code) WHERE links.account_id <> codes.account_id',
  'links are counted as they are': `
    SELECT account_id, SUM(links), SUM(active_links) FROM account_link_counts GROUP BY account_id
    EXCEPT SELECT account_id, COUNT(*), SUM(is_active) FROM links GROUP BY account_id`,
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
  return Object.entries(CONTRADICTIONS).flatMap(([claim, text]) => {
    const rows = excused.includes(claim) ? [] : database.query(text).all()
    return rows.length === 0 ? [] : [`Not so: ${claim}: ${JSON.stringify(rows.slice(0, 5))}`]
  })
}
