/**
 * The columns of a fact: of the table `clicks`, of Parquet files, and of what reports can filter and group by. A new text column
 * is added here and to the table; files that were written before it read as ''.
 */
const KEY_COLUMNS = ['workspace_id', 'link_id', 'clicked_at'] as const

/** The dimensions of a click; '' where unknown. */
export const TEXT_COLUMNS = [
  'country',
  'device',
  'browser',
  'os',
  'referrer',
  'language',
  'via',
  'variant',
  'alias',
] as const
export type TextColumn = (typeof TEXT_COLUMNS)[number]

/** What reports add up. `clicks` is 1, 0 for a bot, and more where facts of a quarter of an hour were joined. */
export const COUNT_COLUMNS = ['clicks', 'visitors', 'workspace_visitors', 'bots'] as const
export type FactCounts = Record<(typeof COUNT_COLUMNS)[number], number>

export const FACT_COLUMNS: readonly string[] = [...KEY_COLUMNS, ...TEXT_COLUMNS, ...COUNT_COLUMNS]

/** In DuckDB and in Parquet. */
export const COLUMN_TYPES: Readonly<Record<string, 'BIGINT' | 'VARCHAR' | 'INTEGER'>> = Object.fromEntries([
  ...KEY_COLUMNS.map((name) => [name, 'BIGINT']),
  ...TEXT_COLUMNS.map((name) => [name, 'VARCHAR']),
  ...COUNT_COLUMNS.map((name) => [name, 'INTEGER']),
])

/** Offsets of all time zones are whole quarters of an hour, so local hours and days consist of them. */
export const QUARTER_US = 15 * 60 * 1_000_000
