import type { LinkEditInput, NewLinkInput } from '../../links/link-fields.ts'
import type { Explanation } from '../../redirect/explain-route.ts'
import type { CreatedLinkView, LinkView } from '../api/endpoints/link-view.ts'
import type { DeletedLinkView } from '../api/endpoints/trash-endpoints.ts'
import type { LinkVersionView } from '../api/endpoints/version-endpoints.ts'
import type {
  breakdownViews,
  countryView,
  overviewView,
  pointView,
} from '../api/endpoints/analytics-views.ts'

/**
 * Every endpoint under /dashboard/api with its input and `data`. The server's handlers are checked against it, and the dashboard
 * imports these types and nothing else of the server. Responses have the API's envelope: `{ success, message, data?, meta? }`,
 * refusals `{ success, message, errors }`.
 */
export type DashboardApi = {
  'GET /instance': { data: InstanceView }
  'POST /sign-up': {
    input: { name: string; email: string; password: string; invitation?: string }
    data: SignUpView
  }
  'POST /invitations/read': { input: { token: string }; data: { email: string } }
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

  'GET /links': { query: LinksQuery; data: ListedLink[]; meta: PageMeta & { totals: LiveTotals } }
  'GET /links/{short_code}': { data: OwnLink }
  'POST /links/check': { input: { links: object[] }; data: CheckedRow[] }
  /** `link`: as it stands in the editor. Errors have the names of creation, and `visit.at`. */
  'POST /links/resolve': { input: { link: NewLinkInput; visit?: ExplainedVisit }; data: Explanation }
  'GET /codes/{code}': { data: { is_free: boolean; reasons: string[] } }
  'GET /overview': { data: OverviewView }
  'GET /figures': { query: AnalyticsQuery; data: AnalyticsView; meta: AnalyticsMeta }
  'GET /top-links': { query: Omit<AnalyticsQuery, 'short_code'>; data: RangeLinkView[] }
  'GET /keys': { data: KeyView[] }
  'POST /keys': { input: { name: string; scopes: string[]; rate_limit?: number | null }; data: NewKeyView }
  'DELETE /keys/{id}': {}
  'GET /usage': { data: UsageView }

  'GET /admin/accounts': {
    query: { page?: number; per_page?: number; search?: string }
    data: ManagedAccountView[]
    meta: PageMeta
  }
  'PUT /admin/accounts/{id}': {
    input: { plan?: string; rate_limit?: number | null; role?: string; is_verified?: boolean }
  }
  'POST /admin/accounts/{id}/suspend': {}
  'POST /admin/accounts/{id}/reinstate': {}
  /** Only without a mail server. The link is shown once. */
  'POST /admin/accounts/{id}/reset-link': {
    input: { password: string }
    data: { email: string; link: string; expires_at: Timestamp }
  }
  'GET /admin/blocked-hosts': { data: BlockedHostView[] }
  'POST /admin/blocked-hosts': { input: { host: string; reason?: string }; data: BlockedHostView }
  'DELETE /admin/blocked-hosts/{host}': {}
  'GET /admin/invitations': { data: InvitationView[] }
  'POST /admin/invitations': { input: { email: string }; data: NewInvitationView }
  'DELETE /admin/invitations/{id}': {}
}

/** Served by the same endpoints as the API, with a cookie instead of a key. */
export type SharedApi = {
  'POST /links': { input: NewLinkInput; data: CreatedLinkView }
  'POST /bulk-shorten': { input: { links: NewLinkInput[] }; data: CreatedLinkView[] }
  'PUT /links/{short_code}': {
    input: LinkEditInput
    data: LinkView
  }
  'GET /links/{short_code}/resolve': { query: ExplainedVisit; data: Explanation }
  'POST /links/{short_code}/toggle': { data: { is_active: boolean } }
  'DELETE /links/{short_code}': {}
  'POST /links/{short_code}/restore': { data: OwnLink }
  'GET /links/{short_code}/versions': {
    query: { page?: number; per_page?: number }
    data: LinkVersionView[]
    meta: PageMeta
  }
  'POST /links/{short_code}/versions/{version}/restore': { data: OwnLink }
  'GET /trash': { query: { page?: number; per_page?: number }; data: DeletedLinkView[]; meta: PageMeta }
  'DELETE /trash/{short_code}': {}
}

/** Microseconds since 1970 as `2026-04-20T09:30:00.123456Z`. */
type Timestamp = string

export type InstanceView = {
  base_url: string
  sign_up: 'open' | 'invite' | 'closed'
  /** Nobody has an account: the first user to sign up becomes the operator. */
  is_empty: boolean
  /** False: emails go to DATA_DIR/outbox, and their links to the operator's console. */
  sends_mail: boolean
  /** False if BASE_URL is an IP address, for which browsers allow no passkeys. */
  has_passkeys: boolean
}

/** True for the first account and with an invitation. All others get an email with the next step. */
type SignUpView = { is_signed_in: boolean }

/** `needs_code`: send the same again with a code of the authenticator app or a recovery code. */
type SignInView = { is_signed_in: boolean; needs_code: boolean }

export type MeView = {
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
  security: { has_two_factor: boolean; recovery_codes_left: number; passkeys: number }
}

export type SessionView = {
  id: number
  device: string
  created_at: Timestamp
  last_used_at: Timestamp
  is_this_one: boolean
}

export type PasskeyView = { id: number; name: string; created_at: Timestamp; last_used_at: Timestamp | null }

export type { CreatedLinkView, LinkEditInput, LinkView, NewLinkInput }

export type LinksQuery = {
  page?: number
  per_page?: number
  search?: string
  state?: 'all' | 'active' | 'inactive'
  archived?: 'exclude' | 'only' | 'include'
  order?: 'newest' | 'oldest' | 'most-clicks' | 'fewest-clicks'
}

/** All that is absent is unknown; `at` is now then. `language` is an Accept-Language header. */
type ExplainedVisit = {
  country?: string
  user_agent?: string
  language?: string
  at?: string
  query?: string
}

export type OwnLink = LinkView
export type DeletedLink = DeletedLinkView
/** `sparkline`: clicks of the last 30 UTC days, today last. */
export type ListedLink = OwnLink & { sparkline: number[] }

export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number }

/** One element of `links`, in order. `errors` is what creating the link would answer; {} if it is valid. */
export type CheckedRow = { index: number; errors: Record<string, string[]> }

export type OverviewView = ReturnType<typeof overviewView> & { recent_clicks: ClickView[] }

/** A click of the last minutes. Nothing else is stored about bots. */
export type ClickView = {
  id: number
  /** Null if the link was deleted. */
  short_code: string | null
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

export type ManagedAccountView = {
  id: number
  name: string
  email: string
  is_verified: boolean
  role: 'user' | 'admin'
  plan: string
  /** Null: what the plan allows; an operator has no limit then. */
  rate_limit: number | null
  /** Null: no limit. */
  requests_per_hour: number | null
  is_suspended: boolean
  has_two_factor: boolean
  links: number
  clicks: number
  created_at: Timestamp
  last_signed_in_at: Timestamp | null
}

export type BlockedHostView = { host: string; reason: string; blocked_at: Timestamp }
export type InvitationView = { id: number; email: string; created_at: Timestamp; expires_at: Timestamp }

/** `link`: shown once, for the operator to pass on; null if it is sent by email. */
type NewInvitationView = InvitationView & { link: string | null }

/** What GET /live sends: `event: clicks` with the first, `event: totals` with the second. */
export type LiveClicks = { clicks: ClickView[] }
export type LiveTotals = { total_clicks: number; bot_clicks: number }
