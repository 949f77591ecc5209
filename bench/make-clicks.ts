import { Database } from 'bun:sqlite'

const ACCOUNT = 1
const HOURS = 90 * 24
const AUDIENCES = 200
const HOUR_US = 3_600_000_000

/**
 * Clicks of the last 90 days as counting would have left them, made by the database itself: each by a visitor of its
 * own, scattered over the links, hours and audiences.
 */
export function makeClicks(path: string, { clicks, links }: { clicks: number; links: number }): void {
  const database = new Database(path)
  const lastHour = Math.floor(Date.now() / 3_600_000)
  database.run('PRAGMA temp_store = FILE')
  database.transaction(() => {
    database.run(
      `INSERT INTO audiences (id, country, device, browser, os, referrer)
       ${numbered(AUDIENCES)} SELECT i, char(65 + i % 20, 65 + i % 7), iif(i % 3, 'desktop', 'mobile'), 'Browser ' || (i % 8),
       'System ' || (i % 5), 'site-' || (i % 40) || '.example.org' FROM numbers`,
    )
    database.run(
      `INSERT INTO clicks (link_id, account_id, clicked_at, audience_id, visitor, is_bot)
       ${numbered(clicks)} SELECT 1 + scattered % ${links}, ${ACCOUNT},
       (${lastHour} - scattered / 7 % ${HOURS}) * ${HOUR_US} + i % ${HOUR_US}, 1 + scattered / 11 % ${AUDIENCES}, i, 0
       FROM (SELECT i, (i * 2654435761) & 4294967295 AS scattered FROM numbers)`,
    )
    database.run(
      `INSERT INTO link_hours (link_id, hour, audience_id, clicks, visitors, bots)
       SELECT link_id, clicked_at / ${HOUR_US} AS hour, audience_id, count(*), count(*), 0 FROM clicks
       GROUP BY 1, 2, 3`,
    )
    const counters = 'sum(clicks), sum(visitors), 0'
    database.run(
      `INSERT INTO link_totals (link_id, account_id, clicks, visitors, bots, last_clicked_at)
       SELECT link_id, ${ACCOUNT}, ${counters}, max(hour) * ${HOUR_US} FROM link_hours GROUP BY link_id`,
    )
    database.run(
      `INSERT INTO account_totals (account_id, clicks, visitors, bots, last_clicked_at)
       SELECT ${ACCOUNT}, ${counters}, max(last_clicked_at) FROM link_totals`,
    )
    for (const [dimension, value] of [
      ['total', "''"],
      ...['country', 'device', 'browser', 'os', 'referrer'].map((name) => [name, name]),
    ])
      database.run(
        `INSERT INTO account_hours (account_id, dimension, hour, value, clicks, visitors, bots)
         SELECT ${ACCOUNT}, '${dimension}', hour, ${value}, ${counters} FROM link_hours
         JOIN audiences ON audiences.id = audience_id GROUP BY hour, ${value}`,
      )
  })()
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

const numbered = (count: number) =>
  `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})`
