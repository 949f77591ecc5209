import type { Generated } from 'kysely'

// Links, their codes and domains, and what is kept with them. Conventions as in schema.ts.

/** A host of short URLs. `host` is NULL for domain 0 only: the default, whose host is that of BASE_URL. */
export type DomainTable = { id: Generated<number>; host: string | null }

/**
 * Who owns a code, and which link it opens. A row is written when a code is first claimed and is never deleted or given
 * to another workspace, so a deleted link's code cannot be taken over.
 */
export type CodeTable = {
  code: string
  domain_id: Generated<number>
  /** NULL: the owner's workspace is gone; nobody can claim the code any more. */
  account_id: number | null
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
  account_id: number
  domain_id: Generated<number>
  /** The code that the link was created with. `codes` says which link a code opens. */
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
  /** 1: the visitor's query is passed on. */
  forward_query: number | null
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
  /** The owner's own name for it; several links may have the same. */
  external_id: string | null
}

/** How many visitors a link with `max_clicks` has led to its destination. Written before each of them is. */
export type LinkOpeningTable = { link_id: number; opened: number }

/** A change of what a link's visitors meet. The link as it was created is version 1 and has no row. */
export type LinkVersionTable = {
  link_id: number
  /** From 2. */
  version: number
  changed_at: number
  /** NULL when the user is gone. */
  user_id: number | null
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
export type LinkTextTable = { link_id: number; account_id: number; text: string }

/** How many links a workspace has: the sum over its shards. Sharded so that parallel creations do not queue for one row. */
export type AccountLinkCountTable = {
  account_id: number
  shard: number
  links: number
  active_links: number
  archived_links: Generated<number>
}
