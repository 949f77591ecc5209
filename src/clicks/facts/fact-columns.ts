import { DIMENSIONS } from '../../store/click-dimensions.ts'

const KEY_COLUMNS = ['workspace_id', 'link_id', 'clicked_at'] as const

/** What reports add up. `clicks` is 1, 0 for a bot, and more where facts of a quarter of an hour were joined. */
export const COUNT_COLUMNS = ['clicks', 'visitors', 'workspace_visitors', 'bots'] as const

export type FactCounts = Record<(typeof COUNT_COLUMNS)[number], number>

/** The columns of a fact, in the table `clicks` and in Parquet files. Files that were written before a dimension read as ''. */
export const FACT_COLUMNS: readonly string[] = [...KEY_COLUMNS, ...DIMENSIONS, ...COUNT_COLUMNS]

/** In DuckDB and in Parquet. */
export const COLUMN_TYPES: Readonly<Record<string, 'BIGINT' | 'VARCHAR' | 'INTEGER'>> = Object.fromEntries([
  ...KEY_COLUMNS.map((name) => [name, 'BIGINT']),
  ...DIMENSIONS.map((name) => [name, 'VARCHAR']),
  ...COUNT_COLUMNS.map((name) => [name, 'INTEGER']),
])
