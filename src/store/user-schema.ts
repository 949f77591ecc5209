import type { Generated } from 'kysely'

// Users, and how they sign in. Conventions as in schema.ts.

/** Somebody who signs in. */
export type UserTable = {
  id: Generated<number>
  name: string
  /** Lower case; unique. */
  email: string
  /** Argon2id, in PHC form; '' for a user who signs in at a provider and has set none. */
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
  /** NULL unless the operator has suspended the user, who then cannot sign in, and whose keys are refused. */
  suspended_at: Generated<number | null>
  /** The workspace that the user chose last, in any browser; NULL: none yet. They need not be its member any more. */
  last_workspace_id: Generated<number | null>
}

/** Who a user is at a provider of single sign-on. */
export type UserIdentityTable = {
  issuer: string
  subject: string
  user_id: number
  /** As the provider said it last. */
  email: string
  created_at: number
  last_used_at: number
}

/** A browser that is signed in. */
export type SessionTable = {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string
  /** `Firefox on Linux`, as its User-Agent says. */
  device: string
  /** The workspace that it has chosen; NULL: the user's own. */
  workspace_id: Generated<number | null>
  /** When the user last confirmed at a provider or with a passkey that it is them; NULL: never. */
  confirmed_at: Generated<number | null>
  created_at: number
  /** Exact to a minute. */
  last_used_at: number
}

/** What can be used once, and soon: the token of a mail, or the challenge of a passkey. */
export type SingleUseTokenTable = {
  /** SHA-256 of the token, hex. */
  token_hash: string
  /**
   * verify-email, reset-password, change-email, add-passkey, passkey-sign-in, single-sign-on, single-sign-on-code, exclude-browser,
   * or used-code: a code that is spent.
   */
  purpose: string
  /** NULL where nobody is known yet: a sign-in by passkey or at a provider. */
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
