import type { Generated } from 'kysely'

// Workspaces, their members, settings and keys. Conventions as in schema.ts.

/** What owns links, keys and counters, and has a plan. */
export type WorkspaceTable = {
  id: Generated<number>
  name: string
  /** free, pro, business or enterprise. */
  plan: string
  /** active, trialing, past_due, canceled or expired. */
  subscription_status: string
  /** NULL when it never ends. */
  subscription_expires_at: number | null
  /** Requests per hour for each key; NULL: what the plan allows. */
  rate_limit: Generated<number | null>
  created_at: number
  /** NULL unless the operator has suspended it: its members are signed out, keys are refused, its links answer 410. */
  suspended_at: Generated<number | null>
  /** NULL until it was deleted; what is left of it is then removed in small steps. */
  closed_at: Generated<number | null>
  /** Where new links go unless they say so; NULL: domain 0. */
  default_domain_id: Generated<number | null>
  /** 1: only members with a second factor get in. */
  requires_second_factor: Generated<number>
  /** Signs the cookies of browsers whose visits it does not count; NULL until there is one. */
  uncounted_key: Generated<string | null>
  /** The last UTC day on which its members sent an invitation, and how many then. */
  invitations_day: Generated<number | null>
  invitations_of_day: Generated<number>
}

/** A user in a workspace. */
export type MemberTable = {
  workspace_id: number
  user_id: number
  /** owner, admin, editor or viewer. */
  role: string
  joined_at: number
}

/** Lets one email address become a member. Gone when it is used or withdrawn. */
export type WorkspaceInvitationTable = {
  id: Generated<number>
  workspace_id: number
  /** Lower case. The latest invitation of an address into a workspace stands. */
  email: string
  /** admin, editor or viewer. */
  role: string
  /** SHA-256 of the link's token, hex. */
  token_hash: string
  /** NULL when that user is gone. */
  invited_by: number | null
  created_at: number
  expires_at: number
}

/**
 * A change in a workspace, written in the transaction of the change and kept for AUDIT_DAYS. Holds no secret, and no IP address but
 * those that somebody has written into the setting `uncounted_networks`.
 */
export type AuditLogTable = {
  id: Generated<number>
  workspace_id: number
  happened_at: number
  /** NULL when no user was behind it. */
  user_id: number | null
  /** NULL unless it came with an API key. */
  api_key_id: number | null
  /** The name at that time: of the user, of the key, or of who else it was. */
  actor: string
  /** `Firefox on Linux`, `API` or `command line`. */
  client: string
  /** `link.updated` and so on: src/audit/audit-actions.ts. */
  action: string
  /** What was changed, as people call it: a short URL, a host, an email. */
  target: string
  target_id: number | null
  /** JSON: `{ field: { from, to } }`; NULL where there is nothing to compare. */
  changes: string | null
}

/** What a workspace has set for all its members: UTM templates, the style of its QR codes. */
export type WorkspaceSettingTable = {
  workspace_id: number
  name: string
  /** JSON, by the schema of the setting. */
  value: string
  updated_at: number
}

/** A list of links that a user keeps: filters, sorting and columns. */
export type SavedViewTable = {
  id: Generated<number>
  workspace_id: number
  user_id: number
  name: string
  /** 1: every member of the workspace sees it. */
  is_shared: number
  /** The query of the list's URL. */
  query: string
  created_at: number
}

/** The public page of statistics of a link, a tag or a folder: one of link_id and label_id is set. */
export type ShareTable = {
  id: Generated<number>
  workspace_id: number
  /** Stays while the link is in the trash, where nothing is shared. */
  link_id: number | null
  label_id: number | null
  /**
   * The end of the page's URL. It is stored as it is, so that members can copy the URL again: who can read this table can read the
   * clicks themselves.
   */
  secret: string
  /** SHA-256 of the secret, hex. Pages are found by it, so the time of a search says nothing about a secret. */
  secret_hash: string
  /** JSON list: src/shares/panels.ts. */
  panels: string
  /** NULL: it does not end. */
  ends_at: number | null
  /** argon2id. */
  password_hash: string | null
  created_at: number
}

/** Whether a member gets the analytics of a workspace by email. No row: not chosen yet, so they get none. */
export type EmailReportTable = {
  workspace_id: number
  user_id: number
  /** off, weekly or monthly. */
  frequency: string
  /** IANA name: where the days of the report begin. */
  timezone: string
  /** The day that follows the last period that needs no report any more, in whole days since 1970 of the calendar. */
  reported_to: number
  /** When the next report is due, or tried again; NULL while off. */
  due_at: number | null
  /** What the link that ends the emails is signed with. */
  secret: string
}

/** Which workspace OIDC_PROVIDERS means by a name, whatever is called so by now. Stays when that workspace is deleted. */
export type GroupWorkspaceTable = {
  name: string
  workspace_id: number
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
  workspace_id: number
  /** Who made it; NULL when that user has deleted their account. */
  user_id: number | null
  /** 1: its user was removed from the workspace, which has kept it with the scopes that their role allowed at that time. */
  is_kept: Generated<number>
  name: string
  /** SHA-256 of the key, hex; the key itself is nowhere. */
  key_hash: string
  /** `tern_…Ab3x`, to recognize a key by; NULL for those made before there were hints. */
  key_hint: string | null
  /** JSON list of scopes. */
  scopes: string
  /** Requests per hour; NULL: what the workspace's plan allows. */
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
  /** JSON: what makes the key safe to publish, such as the hosts that it may link to; NULL: nothing. */
  restrictions: Generated<string | null>
  /** The last UTC day on which it created a link, and how many then; kept for keys with a daily limit only. */
  links_day: Generated<number | null>
  links_of_day: Generated<number>
}

/** Counted API requests of a workspace on one UTC day. */
export type ApiUsageDayTable = { workspace_id: number; day: number; requests: number }
