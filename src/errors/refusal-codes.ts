/** Why a request is refused. Only http/ and cli/ turn it into a status or an exit code. */
export type RefusalKind =
  | 'malformed' // the request cannot be read at all: broken JSON, a bad percent-encoding
  | 'unauthenticated' // no key, or an unknown one
  | 'forbidden' // known caller, not allowed: unverified e-mail, missing scope
  | 'not-found' // it does not exist, or belongs to somebody else
  | 'not-allowed' // the path exists, but not with this method
  | 'conflict' // it contradicts the present state
  | 'gone' // taken down by the operator
  | 'too-large' // body over the limit
  | 'not-json' // a body of another content type
  | 'invalid' // invalid values; `fields` names them
  | 'too-many' // a limit is used up; `retryAfterSeconds` says when to retry
  | 'internal' // a bug
  | 'unavailable' // temporarily; `retryAfterSeconds` says when to retry
  | 'command' // for the command line only

type Definition = readonly [kind: RefusalKind, meaning: string]

/** Every reason why a request can be refused. Programs rely on the names, so a released one never changes its meaning. */
export const REFUSAL_CODES = {
  body_malformed: ['malformed', 'The body is empty, or is not a JSON object in UTF-8.'],
  host_invalid: ['malformed', 'The Host header is missing or malformed.'],
  url_malformed: ['malformed', 'The URL is not percent-encoded correctly.'],

  api_key_invalid: ['unauthenticated', 'The API key is unknown, revoked or expired.'],
  api_key_missing: ['unauthenticated', 'The request has no API key.'],
  not_signed_in: ['unauthenticated', 'The request has no valid session.'],

  account_suspended: ['forbidden', 'The operator has suspended the account.'],
  api_key_restricted: ['forbidden', 'A key with restrictions cannot do this.'],
  cross_site_request: ['forbidden', 'The request did not come from a page of this server.'],
  email_unverified: ['forbidden', 'The email address is not verified.'],
  fetching_disabled: ['forbidden', 'This server does not open the pages of destinations.'],
  operator_required: ['forbidden', 'Only the operator of the server can do this.'],
  origin_not_allowed: ['forbidden', 'The key may not be used from pages of this origin.'],
  owner_required: ['forbidden', 'Only owners of the workspace can do this.'],
  password_required: ['forbidden', 'The link needs a password.'],
  password_wrong: ['forbidden', 'The password of the link is wrong.'],
  private_port: ['forbidden', 'The port is for connections of the service itself.'],
  provider_refused: ['forbidden', 'The account at the sign-in provider is not accepted.'],
  role_insufficient: ['forbidden', 'The role of the user in the workspace does not allow this.'],
  scope_missing: ['forbidden', 'The key lacks the scope.'],
  second_factor_required: [
    'forbidden',
    'The workspace requires two-factor sign-in, which the user has not turned on.',
  ],
  sign_up_closed: ['forbidden', 'Sign-up is closed, or needs an invitation.'],
  single_sign_on_required: ['forbidden', 'The server takes single sign-on only.'],
  visitors_only: [
    'forbidden',
    'The link can be opened by visitors only, not by programs that look ahead. Programs that show previews get it with status 200.',
  ],

  account_not_found: ['not-found', 'There is no such account.'],
  api_key_not_found: ['not-found', 'There is no such active key.'],
  audit_entry_not_found: ['not-found', 'There is no such entry of the audit log.'],
  domain_not_found: ['not-found', 'There is no such domain.'],
  endpoint_not_found: ['not-found', 'There is no endpoint with this path.'],
  folder_not_found: ['not-found', 'There is no such folder.'],
  host_not_blocked: ['not-found', 'The host is not blocked.'],
  identity_not_found: ['not-found', 'There is no such identity.'],
  import_not_found: ['not-found', 'There is no such import.'],
  invitation_not_found: ['not-found', 'There is no such invitation.'],
  link_disabled: ['not-found', 'The link is disabled.'],
  link_loops: ['not-found', 'The destination of the link is a short URL of this server.'],
  link_not_found: ['not-found', 'There is no such link.'],
  link_scheduled: ['not-found', 'The link does not work yet.'],
  member_not_found: ['not-found', 'There is no such member.'],
  not_found: ['not-found', 'There is nothing at this path.'],
  passkey_not_found: ['not-found', 'There is no such passkey.'],
  picture_not_found: ['not-found', 'The page has no picture that can be shown.'],
  provider_not_found: ['not-found', 'There is no such sign-in provider.'],
  public_stats_disabled: ['not-found', 'Public statistics are disabled.'],
  report_not_found: ['not-found', 'There is no open report about the link.'],
  session_not_found: ['not-found', 'There is no such session.'],
  share_not_found: ['not-found', 'The statistics are not shared.'],
  tag_not_found: ['not-found', 'There is no such tag.'],
  user_not_found: ['not-found', 'There is no such user.'],
  version_not_found: ['not-found', 'The link has no such version.'],
  view_not_found: ['not-found', 'There is no such view.'],
  workspace_not_found: ['not-found', 'The workspace does not exist, or the user is not a member of it.'],

  method_not_allowed: [
    'not-allowed',
    'The path does not support this method; `Allow` lists those that it supports.',
  ],

  account_exists: ['conflict', 'The email address has an account already.'],
  email_configured: ['conflict', 'The server sends email, so users request the link themselves.'],
  idempotency_in_progress: ['conflict', 'A request with this Idempotency-Key is still in progress.'],
  identity_linked: ['conflict', 'The account at the provider is already linked.'],
  import_closed: ['conflict', 'The import has ended, was undone or began too long ago.'],
  import_job_state: ['conflict', 'The import runs, has ended, or was not checked yet.'],
  import_kept: ['conflict', 'The import was undone already, or began too long ago.'],
  last_operator: ['conflict', 'This is the only operator account.'],
  last_owner: ['conflict', 'The workspace needs an owner.'],
  last_sign_in_method: ['conflict', 'The user could not sign in any more.'],
  limit_reached: ['conflict', 'No more of these can be added.'],
  member_ineligible: ['conflict', 'The user cannot become an owner.'],
  not_for_yourself: ['conflict', 'Users cannot do this to themselves.'],
  owner_already: ['conflict', 'The user owns the workspace already.'],
  passkeys_unavailable: ['conflict', 'Passkeys need a host name in BASE_URL.'],
  second_factor_first: ['conflict', 'The user must turn on two-factor sign-in for themselves first.'],
  second_factor_off: ['conflict', 'Two-factor sign-in is not enabled.'],
  second_factor_on: ['conflict', 'Two-factor sign-in is already enabled.'],
  share_exists: ['conflict', 'The statistics are shared already.'],
  version_conflict: ['conflict', 'The link has changed since it was read.'],
  workspace_shared: ['conflict', 'A workspace that the user owns has other members.'],

  link_blocked: ['gone', 'The operator has blocked the link.'],
  link_expired: ['gone', 'The link has expired.'],
  link_used_up: ['gone', 'The link has reached its limit of clicks.'],

  body_too_large: ['too-large', 'The body is over the limit.'],
  body_not_json: ['not-json', 'The content type of the body is not JSON.'],

  validation_failed: ['invalid', 'A value is invalid; `errors` says which.'],

  daily_limit_reached: ['too-many', 'What may be done in a day is used up.'],
  link_passwords_exceeded: ['too-many', 'The workspace has set its passwords of links for this hour.'],
  rate_limited: ['too-many', 'The requests of the hour are used up.'],
  too_many_attempts: ['too-many', 'Too many failed attempts.'],
  too_many_requests: ['too-many', 'Too many requests in a short time.'],
  too_many_streams: ['too-many', 'Too many exports or live streams are open.'],

  internal_error: ['internal', 'An internal error. `X-Request-Id` names the request in the log.'],

  api_unavailable: ['unavailable', 'The API does not respond at the moment.'],
  clicks_unavailable: ['unavailable', 'Clicks cannot be recorded at the moment.'],
  provider_misconfigured: ['unavailable', 'Sign-in with the provider is not set up correctly.'],
  provider_unavailable: ['unavailable', 'The sign-in provider cannot be reached.'],
  server_busy: ['unavailable', 'Too much is in progress at the moment.'],
  store_unavailable: ['unavailable', 'The database cannot be read or written at the moment.'],

  command_failed: ['command', 'A command cannot do this. Never sent by the server.'],
} as const satisfies Record<string, Definition>

export type RefusalCode = keyof typeof REFUSAL_CODES

/** Those that the server sends. */
export const API_REFUSAL_CODES = (Object.keys(REFUSAL_CODES) as RefusalCode[]).filter(
  (code) => REFUSAL_CODES[code][0] !== 'command',
)
