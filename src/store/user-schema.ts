import type { Generated } from 'kysely'

// Users, workspaces and members, their keys, and how users sign in. Conventions as in schema.ts.

/** Somebody who signs in. */
export type UserTable = {
  id: Generated<number>
  name: string
  /** Lower case; unique. */
  email: string
  /** Argon2id, in PHC form. */
  password_hash: string
  /** NULL until the email is verified; until then every API request with a key of the user is refused. */
  email_verified_at: number | null
  /** user, or admin: the operator of the instance. Says nothing about workspaces. */
  role: Generated<string>
  created_at: number
  /** NULL until the user has deleted their account; the row is removed a minute later. */
  closed_at: Generated<number | null>
  /** NULL before the first time. */
  last_signed_in_at: Generated<number | null>
  /** Wrong passwords and codes since the last good sign-in. */
  failed_sign_ins: Generated<number>
  /** Base32; NULL without a second factor. Must be readable: a code is computed from it. */
  totp_secret: Generated<string | null>
  /** NULL until the first code was entered; before that the secret has no effect. */
  totp_enabled_at: Generated<number | null>
  /** The 30-second step of the last code that was accepted; older ones are refused, unless it lies in the future. */
  totp_last_step: Generated<number | null>
}

/** What owns links, keys and counters, and has a plan. Other tables still call its id `account_id`. */
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
}

/** A user in a workspace. */
export type MemberTable = {
  workspace_id: number
  user_id: number
  /** owner, admin, editor or viewer. */
  role: string
  joined_at: number
}

/** A browser that is signed in. */
export type SessionTable = {
  id: Generated<number>
  user_id: number
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
  /** verify-email, reset-password, change-email, add-passkey, passkey-sign-in, or used-code: a code that is spent. */
  purpose: string
  /** NULL where nobody is known yet: a sign-in by passkey. */
  user_id: number | null
  /** The address that the token was mailed to; '' for those that are not mailed. */
  email: string
  expires_at: number
}

/** Each stands in for the second factor once. */
export type RecoveryCodeTable = {
  user_id: number
  /** SHA-256 of user id and code, hex. */
  code_hash: string
}

export type PasskeyTable = {
  id: Generated<number>
  user_id: number
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
  workspace_id: number
  /** Who made it; NULL when that user is gone. */
  user_id: number | null
  name: string
  /** SHA-256 of the key, hex; the key itself is nowhere. */
  key_hash: string
  /** `tern_…Ab3x`, to tell keys apart; NULL for those made before there were hints. */
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
}

/** Counted API requests of a workspace on one UTC day. */
export type ApiUsageDayTable = { account_id: number; day: number; requests: number }
