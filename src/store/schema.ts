import type { Generated } from 'kysely'
import type {
  DomainTable,
  CodeTable,
  CodeLogTable,
  LinkTable,
  LinkOpeningTable,
  LinkVersionTable,
  DeletedLinkTable,
  LinkTextTable,
  WorkspaceLinkCountTable,
  LabelTable,
  LinkLabelTable,
  LabelLinkCountTable,
  LinkReportTable,
} from './link-schema.ts'
import type {
  InvitationTable,
  PasskeyTable,
  RecoveryCodeTable,
  SessionTable,
  SingleUseTokenTable,
  UserTable,
  UserIdentityTable,
} from './user-schema.ts'
import type {
  ApiKeyTable,
  ApiUsageDayTable,
  BlockedHostTable,
  MemberTable,
  WorkspaceTable,
  WorkspaceInvitationTable,
  AuditLogTable,
  WorkspaceSettingTable,
  SavedViewTable,
  GroupWorkspaceTable,
} from './workspace-schema.ts'

/**
 * Every table and column. Conventions, the same on both engines:
 * times are integer microseconds since 1970 UTC (`…_at`), days and hours are whole days and hours since 1970 UTC,
 * booleans are 0 or 1, lists are JSON text, and NULL means exactly what its comment says.
 */
export type Database = {
  users: UserTable
  workspaces: WorkspaceTable
  members: MemberTable
  workspace_invitations: WorkspaceInvitationTable
  user_identities: UserIdentityTable
  audit_log: AuditLogTable
  workspace_settings: WorkspaceSettingTable
  saved_views: SavedViewTable
  group_workspaces: GroupWorkspaceTable
  sessions: SessionTable
  single_use_tokens: SingleUseTokenTable
  recovery_codes: RecoveryCodeTable
  passkeys: PasskeyTable
  invitations: InvitationTable
  blocked_hosts: BlockedHostTable
  api_keys: ApiKeyTable
  api_usage_days: ApiUsageDayTable
  domains: DomainTable
  codes: CodeTable
  code_log: CodeLogTable
  links: LinkTable
  deleted_links: DeletedLinkTable
  link_openings: LinkOpeningTable
  link_versions: LinkVersionTable
  link_texts: LinkTextTable
  workspace_link_counts: WorkspaceLinkCountTable
  labels: LabelTable
  link_labels: LinkLabelTable
  label_link_counts: LabelLinkCountTable
  link_reports: LinkReportTable
  idempotency_keys: IdempotencyKeyTable
  clicks: ClickTable
  click_dimensions: DimensionsTable
  link_totals: LinkTotalTable
  link_hours: LinkHourTable
  link_dimension_hours: LinkDimensionHourTable
  link_days: LinkDayTable
  link_days_progress: LinkDaysProgressTable
  link_referrers: LinkReferrerTable
  workspace_totals: WorkspaceTotalTable
  workspace_hours: WorkspaceHourTable
  seen_visits: SeenVisitTable
  visitor_salts: VisitorSaltTable
  journal_segments: JournalSegmentTable
  store_identity: StoreIdentityTable
}

/** The answer to a request that carried an Idempotency-Key, kept for 24 hours. */
type IdempotencyKeyTable = {
  workspace_id: number
  /** Method and path, and the API key or user that sent the request. */
  endpoint: string
  key: string
  /** HMAC-SHA-256 of the request's body with the sender's secret, hex. */
  fingerprint: string
  status: number
  /** The response's body, JSON. */
  body: string
  created_at: number
}

/** One counted click, kept for RAW_CLICK_DAYS. Holds no address of the visitor. */
type ClickTable = {
  id: Generated<number>
  link_id: number
  workspace_id: number
  clicked_at: number
  dimensions_id: number
  /** Keyed hash, different every day; NULL if the visitor asked not to be tracked (GPC, DNT). */
  visitor: number | null
  is_bot: number
  /** JSON of what differs from a plain click: variant, via, language, alias. NULL for a plain click. */
  extras: Generated<string | null>
}

/** One combination of what is known about a click; '' where unknown. Id 0 is bots, of which nothing is kept. */
type DimensionsTable = {
  id: Generated<number>
  /** ISO 3166 alpha-2. */
  country: string
  /** desktop, mobile, tablet or other. */
  device: string
  browser: string
  os: string
  /** Host name only; `other` beyond the bounds of src/clicks/counters/bound-dimensions.ts, and so may be browser and os. */
  referrer: string
}

/** Additive counters. `clicks` are people's, `bots` are counted separately; `visitors` are distinct per UTC day. */
type Counters = { clicks: number; visitors: number; bots: number }

type LinkTotalTable = Counters & {
  link_id: number
  workspace_id: number
  /** NULL when only bots came. */
  last_clicked_at: number | null
}

type LinkHourTable = Counters & { link_id: number; hour: number; dimensions_id: number }

/**
 * An hour of a link by the values of one dimension that most clicks lack (src/clicks/counters/single-dimensions.ts).
 * Clicks without a value have no row: they are the rest of the hour.
 */
type LinkDimensionHourTable = Omit<Counters, 'bots'> & {
  link_id: number
  dimension: string
  hour: number
  value: string
}

/**
 * A UTC day of a hot link up to the last hour that has a row: one row per hour (`dimension` 'hour', `value` the hour) and one
 * per value of each dimension. A copy: days without rows are summed from the hours.
 */
type LinkDayTable = Counters & { link_id: number; dimension: string; day: number; value: string }

/** One row. Both are hours since 1970 UTC, and 0 before the first. */
type LinkDaysProgressTable = {
  /** All hours before this one are rolled up for hot links. */
  summed_to: number
  /** Rolling up the hours before this one has begun: late clicks for them remove the rollups of their day. */
  begun_to: number
}

/**
 * The referrers of a link on a UTC day, without '' and `other`. Kept for two days, and only for links with more clicks than
 * the bound on referrers. If a day has no rows, the hours say.
 */
type LinkReferrerTable = { day: number; link_id: number; referrer: string }

/** All clicks of a workspace's links, deleted ones included. */
type WorkspaceTotalTable = Counters & { workspace_id: number; last_clicked_at: number | null }

/** A workspace's hour: one row in total (`dimension` 'total', `value` '') and one per value of each dimension. */
type WorkspaceHourTable = Counters & {
  workspace_id: number
  dimension: string
  hour: number
  value: string
}

/**
 * Which visitors a link, or a workspace, has had on a UTC day, so that each is counted once; one number for day, owner and
 * visitor (`src/clicks/counters/seen-visitors.ts`). Kept for two days.
 */
type SeenVisitTable = { visit: number }

/** The day's secret in the visitor hash; destroyed after 48 hours, and with it the way back. */
type VisitorSaltTable = { day: number; salt: Uint8Array }

/** How far each journal segment has been counted. Moves only together with the counters, by compare-and-set. */
type JournalSegmentTable = {
  /** The random id in the segment's header; file names and node names mean nothing here. */
  segment: string
  node: string
  /** All zeros for a folder's first segment. */
  previous_segment: string
  /** Clicks this node had journaled before this segment. */
  base_count: number
  /** Bytes counted so far, the header included. */
  position: number
  /** Clicks counted from this segment. */
  clicks: number
  /** Records that could be read but not understood; their bytes are in journal/dead-letters. */
  dead_letters: number
  /** Bytes that could not be read: a torn tail, or damage. */
  damaged_bytes: number
  /** Clicks that its seal names and that were not found in it. Known when it is finished. */
  missing_clicks: Generated<number>
  /** NULL until the last byte has been counted. */
  finished_at: number | null
  /** The id of the journal folder; '' for segments of versions that did not write it down. */
  folder: Generated<string>
}

/** One row: which store this is, and whether it may be used (`tern store move`). */
export type StoreIdentityTable = {
  /** Random, made with the table. */
  id: string
  /** NULL unless it is being filled, and not finished: the id of the store that all of it comes from. */
  filled_from: string | null
  /** NULL unless all of it was moved elsewhere: the id of the store where it lives now. */
  moved_to: string | null
  /** Where that is, in words; NULL as moved_to. */
  moved_place: string | null
  moved_at: number | null
}
