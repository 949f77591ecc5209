import type { Generated } from 'kysely'

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
  links: LinkTable
  deleted_links: DeletedLinkTable
  link_texts: LinkTextTable
  account_link_counts: AccountLinkCountTable
  idempotency_keys: IdempotencyKeyTable
  clicks: ClickTable
  audiences: AudienceTable
  link_totals: LinkTotalTable
  link_hours: LinkHourTable
  account_totals: AccountTotalTable
  account_hours: AccountHourTable
  seen_visits: SeenVisitTable
  visitor_salts: VisitorSaltTable
  journal_segments: JournalSegmentTable
}

export type AccountTable = {
  id: Generated<number>
  name: string
  /** Lower case; unique. */
  email: string
  /** Argon2id, in PHC form. */
  password_hash: string
  /** NULL until the address is verified; until then every API request is refused. */
  email_verified_at: number | null
  /** free, pro, business or enterprise. */
  plan: string
  /** active, trialing, past_due, canceled or expired. */
  subscription_status: string
  /** NULL when it never ends. */
  subscription_expires_at: number | null
  created_at: number
  /** user, or admin: the operator. */
  role: Generated<string>
  /** Requests per hour for each key; NULL: what the plan allows. */
  rate_limit: Generated<number | null>
  /** NULL unless the operator has suspended the account: nobody signs in, keys are refused, its links answer 410. */
  suspended_at: Generated<number | null>
  /** NULL until its owner has deleted the account; what is left of it is then removed in small steps. */
  closed_at: Generated<number | null>
  /** NULL before the first time. */
  last_signed_in_at: Generated<number | null>
  /** Wrong passwords and codes since the last good sign-in. */
  failed_sign_ins: Generated<number>
  /** Base32; NULL without a second factor. Must be readable: a code is computed from it. */
  totp_secret: Generated<string | null>
  /** NULL until the first code was entered; before that the secret has no effect. */
  totp_enabled_at: Generated<number | null>
  /** The latest 30-second step of which a code was taken, so that no code is taken twice. */
  totp_last_step: Generated<number | null>
}

/** A browser that is signed in. */
export type SessionTable = {
  id: Generated<number>
  account_id: number
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string
  /** `Firefox on Linux`, as its User-Agent says. */
  device: string
  created_at: number
  /** Exact to a minute. */
  last_used_at: number
}

/** What can be used once, and soon: the token of a mail, or the challenge of a passkey. */
export type SingleUseTokenTable = {
  /** SHA-256 of the token, hex. */
  token_hash: string
  /** verify-email, reset-password, change-email, add-passkey or passkey-sign-in. */
  purpose: string
  /** NULL where nobody is known yet: a sign-in by passkey. */
  account_id: number | null
  /** The address that the token was mailed to; '' for those that are not mailed. */
  email: string
  expires_at: number
}

/** Each stands in for the second factor once. */
export type RecoveryCodeTable = {
  account_id: number
  /** SHA-256 of account and code, hex. */
  code_hash: string
}

export type PasskeyTable = {
  id: Generated<number>
  account_id: number
  /** Base64url, as the browser names it. */
  credential_id: string
  /** COSE. */
  public_key: Uint8Array
  /** Signatures so far, by the authenticator's own count; 0 where it has none. */
  counter: number
  /** JSON list: how a browser may reach the authenticator. */
  transports: string
  name: string
  created_at: number
  /** NULL before the first sign-in with it. */
  last_used_at: number | null
}

/** Lets one address sign up where not everybody may. Gone when it is used. */
export type InvitationTable = {
  id: Generated<number>
  /** Lower case; unique: the latest invitation of an address stands. */
  email: string
  /** SHA-256 of the mailed token, hex. */
  token_hash: string
  created_at: number
  expires_at: number
}

/** Links to this host, or to a name under it, answer 410. */
export type BlockedHostTable = {
  /** As `URL.hostname` gives it, without a dot at the end. */
  host: string
  /** The operator's note; '' when there is none. */
  reason: string
  created_at: number
}

export type ApiKeyTable = {
  id: Generated<number>
  account_id: number
  name: string
  /** SHA-256 of the key, hex; the key itself is nowhere. */
  key_hash: string
  /** JSON list of scopes. */
  scopes: string
  /** Requests per hour; NULL: what the account's plan allows. */
  rate_limit: number | null
  /** The first counted request of the current hour; NULL before the first ever. */
  window_started_at: number | null
  /** Requests counted since window_started_at. */
  window_requests: Generated<number>
  /** NULL before the first request. */
  last_used_at: number | null
  /** NULL while the key is good. */
  revoked_at: number | null
  created_at: number
}

/** Counted API requests of an account on one UTC day. */
export type ApiUsageDayTable = { account_id: number; day: number; requests: number }

/**
 * Who owns a code, for ever. A row is written when a code is first claimed and is never deleted or given to another
 * account, so a deleted link's code cannot be taken over.
 */
export type CodeTable = {
  code: string
  /** NULL: the owner's account is gone; nobody can claim the code any more. */
  account_id: number | null
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
  /** Host name only. */
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
}
