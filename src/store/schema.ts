import type { Generated } from 'kysely'
import type {
  AccountTable,
  ApiKeyTable,
  ApiUsageDayTable,
  BlockedHostTable,
  InvitationTable,
  PasskeyTable,
  RecoveryCodeTable,
  SessionTable,
  SingleUseTokenTable,
} from './account-schema.ts'

/**
 * Every table and column. Conventions, the same on both engines:
 * times are integer microseconds since 1970 UTC (`…_at`), days and hours are whole days and hours since 1970 UTC,
 * booleans are 0 or 1, lists are JSON text, and NULL means exactly what its comment says.
 */
export type Database = {
  accounts: AccountTable
  sessions: SessionTable
  single_use_tokens: SingleUseTokenTable
  recovery_codes: RecoveryCodeTable
  passkeys: PasskeyTable
  invitations: InvitationTable
  blocked_hosts: BlockedHostTable
  api_keys: ApiKeyTable
  api_usage_days: ApiUsageDayTable
  codes: CodeTable
  code_log: CodeLogTable
  links: LinkTable
  deleted_links: DeletedLinkTable
  link_texts: LinkTextTable
  account_link_counts: AccountLinkCountTable
  idempotency_keys: IdempotencyKeyTable
  clicks: ClickTable
  audiences: AudienceTable
  link_totals: LinkTotalTable
  link_hours: LinkHourTable
  link_days: LinkDayTable
  link_days_progress: LinkDaysProgressTable
  link_referrers: LinkReferrerTable
  account_totals: AccountTotalTable
  account_hours: AccountHourTable
  seen_visits: SeenVisitTable
  visitor_salts: VisitorSaltTable
  journal_segments: JournalSegmentTable
  store_identity: StoreIdentityTable
}

/**
 * Who owns a code, for ever. A row is written when a code is first claimed and is never deleted or given to another
 * account, so a deleted link's code cannot be taken over.
 */
export type CodeTable = {
  code: string
  /** NULL: the owner's account is gone; nobody can claim the code any more. */
  account_id: number | null
  /** NULL unless the store had lost the code, and got it back from a code log: when. Its link is gone. */
  lost_at: Generated<number | null>
}

/** How far the store agrees with a code log (codes.log); moves in the transactions that claim codes. */
export type CodeLogTable = {
  /** The id in the log's first line. */
  log: string
  /** Bytes: every code before it is in `codes`, and every id before it was given out by this store. */
  position: number
}

export type LinkTable = {
  id: Generated<number>
  account_id: number
  code: string
  /** `svc_` and a UUIDv7; shown on creation only. */
  svc_id: string
  /** The destination as the client sent it. */
  original_url: string
  /** `new URL(original_url).href`, pure ASCII: what the redirect sends. NULL: the same as original_url. */
  target_url: string | null
  title: string
  is_active: number
  created_at: number
  updated_at: number
}

/** A link as it was when it was deleted, kept for a minute or two so that the deletion can be undone. */
export type DeletedLinkTable = Omit<LinkTable, 'id' | 'updated_at'> & { id: number; deleted_at: number }

/** What a search of an account's links looks in. Beside `links`, so that the rows redirects read stay small. */
export type LinkTextTable = {
  link_id: number
  account_id: number
  /** Title, line break, original_url, in lower case. */
  text: string
}

/** How many links an account has: the sum over its shards. Sharded so that parallel creations do not queue for one row. */
export type AccountLinkCountTable = { account_id: number; shard: number; links: number; active_links: number }

/** The answer to a request that carried an Idempotency-Key, kept for 24 hours. */
export type IdempotencyKeyTable = {
  account_id: number
  /** Method and path. */
  endpoint: string
  key: string
  /** SHA-256 of the request's body, hex. */
  fingerprint: string
  status: number
  /** The response's body, JSON. */
  body: string
  created_at: number
}

/** One counted click, kept for RAW_CLICK_DAYS. Holds no address of the visitor. */
export type ClickTable = {
  id: Generated<number>
  link_id: number
  account_id: number
  clicked_at: number
  audience_id: number
  /** Keyed hash, different every day; NULL when the visitor asked not to be told apart (GPC, DNT). */
  visitor: number | null
  is_bot: number
}

/** One combination of what is known about a click; '' where unknown. Id 0 is bots, of which nothing is kept. */
export type AudienceTable = {
  id: Generated<number>
  /** ISO 3166 alpha-2. */
  country: string
  /** desktop, mobile, tablet or other. */
  device: string
  browser: string
  os: string
  /** Host name only; `other` beyond the bounds of src/clicks/bound-audiences.ts, and so may be browser and os. */
  referrer: string
}

/** Additive counters. `clicks` are people's, `bots` stand beside them; `visitors` are distinct per UTC day. */
type Counters = { clicks: number; visitors: number; bots: number }

export type LinkTotalTable = Counters & {
  link_id: number
  account_id: number
  /** NULL when only bots came. */
  last_clicked_at: number | null
}

export type LinkHourTable = Counters & { link_id: number; hour: number; audience_id: number }

/**
 * A UTC day of a much clicked link up to its last hour here, once for each hour in it (`dimension` 'hour', `value` the
 * hour) and once for each value of each dimension. A copy: what is in none is added up from the hours.
 */
export type LinkDayTable = Counters & { link_id: number; dimension: string; day: number; value: string }

/** One row. Both are hours since 1970 UTC, and 0 before the first. */
export type LinkDaysProgressTable = {
  /** All hours before this one were looked through for much clicked links. */
  summed_to: number
  /** Somebody has begun to look through the hours before this one: late clicks of them remove the sums of their day. */
  begun_to: number
}

/**
 * Which referrers of a UTC day a link has clicks of; '' and `other` are not among them. Kept for two days, and only of links
 * that have had more clicks than there may be referrers. None of a day: ask the hours.
 */
export type LinkReferrerTable = { day: number; link_id: number; referrer: string }

/** Clicks ever of an account's links, deleted ones included. */
export type AccountTotalTable = Counters & { account_id: number; last_clicked_at: number | null }

/** An account's hour, once in all (`dimension` 'total', `value` '') and once for each value of each dimension. */
export type AccountHourTable = Counters & {
  account_id: number
  dimension: string
  hour: number
  value: string
}

/**
 * Which visitors a link, or an account, has had on a UTC day, so that each is counted once; one number for day, owner and
 * visitor (`src/clicks/seen-visitors.ts`). Kept for two days.
 */
export type SeenVisitTable = { visit: number }

/** The day's secret in the visitor hash; destroyed after 48 hours, and with it the way back. */
export type VisitorSaltTable = { day: number; salt: Uint8Array }

/** How far each journal segment has been counted. Moves only together with the counters, by compare-and-set. */
export type JournalSegmentTable = {
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
