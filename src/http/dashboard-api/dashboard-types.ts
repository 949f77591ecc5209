import type { KeyRestrictions } from '../../access/key-restrictions.ts'
import type { UsedUtmValues } from '../../links/used-utm-values.ts'
import type { NewViewInput, ViewChangesInput } from '../../links/views/view-fields.ts'
import type { FailureReason } from '../../destination-pages/guarded-client.ts'
import type { conditionChoices } from '../../links/rules/condition-fields.ts'
import type { LinkEditInput, NewLinkInput } from '../../links/link-fields.ts'
import type { SettingsInput, WorkspaceSettings } from '../../workspaces/settings/workspace-settings.ts'
import type { ReportAction } from '../../operator/reports/answer-reports.ts'
import type { Reason } from '../../operator/reports/report-fields.ts'
import type { QrStyleInput } from '../../qr/qr-style.ts'
import type { MemberRole, WorkspaceApi, WorkspacesView } from './workspace-types.ts'
import type { ProviderView, SingleSignOnApi } from './single-sign-on-types.ts'
import type { QrVerdict } from '../../qr/qr-verdict.ts'
import type { Explanation } from '../../redirect/explain-route.ts'
import type { BulkUpdateInput } from '../../links/bulk/bulk-fields.ts'
import type { AuditEntryView } from '../api/endpoints/audit-endpoints.ts'
import type { ChangedLinkView } from '../api/endpoints/bulk-endpoints.ts'
import type { DomainStatus } from '../../domains/find-domains.ts'
import type { DomainEdit } from '../../domains/edit-domain.ts'
import type { DomainView } from '../api/endpoints/domain-view.ts'
import type { LabelView } from '../api/endpoints/label-endpoints.ts'
import type { CreatedLinkView, LinkView } from '../api/endpoints/link-view.ts'
import type { DeletedLinkView } from '../api/endpoints/trash-endpoints.ts'
import type { LinkVersionView } from '../api/endpoints/version-endpoints.ts'
import type {
  breakdownViews,
  countryView,
  overviewView,
  pointView,
} from '../api/endpoints/analytics-views.ts'

/** What has a file of its own. */
type PartsOfApi = WorkspaceApi & SingleSignOnApi

/**
 * Every endpoint under /dashboard/api with its input and `data`. The server's handlers are checked against it, and the dashboard
 * imports these types and nothing else of the server. Responses have the API's envelope: `{ success, message, data?, meta? }`,
 * refusals `{ success, message, errors }`.
 */
export type DashboardApi = PartsOfApi & {
  'GET /instance': { data: InstanceView }
  'POST /sign-up': {
    input: { name: string; email: string; password: string; invitation?: string }
    data: SignUpView
  }
  /** `workspace`: null if the operator has invited, to sign up only. */
  'POST /invitations/read': {
    input: { token: string }
    data: { email: string; workspace: { name: string; role: MemberRole; invited_by: string | null } | null }
  }
  'POST /verify-email': { input: { token: string }; data: { email: string } }
  'POST /verify-email/resend': { input: { email: string } }
  'POST /confirm-email': { input: { token: string }; data: { email: string } }
  'POST /forgot-password': { input: { email: string } }
  'POST /reset-password': { input: { token: string; password: string }; data: { email: string } }
  'POST /session': { input: { email: string; password: string; code?: string }; data: SignInView }
  'POST /session/passkey/options': { data: object }
  'POST /session/passkey': { input: { response: object }; data: SignInView }

  'GET /session': { data: MeView }
  'DELETE /session': {}
  'GET /sessions': { data: SessionView[] }
  'DELETE /sessions': {}
  'DELETE /sessions/{id}': {}
  'PUT /account': { input: { name: string }; data: MeView }
  'DELETE /account': { input: { password: string } }
  'POST /account/email': { input: { email: string; password: string } }
  'POST /account/password': { input: { password: string; new_password: string } }
  'POST /two-factor': { input: { password: string }; data: { secret: string; uri: string } }
  'POST /two-factor/confirm': { input: { code: string }; data: { recovery_codes: string[] } }
  'POST /two-factor/recovery-codes': { input: { password: string }; data: { recovery_codes: string[] } }
  'DELETE /two-factor': { input: { password: string } }
  'GET /passkeys': { data: PasskeyView[] }
  'POST /passkeys/options': { input: { password: string }; data: object }
  'POST /passkeys': { input: { name: string; response: object }; data: PasskeyView }
  'DELETE /passkeys/{id}': { input: { password: string } }

  'GET /links': { query: LinksQuery; data: ListedLink[]; meta: ListMeta }
  /** The four that match best: by exact code first, archived ones last. `is_more`: there may be more than `total`. */
  'GET /find-links': {
    query: { search: string }
    data: OwnLink[]
    meta: { total: number; is_more: boolean }
  }
  'GET /links/{short_code}': { data: OwnLink }
  /** `seen_version`: refused with 409 if somebody else has changed the link after it. */
  'PUT /links/{short_code}': { input: LinkEditInput & { seen_version?: number } }
  /** The latest fifty, newest first. */
  'GET /links/{short_code}/destinations': { data: LinkDestinationView[] }
  /** By the ID of the link: several deleted links may have had one code. */
  'POST /trash/links/{id}/restore': {}
  'DELETE /trash/links/{id}': {}
  'POST /links/check': { input: { links: object[] }; data: CheckedRow[] }
  /**
   * `link`: as it stands in the editor. With `short_code`, what the edit of that link changes: the rest is as stored, such as
   * a password that is kept. Errors have the names of creation, and `visit.at`.
   */
  'POST /links/resolve': {
    query: { domain?: string }
    input: { visit?: EditorVisit } & (
      { link: NewLinkInput; short_code?: null } | { link: LinkEditInput; short_code: string }
    )
    data: Explanation
  }
  'POST /destinations/look': { input: { url: string }; data: DestinationView }
  /** A code that is free now. Nothing is reserved. */
  'POST /codes': { data: { code: string } }
  /** Of the newest links; the most used first. */
  'GET /utm-values': { data: UsedUtmValues }
  /** A style that is not stored. Its errors have the names of its fields. */
  'POST /links/{short_code}/qr': { input: QrStyleInput; data: { svg: string; verdict: QrVerdict } }
  'GET /codes/{code}': { query: { domain?: string }; data: { is_free: boolean; reasons: string[] } }
  /** Editors change `utm_templates` and `qr_style`, admins all. */
  'PUT /workspace/settings': { input: SettingsInput; data: WorkspaceSettings }
  /** Own ones, and those that others share. `query`: of the list's URL; what is no filter, sorting or column is dropped. */
  'GET /views': { data: SavedViewView[] }
  'POST /views': { input: NewViewInput; data: { id: number } }
  'PUT /views/{id}': { input: ViewChangesInput }
  'DELETE /views/{id}': {}
  /** What conditions of rules can name. */
  'GET /condition-choices': { data: ConditionChoices }
  'GET /overview': { data: OverviewView }
  'GET /figures': { query: AnalyticsQuery; data: AnalyticsView; meta: AnalyticsMeta }
  'GET /top-links': { query: Omit<AnalyticsQuery, 'short_code'>; data: RangeLinkView[] }
  'GET /audit-log': { query: AuditQuery; data: AuditEntryView[]; meta: AuditMeta }
  /** Whom the log can be narrowed to: the members, and all keys. */
  'GET /audit-log/actors': { data: { users: NamedView[]; api_keys: NamedView[] } }
  /** `restorable`: the version of the link before the change of an entry; null where there is none. */
  'GET /audit-log/{id}/version-before': { data: { restorable: RestorableVersion | null } }
  'GET /keys': { data: KeyView[] }
  'POST /keys': {
    input: {
      name: string
      scopes: string[]
      rate_limit?: number | null
      restrictions?: KeyRestrictions | null
    }
    data: NewKeyView
  }
  'DELETE /keys/{id}': {}
  'GET /usage': { data: UsageView }

  'GET /admin/users': { query: SearchedPage; data: ManagedUserView[]; meta: PageMeta }
  'PUT /admin/users/{id}': { input: { role?: string; is_verified?: boolean; password?: string } }
  'POST /admin/users/{id}/suspend': {}
  'POST /admin/users/{id}/reinstate': {}
  /** Only without a mail server. The link is shown once. */
  'POST /admin/users/{id}/reset-link': {
    input: { password: string }
    data: { email: string; link: string; expires_at: Timestamp }
  }
  'GET /admin/workspaces': { query: SearchedPage; data: ManagedWorkspaceView[]; meta: PageMeta }
  'PUT /admin/workspaces/{id}': { input: { plan?: string; rate_limit?: number | null } }
  'POST /admin/workspaces/{id}/suspend': {}
  'POST /admin/workspaces/{id}/reinstate': {}
  'GET /admin/domains': { query: SearchedPage; data: ManagedDomainView[]; meta: PageMeta }
  /** A domain that every workspace can use. */
  'POST /admin/domains': { input: { host: string }; data: { host: string } }
  'DELETE /admin/domains/{host}': {}
  'GET /admin/blocked-hosts': { data: BlockedHostView[] }
  'POST /admin/blocked-hosts': { input: { host: string; reason?: string }; data: BlockedHostView }
  'DELETE /admin/blocked-hosts/{host}': {}
  'GET /admin/reports': {
    query: { page?: number; state?: 'open' | 'closed' }
    data: ReportedLinkView[]
    meta: PageMeta
  }
  'POST /admin/reports/{id}/close': { input: { action: ReportAction }; data: { closed: number } }
  'GET /admin/invitations': { data: InvitationView[] }
  'POST /admin/invitations': { input: { email: string }; data: NewInvitationView }
  'DELETE /admin/invitations/{id}': {}
}

/** Served by the same endpoints as the API, with a cookie instead of a key. */
export type SharedApi = {
  'POST /links': { input: NewLinkInput; data: CreatedLinkView }
  'POST /bulk-shorten': { input: { links: NewLinkInput[] }; data: CreatedLinkView[] }
  'GET /links/{short_code}/resolve': { query: ExplainedVisit; data: Explanation }
  'POST /links/{short_code}/toggle': { data: { is_active: boolean } }
  'DELETE /links/{short_code}': {}
  'POST /links/bulk-update': { input: BulkUpdateInput; data: ChangedLinkView[] }
  'POST /links/bulk-delete': { input: { short_codes: string[]; domain?: string; dry_run?: boolean } }
  'POST /links/bulk-restore': { input: { short_codes: string[]; domain?: string } }
  'GET /domains': { data: DomainView[] }
  'POST /domains': { input: { host: string }; data: DomainView }
  'PUT /domains/{host}': { input: DomainEdit; data: DomainView }
  'DELETE /domains/{host}': {}
  'POST /domains/{host}/verify': { data: DomainView }
  'GET /tags': { data: LabelView[] }
  'POST /tags': { input: NewLabelInput; data: LabelView }
  'PUT /tags/{id}': { input: Partial<NewLabelInput>; data: LabelView }
  'POST /tags/{id}/merge': { input: { into: number }; data: LabelView }
  'DELETE /tags/{id}': {}
  'GET /folders': { data: LabelView[] }
  'POST /folders': { input: NewLabelInput; data: LabelView }
  'PUT /folders/{id}': { input: Partial<NewLabelInput>; data: LabelView }
  'POST /folders/{id}/merge': { input: { into: number }; data: LabelView }
  'DELETE /folders/{id}': {}
  'POST /links/{short_code}/restore': { data: LinkView }
  'GET /links/{short_code}/versions': {
    query: { page?: number; per_page?: number }
    data: LinkVersionView[]
    meta: PageMeta
  }
  'POST /links/{short_code}/versions/{version}/restore': { query: { domain?: string }; data: LinkView }
  'GET /trash': { query: { page?: number; per_page?: number }; data: DeletedLinkView[]; meta: PageMeta }
  'GET /workspace/settings': { data: WorkspaceSettings }
}

/** `current_version`: of the link now. */
export type RestorableVersion = {
  short_code: string
  domain: string
  version: number
  current_version: number
}

/** A tag or a folder. `color`: from 0 to 5. */
type NewLabelInput = { name: string; color?: number }

/** Microseconds since 1970 as `2026-04-20T09:30:00.123456Z`. */
type Timestamp = string

export type InstanceView = {
  base_url: string
  sign_up: 'open' | 'invite' | 'closed'
  /** Nobody has an account: the first user to sign up becomes the operator. */
  is_empty: boolean
  /** False: emails go to DATA_DIR/outbox, and their links to the operator's console. */
  sends_mail: boolean
  /** False: the operator has switched it off. */
  looks_at_destinations: boolean
  /** How long deleted links can be restored. */
  trash_days: number
  /** How long entries of the audit log are kept. */
  audit_days: number
  /** False if BASE_URL is an IP address, for which browsers allow no passkeys. */
  has_passkeys: boolean
  /** Of single sign-on. */
  providers: ProviderView[]
  /** Passwords and passkeys are for operators only, and nobody signs up with a password. */
  providers_only: boolean
}

/** True for the first account and with an invitation. All others get an email with the next step. */
type SignUpView = { is_signed_in: boolean }

/** `needs_code`: send the same again with a code of the authenticator app or a recovery code. */
type SignInView = { is_signed_in: boolean; needs_code: boolean }

export type MeView = WorkspacesView & {
  id: number
  name: string
  email: string
  is_verified: boolean
  role: 'user' | 'admin'
  plan: string
  /** False until the operator has assigned a plan. Until then, the dashboard does not mention plans. */
  has_plans: boolean
  /** For each key; null: no limit. */
  requests_per_hour: number | null
  subscription: { status: string; expires_at: Timestamp | null }
  created_at: Timestamp
  /** `confirmed_until`: of this session; where no password is asked for, because there is none. Null: not confirmed. */
  security: {
    has_password: boolean
    has_two_factor: boolean
    recovery_codes_left: number
    passkeys: number
    confirmed_until: Timestamp | null
  }
}

export type SessionView = {
  id: number
  device: string
  created_at: Timestamp
  last_used_at: Timestamp
  is_this_one: boolean
}

export type PasskeyView = { id: number; name: string; created_at: Timestamp; last_used_at: Timestamp | null }

export type { BulkUpdateInput, ChangedLinkView, SettingsInput, WorkspaceSettings }
export type { LabelView }
export type { AuditEntryView, CreatedLinkView, LinkEditInput, LinkVersionView, LinkView, NewLinkInput }

export type AuditQuery = {
  page?: number
  per_page?: number
  search?: string
  /** Any of them, as with the other lists of values. */
  user?: readonly number[]
  key?: readonly number[]
  action?: readonly string[]
  client?: readonly string[]
  from?: Timestamp
  to?: Timestamp
}

/** `is_complete`: false if the period may have older entries than the list reaches. */
type AuditMeta = PageMeta & { is_complete: boolean }

type NamedView = { id: number; name: string }

export type LinksQuery = {
  page?: number
  per_page?: number
  search?: string
  /** Any of up to 100. */
  id?: readonly number[]
  external_id?: string
  archived?: 'exclude' | 'only' | 'include'
  /** Any of them. */
  status?: readonly LinkView['status'][]
  needs_attention?: 'true'
  /** Names; a link must have any of them, or all with `tag_mode`. */
  tag?: readonly string[]
  tag_mode?: 'any' | 'all'
  folder?: readonly string[]
  /** Hosts of short URLs; any of them. */
  domain?: readonly string[]
  created_by?: readonly number[]
  created_from?: Timestamp
  created_to?: Timestamp
  expires_before?: Timestamp
  sort?: 'created_at' | 'clicks' | 'title' | 'last_clicked_at'
  order?: 'asc' | 'desc'
}

/** All that is absent is unknown; `at` is now then. `language` is an Accept-Language header. */
type ExplainedVisit = {
  country?: string
  user_agent?: string
  language?: string
  at?: string
  query?: string
}

/** Names as the analytics have them. */
type EditorVisit = ExplainedVisit & { device?: string; os?: string; browser?: string }

/** `opened`: how many of its `max_clicks` are used. `version`: its latest. */
export type OwnLink = LinkView & { opened: number; version: number }
export type DeletedLink = DeletedLinkView
/** Where a link leads, or led, since this version. `clicks`: in that time; null if the hours do not tell it exactly. */
export type LinkDestinationView = {
  version: number
  since: Timestamp
  original_url: string
  clicks: number | null
}
/** `sparkline`: clicks of the last 30 UTC days, today last. */
export type ListedLink = OwnLink & { last_clicked_at: Timestamp | null; sparkline: number[] }

export type SavedViewView = {
  id: number
  name: string
  query: string
  is_shared: boolean
  /** Only the user who saved a view can change it. Admins can also delete shared views. */
  is_own: boolean
  /** The name of the user who saved it. */
  saved_by: string
  created_at: Timestamp
}

/** `archived`: how many archived links the workspace has, whatever is listed. */
export type ListMeta = PageMeta & { archived: number; totals: LiveTotals }
export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number }

/** One element of `links`, in order. `errors` is what creating the link would answer; {} if it is valid. */
export type CheckedRow = { index: number; errors: Record<string, string[]> }

/**
 * What the page of a destination answered. `status` is null after a `failure`; `redirects_to` is where it ended. Texts are plain
 * and short. Pictures are shown by `GET /destinations/picture?url=`.
 */
export type DestinationView = {
  redirects_to: string | null
  status: number | null
  failure: FailureReason | null
  title: string | null
  description: string | null
  icon_url: string | null
  image_url: string | null
}

export type OverviewView = ReturnType<typeof overviewView> & { recent_clicks: ClickView[] }

/** A click of the last minutes. Nothing else is stored about bots. */
export type ClickView = {
  id: number
  /** Null if the link was deleted. */
  short_code: string | null
  domain: string | null
  title: string | null
  clicked_at: Timestamp
  is_bot: boolean
  country_code: string | null
  country: string
  device: string
  browser: string
  operating_system: string
  referrer: string | null
}

/** As the API's analytics take them; `short_code` for one link instead of all. */
export type AnalyticsQuery = {
  period?: string
  from?: string
  to?: string
  granularity?: string
  timezone?: string
  limit?: number
  short_code?: string
  /** Of the code. */
  domain?: string
}

type Granularity = 'hour' | 'day' | 'month'

type RangeMeta = {
  from: Timestamp
  to: Timestamp
  granularity: Granularity
  timezone: string
  total: number
}

export type ClickPoint = ReturnType<typeof pointView> & { bots: number }
export type CountryClicks = ReturnType<typeof countryView>

export type Counts = { clicks: number; unique_visitors: number; bots: number }

/** `clicks_today`: since midnight in the time zone. `comparison`: null where there is nothing to compare. */
export type AnalyticsView = ReturnType<typeof breakdownViews> & {
  total_clicks: number
  unique_visitors: number
  bot_clicks: number
  clicks_today: number
  comparison: ComparisonView | null
  last_clicked_at: Timestamp | null
  timeseries: ClickPoint[]
}

/**
 * The first `points` of the series, which are over, and the same ones of the time before; `before` is null where the
 * link, or the account, was not there for all of it.
 */
export type ComparisonView = { points: number; now: Counts; before: Counts | null }

export type AnalyticsMeta = RangeMeta & {
  /** The default, and the possible values. */
  automatic_granularity: Granularity
  possible_granularities: Granularity[]
  /** The index of the hour, day or month that is not over; null if all are. */
  running_point: number | null
  /** When the link or account was created, if the requested range starts before; else null. */
  starts_at_creation: Timestamp | null
  as_of: Timestamp
  /** As in `event: totals`; read before the analytics. */
  totals: LiveTotals
}

/** `clicks`: in the range. `comparison`: as in ComparisonView. */
export type RangeLinkView = {
  id: number
  short_code: string
  domain: string
  title: string
  clicks: number
  comparison: { now: number; before: number | null } | null
}

export type KeyView = {
  id: number
  name: string
  /** The same for every key. */
  key: string
  /** `tern_…Ab3x`; null for keys made before these were kept. */
  key_hint: string | null
  scopes: string[]
  /** What makes the key safe to publish; null: nothing. */
  restrictions: KeyRestrictions | null
  /** Null: no limit. */
  rate_limit: number | null
  current_usage: number
  reset_at: Timestamp | null
  last_used_at: Timestamp | null
  is_revoked: boolean
  created_at: Timestamp
}

/** Shown once. */
type NewKeyView = { id: number; key: string }

/** Counted requests of all keys, of the last 30 UTC days, today last. */
export type UsageView = {
  days: { date: string; requests: number }[]
  last_seven_days: number
  last_thirty_days: number
}

type SearchedPage = { page?: number; per_page?: number; search?: string }

export type ManagedUserView = {
  id: number
  name: string
  email: string
  is_verified: boolean
  role: 'user' | 'admin'
  is_suspended: boolean
  has_two_factor: boolean
  /** How many they are a member of. */
  workspaces: number
  created_at: Timestamp
  last_signed_in_at: Timestamp | null
}

export type ManagedWorkspaceView = {
  id: number
  name: string
  /** An email: of several owners, the first. */
  owner: string | null
  is_owner_operator: boolean
  plan: string
  /** Null: what the plan allows. */
  rate_limit: number | null
  /** For each key of the owner. Null: no limit. */
  requests_per_hour: number | null
  is_suspended: boolean
  members: number
  links: number
  clicks: number
  created_at: Timestamp
}

/** `workspace`: null if every workspace can use it. `failure`: what the last check has missed. */
export type ManagedDomainView = {
  id: number
  host: string
  workspace: { id: number; name: string } | null
  status: DomainStatus
  failure: string | null
  verified_at: Timestamp | null
  checked_at: Timestamp | null
  failing_since: Timestamp | null
  created_at: Timestamp
}

export type BlockedHostView = { host: string; reason: string; blocked_at: Timestamp }

/** `reports`: the newest of `count`. `current` and `workspace`: null if the link or its workspace is deleted. */
export type ReportedLinkView = {
  link_id: number
  short_url: string
  /** The destination when it was reported last. */
  reported_url: string
  current: { original_url: string; is_active: boolean } | null
  workspace: { id: number; name: string; owner: string | null; is_suspended: boolean } | null
  count: number
  reports: ReportView[]
}
type ReportView = {
  id: number
  reason: Reason
  message: string
  reported_at: Timestamp
  closed_at: Timestamp | null
  closed_by: string | null
}

export type InvitationView = { id: number; email: string; created_at: Timestamp; expires_at: Timestamp }

/** `link`: shown once, for the operator to pass on; null if it is sent by email. */
type NewInvitationView = InvitationView & { link: string | null }

export type ConditionChoices = ReturnType<typeof conditionChoices>

/** What GET /live sends: `event: clicks` with the first, `event: totals` with the second. */
export type LiveClicks = { clicks: ClickView[] }
export type LiveTotals = { total_clicks: number; bot_clicks: number }

export type { ReportAction }
