import { type RawBuilder, sql } from 'kysely'
import { HOUR_US } from '../../runtime/clock.ts'
import { jsonElements } from '../../store/engine-sql.ts'
import type { AnyDb } from '../../store/handles.ts'
import { COMMON_VALUES, WHOLE_DIMENSIONS } from '../../store/click-dimensions.ts'
import type { FileSums } from '../parquet/sum-files.ts'

const COUNTS = ['clicks', 'visitors', 'bots']

/**
 * What must always hold between the counters, which count each click in several places. Each invariant is SQL for the rows
 * that violate it: the subject, what is stored there, and what it should be by the other counters. It needs
 * `closedTables` before it.
 */
export type CounterInvariants = Record<string, string>

/** Before an invariant: the sums over clicks that are not in the table, if there are any, as tables. */
export function closedTables(db: AnyDb, closed: FileSums | undefined): RawBuilder<unknown> {
  const table = (columns: readonly string[], rows: number[][] | undefined) => {
    const valueAt = (place: number) => (rows === undefined ? sql`0` : sql`value ->> ${sql.lit(place)}`)
    const values = columns.map((name, place) => sql`CAST(${valueAt(place)} AS BIGINT) AS ${sql.ref(name)}`)
    const from = rows === undefined ? sql`WHERE FALSE` : sql`FROM ${jsonElements(db, JSON.stringify(rows))}`
    return sql`SELECT ${sql.join(values)} ${from}`
  }
  const ofHours = ['workspace_id', 'hour', ...COUNTS, ...Object.keys(COMMON_VALUES).map(otherClicks)]
  return sql`WITH closed_links AS (${table(['link_id', ...COUNTS], closed?.links)}),
    closed_hours AS (${table(ofHours, closed?.hours)}) `
}

const otherClicks = (dimension: string) => `${dimension}_clicks`

export type BrokenRow = { subject: string; stored: string; others: string }

type Comparison = {
  /** SQL that describes a row, from the columns of `by`. */
  subject: string
  by: string[]
  stored: string
  others: string
  counts?: string[]
}

/**
 * Rows that differ or exist on one side only. Both sides are sorted into groups: a FULL JOIN of subqueries has no index on
 * SQLite and takes quadratic time.
 */
function differences({ subject, by, stored, others, counts = COUNTS }: Comparison): string {
  const columns = by.join(', ')
  const text = (of: string) => counts.map((count) => `${of}_${count} || ' ${count}'`).join(` || ', ' || `)
  const summed = (of: string) => counts.map((count) => `sum(${of}_${count}) AS ${of}_${count}`).join(', ')
  const named = (of: string) => counts.map((count) => `${count} AS ${of}_${count}`).join(', ')
  const none = (of: string) => counts.map((count) => `0 AS ${of}_${count}`).join(', ')
  return `SELECT ${subject} AS subject, ${text('stored')} AS stored, ${text('others')} AS others
    FROM (SELECT ${columns}, ${summed('stored')}, ${summed('others')}
      FROM (SELECT ${columns}, ${named('stored')}, ${none('others')} FROM (${stored}) AS stored
        UNION ALL SELECT ${columns}, ${none('stored')}, ${named('others')} FROM (${others}) AS others) AS sides
      GROUP BY ${columns}) AS compared
    WHERE ${counts.map((count) => `stored_${count} <> others_${count}`).join(' OR ')}`
}

const sums = (counts: string[] = COUNTS) => counts.map((count) => `sum(${count}) AS ${count}`).join(', ')
const HOUR = `'hour ' || hour`
const HOUR_OF_CLICK = `clicked_at / ${HOUR_US}`
const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
const IN_ALL_CLICKS = quoted(WHOLE_DIMENSIONS)
const NAMES = WHOLE_DIMENSIONS.map((name) => `SELECT '${name}' AS name`).join(' UNION ALL ')
const WITHOUT_BOTS = ['clicks', 'visitors']
const VISITS = ['clicks', 'bots']

export const COUNTER_INVARIANTS: CounterInvariants = {
  'the totals of a link are the sums of its clicks': differences({
    subject: `'link ' || link_id`,
    by: ['link_id'],
    stored: `SELECT link_id, ${COUNTS} FROM link_totals`,
    others: `SELECT link_id, ${sums()} FROM (SELECT link_id, ${COUNTS} FROM clicks UNION ALL SELECT * FROM closed_links)
      AS facts WHERE link_id <> 0 GROUP BY link_id`,
  }),
  'the totals of a workspace are the sums of its hours': differences({
    subject: `'workspace ' || workspace_id`,
    by: ['workspace_id'],
    stored: `SELECT workspace_id, ${COUNTS} FROM workspace_totals`,
    others: `SELECT workspace_id, ${sums()} FROM workspace_hours WHERE dimension = 'total' GROUP BY workspace_id`,
  }),
  'the totals of a workspace are the sums of its links': differences({
    subject: `'workspace ' || workspace_id`,
    by: ['workspace_id'],
    stored: `SELECT workspace_id, ${VISITS} FROM workspace_totals`,
    others: `SELECT workspace_id, ${sums(VISITS)} FROM link_totals GROUP BY workspace_id`,
    counts: VISITS,
  }),
  'an hour of a workspace is the sum of its clicks': differences({
    subject: `'workspace ' || workspace_id || ', ' || ${HOUR}`,
    by: ['workspace_id', 'hour'],
    stored: `SELECT workspace_id, hour, ${COUNTS} FROM workspace_hours WHERE dimension = 'total'`,
    others: `SELECT workspace_id, hour, ${sums()} FROM (
        SELECT workspace_id, ${HOUR_OF_CLICK} AS hour, clicks, workspace_visitors AS visitors, bots FROM clicks
        UNION ALL SELECT workspace_id, hour, ${COUNTS} FROM closed_hours
      ) AS facts GROUP BY workspace_id, hour`,
  }),
  'every dimension of a workspace’s hour adds up to the hour': differences({
    subject: `'workspace ' || workspace_id || ', ' || ${HOUR} || ', by ' || dimension`,
    by: ['workspace_id', 'hour', 'dimension'],
    stored: `SELECT workspace_id, hour, dimension, ${sums(WITHOUT_BOTS)} FROM workspace_hours WHERE dimension IN (${IN_ALL_CLICKS})
      GROUP BY workspace_id, hour, dimension`,
    others: `SELECT workspace_id, hour, name AS dimension, ${WITHOUT_BOTS} FROM workspace_hours
      CROSS JOIN (${NAMES}) AS names WHERE dimension = 'total'`,
    counts: WITHOUT_BOTS,
  }),
  ...Object.fromEntries(
    Object.entries(COMMON_VALUES).map(([name, common]) => [
      `what has another ${name} than most adds up to the same for a workspace and its clicks`,
      differences({
        subject: `'workspace ' || workspace_id || ', ' || ${HOUR}`,
        by: ['workspace_id', 'hour'],
        stored: `SELECT workspace_id, hour, sum(clicks) AS clicks FROM workspace_hours WHERE dimension = '${name}'
        GROUP BY 1, 2`,
        others: `SELECT workspace_id, hour, sum(clicks) AS clicks FROM (
          SELECT workspace_id, ${HOUR_OF_CLICK} AS hour, clicks FROM clicks
            WHERE ${name} <> '${common}' AND clicks > 0 AND id > 0
          UNION ALL SELECT workspace_id, hour, ${otherClicks(name)} AS clicks FROM closed_hours
        ) AS facts GROUP BY workspace_id, hour`,
        counts: ['clicks'],
      }),
    ]),
  ),
  'what is counted is what was read from the journal': `
    SELECT 'all links' AS subject, counted || ' clicks' AS stored, journal || ' clicks' AS others FROM
    (SELECT coalesce(sum(clicks + bots + deleted), 0) AS counted FROM link_totals) AS totals,
    (SELECT coalesce(sum(clicks), 0) AS journal FROM journal_segments) AS segments WHERE counted <> journal`,
  'links are counted as they are': differences({
    subject: `'workspace ' || workspace_id`,
    by: ['workspace_id'],
    stored: `SELECT workspace_id, sum(links) AS links, sum(active_links) AS active,
        sum(archived_links) AS archived FROM workspace_link_counts
      GROUP BY workspace_id`,
    others: `SELECT workspace_id, count(*) AS links, sum(is_active) AS active,
        sum(coalesce(is_archived, 0)) AS archived FROM links GROUP BY workspace_id`,
    counts: ['links', 'active', 'archived'],
  }),
  'links with a tag or in a folder are counted as they are': differences({
    subject: `'label ' || label_id`,
    by: ['label_id'],
    stored: `SELECT label_id, sum(links) AS links, sum(archived_links) AS archived FROM label_link_counts
      GROUP BY label_id`,
    others: `SELECT label_id, count(*) AS links, sum(coalesce(is_archived, 0)) AS archived
      FROM link_labels JOIN labels ON labels.id = label_id JOIN links ON links.id = link_id GROUP BY label_id`,
    counts: ['links', 'archived'],
  }),
  'every link is its code owner’s': `
    SELECT 'link ' || id AS subject, 'workspace ' || links.workspace_id AS stored,
      'workspace ' || coalesce(CAST(codes.workspace_id AS TEXT), 'none') AS others
    FROM links JOIN codes USING (domain_id, code)
    WHERE links.workspace_id IS DISTINCT FROM codes.workspace_id`,
}
