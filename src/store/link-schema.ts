import type { Generated } from 'kysely'

// Links, their codes and domains, and what is kept with them. Conventions as in schema.ts.

/**
 * A host of short URLs, and the codes on it. Domain 0 is the default, whose host is that of BASE_URL. A row that was ever verified
 * is never deleted, so that its codes do not change hands: who gets the host later has a row of their own.
 */
/** Codes that visitors opened on the domain of a workspace, and that no link had. Kept for 30 days. */
export type NotFoundCodeTable = {
  domain_id: number
  /** Since 1970 UTC. */
  day: number
  code: string
  visits: number
}

export type DomainTable = {
  id: Generated<number>
  /** What the redirect server serves with it, in lower case; unique. NULL for domain 0, until it is verified, and once it is removed. */
  host: string | null
  /** The host as a URL has it; '' for domain 0. Unique in a workspace. */
  name: Generated<string>
  /** The workspace that it belongs to. NULL: the operator's, or its workspace is gone. */
  workspace_id: Generated<number | null>
  /** 1: the operator's, for links of every workspace. */
  is_shared: Generated<number>
  created_at: Generated<number>
  /** What a TXT record or the host itself must say. */
  verification_token: Generated<string | null>
  /** NULL until it was verified for the first time. */
  verified_at: Generated<number | null>
  /** The last look at its records; NULL before the first. */
  checked_at: Generated<number | null>
  /** NULL while the looks find what they should: when the first of the failed ones was. */
  failing_since: Generated<number | null>
  /** In words, why the last look failed. */
  failure: Generated<string | null>
  /** In words, why the last look found that it does not lead here; NULL if it does, and before the first. */
  dns_failure: Generated<string | null>
  /** Its IP addresses at the last look, with spaces between them; NULL before the first. */
  found_addresses: Generated<string | null>
  /** What the last look at its certificate found, as `CertificateResult`; NULL if there was none. */
  certificate_result: Generated<string | null>
  /** NULL without an answer. */
  certificate_ends_at: Generated<number | null>
  /** NULL unless its workspace has removed it. Adding it again brings its links back. */
  removed_at: Generated<number | null>
  /** Where its bare address leads; NULL: a page that says what it is. */
  home_url: Generated<string | null>
  /** Where unknown codes lead; NULL: the notice page. */
  not_found_url: Generated<string | null>
  /** Where expired links without a fallback lead; NULL: the notice page. */
  expired_url: Generated<string | null>
  /** 1: its codes are folded (fold-code.ts), and so is what visitors and callers send. */
  case_insensitive: Generated<number>
  path_prefix: Generated<string>
}

/**
 * Who owns a code, and which link it opens. A row is written when a code is first claimed and is never deleted or given
 * to another workspace, so a deleted link's code cannot be taken over.
 */
export type CodeTable = {
  code: string
  domain_id: Generated<number>
  /** NULL: the owner's workspace is gone; nobody can claim the code any more. */
  workspace_id: number | null
  /** NULL: its link was deleted. */
  link_id: Generated<number | null>
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
  workspace_id: number
  domain_id: Generated<number>
  /** The code that the link was created with. `codes` says which link a code opens. */
  code: string
  /** How it was written; NULL: as `code`, which is folded on some domains. */
  spelling: Generated<string | null>
  /** `svc_` and a UUIDv7; shown on creation only. */
  svc_id: string
  /** The destination as the client sent it. */
  original_url: string
  /** `new URL(original_url).href`, pure ASCII: what the redirect sends. NULL: the same as original_url. */
  target_url: string | null
  /** Of the normalized destination: see destinationHash. */
  destination_hash: Generated<number | null>
  title: string
  is_active: number
  created_at: number
  updated_at: number
  /** The user who created it; NULL where no user was behind the request. */
  created_by: Generated<number | null>
  /** The API key that it was created with; NULL: none. */
  created_key_id: Generated<number | null>
  /** The import that created it, or has taken it out of the trash; NULL: none that is remembered. */
  import_id: Generated<number | null>
  /** `updated_at` as the import left it: it differs once the link is edited. */
  imported_at: Generated<number | null>
} & LinkOptionColumns

/** What most links do not have. A plain link has NULL in each. */
export type LinkOptionColumns = {
  /** Before it, the link does not redirect yet. */
  starts_at: number | null
  /** From then on, it does not redirect any more. */
  expires_at: number | null
  /** How many visitors it leads to its destination, ever; see `link_openings`. */
  max_clicks: number | null
  /** Where visitors go before its start, after its end and over its limit; as the redirect sends it. */
  fallback_url: string | null
  /** argon2id. */
  password_hash: string | null
  /** 1: the visitor's query is passed on; 2: and replaces parameters of the same name. */
  forward_query: number | null
  /** 1: the path behind the code is passed on. */
  forward_path: number | null
  /** 301, 307 or 308; NULL: 302. */
  redirect_status: number | null
  /** A JSON list: see `rules/`. */
  rules: string | null
  social_title: string | null
  social_description: string | null
  /** https, as the URL parser gives it. */
  social_image_url: string | null
  /** 1: lists leave it out unless they are asked for it. */
  is_archived: number | null
  /** For the owner only. */
  notes: string | null
  /** The owner's own name for it; no other link of the workspace has it. */
  external_id: string | null
  /** JSON, with every field: see `qr-style/`. NULL: its QR code looks like those of the workspace. */
  qr_style: string | null
}

/** How many visitors a link with `max_clicks` has led to its destination. Written before each of them is. */
export type LinkOpeningTable = {
  link_id: number
  opened: number
  /** Clicks from before it are openings, and nobody spends one: a second after an edit gave it its limit. NULL: it had the limit from the start. */
  limited_since: number | null
}

/** A change of what a link's visitors meet. The link as it was created is version 1 and has no row. */
export type LinkVersionTable = {
  link_id: number
  /** From 2. */
  version: number
  changed_at: number
  /** NULL when the user is gone. */
  user_id: number | null
  /** NULL unless it was changed with an API key. */
  api_key_id: Generated<number | null>
  /** 1: the destination is among the changes. */
  is_destination: Generated<number>
  /** JSON: `{ field: { from, to } }`. */
  changes: string
}

/** The trash: a link as it was when it was deleted, kept for TRASH_DAYS. */
export type DeletedLinkTable = Omit<LinkTable, 'id' | 'updated_at'> & {
  id: number
  deleted_at: number
  /** JSON: `[[domain, code]]`, the codes that opened it beside its own. NULL if there were none. */
  other_keys: string | null
}

/** What a search looks in: title, destination and code, in lower case, each on a line. Keeps the rows of `links` small. */
export type LinkTextTable = { link_id: number; workspace_id: number; text: string }

/** How many links a workspace has: the sum over its shards. Sharded so that parallel creations do not queue for one row. */
export type WorkspaceLinkCountTable = {
  workspace_id: number
  shard: number
  links: number
  active_links: number
  archived_links: Generated<number>
}

/** A tag or a folder of a workspace. A link has any number of tags, and one folder at most. */
export type LabelTable = {
  id: Generated<number>
  workspace_id: number
  /** tag or folder. */
  kind: string
  name: string
  /** The name without case: no two of a kind have the same. */
  folded_name: string
  /** From 0 to 5: one of the dashboard's data colors. */
  color: number
  created_at: number
}

/** Links in the trash keep theirs. */
export type LinkLabelTable = {
  label_id: number
  /** The link's, so that a label's links are read in their order. */
  created_at: number
  link_id: number
}

/** How many links have a label, without those in the trash: the sum over its shards. */
export type LabelLinkCountTable = { label_id: number; shard: number; links: number; archived_links: number }

/** What a visitor reported about a link, for the operator. Kept when the link changes or goes. */
export type LinkReportTable = {
  id: Generated<number>
  workspace_id: number
  link_id: number
  short_url: string
  /** The destination at that time. */
  original_url: string
  /** One of the reasons that the form offers. */
  reason: string
  message: string
  reported_at: number
  /** NULL while it is open. */
  closed_at: number | null
  /** The operator who closed it. */
  closed_by: number | null
  /** Other reports about the link that this one stands for: of the same network, or beyond what is kept. */
  more: Generated<number>
}
