import type { Database } from '../schema.ts'

export type MovedTable = Exclude<keyof Database, 'store_identity'>

/**
 * Every table that a move takes along, and the columns that put its rows in one order on both engines. The types name a
 * table that is missing here; moved-tables.test.ts names one that is missing in them.
 */
const KEYS: Record<MovedTable, readonly string[]> = {
  accounts: ['id'],
  sessions: ['id'],
  single_use_tokens: ['token_hash'],
  recovery_codes: ['account_id', 'code_hash'],
  passkeys: ['id'],
  invitations: ['id'],
  blocked_hosts: ['host'],
  api_keys: ['id'],
  api_usage_days: ['account_id', 'day'],
  codes: ['code'],
  code_log: ['log'],
  links: ['id'],
  deleted_links: ['id'],
  link_texts: ['link_id'],
  account_link_counts: ['account_id', 'shard'],
  idempotency_keys: ['account_id', 'endpoint', 'key'],
  clicks: ['id'],
  audiences: ['id'],
  link_totals: ['link_id'],
  link_hours: ['link_id', 'hour', 'audience_id'],
  link_days: ['link_id', 'dimension', 'day', 'value'],
  link_days_progress: ['summed_to', 'begun_to'],
  link_referrers: ['day', 'link_id', 'referrer'],
  account_totals: ['account_id'],
  account_hours: ['account_id', 'dimension', 'hour', 'value'],
  seen_visits: ['visit'],
  visitor_salts: ['day'],
  journal_segments: ['segment'],
}

export const MOVED_TABLES = Object.keys(KEYS) as MovedTable[]

/** `ORDER BY` of it is the same on both engines: texts are compared byte by byte. */
export const orderOf = (table: MovedTable): string => KEYS[table].join(', ')

/** Those that number their rows by themselves: no number may come back, so the highest ever given goes along. */
export const NUMBERED_TABLES = [
  ...(['accounts', 'sessions', 'passkeys', 'invitations'] as const),
  ...(['api_keys', 'links', 'clicks', 'audiences'] as const),
]

/** Stays behind, and why. */
export const LEFT_TABLES: Record<string, string> = {
  store_identity: 'it is about the store itself',
  kysely_migration: 'each engine has migrations of its own',
  kysely_migration_lock: 'as kysely_migration',
  changes: 'news for nodes that run, on PostgreSQL',
  link_search: 'an index, on SQLite; the server makes it anew',
  link_search_progress: 'as link_search',
}

/** One that has a row from the beginning. */
export const isEverFilled = (table: MovedTable): boolean => table === 'link_days_progress'
