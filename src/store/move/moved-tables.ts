import type { Database } from '../schema.ts'

export type MovedTable = Exclude<keyof Database, 'store_identity'>

/**
 * Every table that a move copies, and the columns that give its rows the same order on both engines. A table that is
 * missing here does not compile; moved-tables.test.ts finds one that is missing in the types.
 */
const KEYS: Record<MovedTable, readonly string[]> = {
  users: ['id'],
  workspaces: ['id'],
  members: ['workspace_id', 'user_id'],
  workspace_invitations: ['id'],
  user_identities: ['issuer', 'subject'],
  audit_log: ['id'],
  workspace_settings: ['workspace_id', 'name'],
  saved_views: ['id'],
  shares: ['id'],
  email_reports: ['workspace_id', 'user_id'],
  group_workspaces: ['name'],
  sessions: ['id'],
  single_use_tokens: ['token_hash'],
  recovery_codes: ['user_id', 'code_hash'],
  passkeys: ['id'],
  invitations: ['id'],
  blocked_hosts: ['host'],
  api_keys: ['id'],
  api_usage_days: ['workspace_id', 'day'],
  domains: ['id'],
  not_found_codes: ['domain_id', 'day', 'code'],
  codes: ['code', 'domain_id'],
  code_log: ['log'],
  links: ['id'],
  deleted_links: ['id'],
  link_openings: ['link_id'],
  link_versions: ['link_id', 'version'],
  link_texts: ['link_id'],
  workspace_link_counts: ['workspace_id', 'shard'],
  labels: ['id'],
  link_labels: ['label_id', 'created_at', 'link_id'],
  label_link_counts: ['label_id', 'shard'],
  link_reports: ['id'],
  imports: ['id'],
  imported_clicks: ['link_id', 'kind', 'first_day', 'last_day', 'value'],
  import_jobs: ['id'],
  import_parts: ['job_id', 'file', 'position'],
  import_groups: ['job_id', 'first'],
  import_items: ['job_id', 'number'],
  idempotency_keys: ['workspace_id', 'endpoint', 'key'],
  clicks: ['id'],
  click_progress: ['merged_to'],
  link_totals: ['link_id'],
  workspace_totals: ['workspace_id'],
  workspace_hours: ['workspace_id', 'dimension', 'hour', 'value'],
  seen_visits: ['visit'],
  visitor_salts: ['day'],
  journal_segments: ['segment'],
}

export const MOVED_TABLES = Object.keys(KEYS) as MovedTable[]

/** For `ORDER BY`. Both engines compare texts byte by byte. */
export const orderOf = (table: MovedTable): string => KEYS[table].join(', ')

/** Tables that assign IDs. No ID may be assigned twice, so the highest one moves with them. */
export const NUMBERED_TABLES = [
  ...(['users', 'workspaces', 'sessions', 'passkeys', 'invitations'] as const),
  ...(['api_keys', 'domains', 'links', 'clicks'] as const),
  ...(['labels', 'saved_views', 'shares', 'link_reports', 'workspace_invitations', 'audit_log'] as const),
  ...(['imports', 'import_jobs'] as const),
]

/** It has a row from the start. */
export const isEverFilled = (table: MovedTable): boolean => table === 'click_progress' || table === 'domains'
