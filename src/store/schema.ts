import type { Generated } from 'kysely'
import type { ClickDimensions } from './click-dimensions.ts'
import type {
  DomainTable,
  NotFoundCodeTable,
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
import type { ImportedClickTable, ImportTable } from './import-schema.ts'
import type {
  ImportGroupTable,
  ImportItemTable,
  ImportJobTable,
  ImportPartTable,
} from './import-job-schema.ts'
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
  ShareTable,
  EmailReportTable,
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
  shares: ShareTable
  email_reports: EmailReportTable
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
  not_found_codes: NotFoundCodeTable
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
  imports: ImportTable
  imported_clicks: ImportedClickTable
  import_jobs: ImportJobTable
  import_parts: ImportPartTable
  import_groups: ImportGroupTable
  import_items: ImportItemTable
  idempotency_keys: IdempotencyKeyTable
  clicks: ClickTable
  click_progress: ClickProgressTable
  link_totals: LinkTotalTable
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

/**
 * One counted click, or several of the same quarter of an hour that are the same in every dimension. Holds no address of the
 * visitor, and nothing by which two visits of one visitor could be joined. A text is '' where unknown; bots have none.
 */
type ClickTable = Counters &
  ClickDimensions & {
    /** In the order of counting. Negative for clicks that were counted by the hour, by versions before this table. */
    id: Generated<number>
    workspace_id: number
    /** 0 for visitors of a workspace whose links are not known, by such a version. */
    link_id: number
    /** Exact for RAW_CLICK_DAYS, then the beginning of its quarter of an hour. */
    clicked_at: number
    /** Visitors who were on no link of the workspace before on that UTC day. `visitors`: not on this link. */
    workspace_visitors: number
  }

/** One row. */
type ClickProgressTable = {
  /** The clicks up to this id are merged by the quarter of an hour (`src/clicks/facts/merge-clicks.ts`). */
  merged_to: number
}

/** Additive counters. `clicks` are people's, `bots` are counted separately; `visitors` are distinct per UTC day. */
type Counters = { clicks: number; visitors: number; bots: number }

type LinkTotalTable = Counters & {
  link_id: number
  workspace_id: number
  /** NULL when only bots came. */
  last_clicked_at: number | null
  /** Clicks and bots that were counted before its clicks were deleted. */
  deleted: Generated<number>
}

/** All clicks of a workspace's links, deleted ones included. */
type WorkspaceTotalTable = Counters & { workspace_id: number; last_clicked_at: number | null }

/**
 * A workspace's hour: one row in total (`dimension` 'total', `value` '') and one per value of each dimension. Beyond a bound of
 * values for a UTC day, the value is `other` (`src/clicks/counters/bound-values.ts`).
 */
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
