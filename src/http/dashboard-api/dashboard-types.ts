import type { createdLinkView, linkView } from '../api/link-view.ts'
import type { breakdownViews, countryView, overviewView, pointView } from '../api/analytics-views.ts'

/**
 * Every endpoint under /dashboard/api, with what it takes and what its `data` is: the one truth for the server, whose
 * handlers are checked against it, and for the dashboard, which imports these types and nothing else of the server.
 * Answers have the envelope of the API: `{ success, message, data?, meta? }`, refusals `{ success, message, errors }`.
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
  'POST /links/{short_code}/restore': { data: OwnLink }
  'GET /codes/{code}': { data: { is_free: boolean; reasons: string[] } }
  'GET /overview': { data: OverviewView }
  'GET /figures': { query: FiguresQuery; data: FiguresView; meta: FiguresMeta }
  'GET /top-links': { query: Omit<FiguresQuery, 'short_code'>; data: RangeLinkView[] }
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
  /** Only where no mail server is set. The link is told this once. */
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

/** What programs do with a key, people do with a cookie: the very objects that answer the API. */
export type SharedApi = {
  'POST /links': { input: NewLinkInput; data: CreatedLinkView }
  'POST /bulk-shorten': { input: { links: NewLinkInput[] }; data: CreatedLinkView[] }
  'PUT /links/{short_code}': {
    input: { original_url?: string; title?: string | null; is_active?: boolean }
    data: LinkView
  }
  'POST /links/{short_code}/toggle': { data: { is_active: boolean } }
  'DELETE /links/{short_code}': {}
}

/** Microseconds since 1970 as `2026-04-20T09:30:00.123456Z`. */
type Timestamp = string

export type InstanceView = {
  base_url: string
  sign_up: 'open' | 'invite' | 'closed'
  /** Nobody has an account: whoever signs up now is the operator. */
  is_empty: boolean
  /** False: mails are in DATA_DIR/outbox, and their links on the operator's console. */
  sends_mail: boolean
  /** False where BASE_URL names an IP address, for which browsers make none. */
  has_passkeys: boolean
}

/** True for the first account, and with an invitation; for all others the mail says how it goes on. */
export type SignUpView = { is_signed_in: boolean }

/** `needs_code`: the same once more, with the code of the authenticator app or a recovery code. */
export type SignInView = { is_signed_in: boolean; needs_code: boolean }

export type MeView = {
  id: number
  name: string
  email: string
  is_verified: boolean
  role: 'user' | 'admin'
  plan: string
  /** False until the operator has put an account on a plan: until then nobody needs to hear of plans. */
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

export type LinkView = ReturnType<typeof linkView>
/** `svc_id`: told this once. */
export type CreatedLinkView = ReturnType<typeof createdLinkView>
export type NewLinkInput = {
  original_url: string
  title?: string
  custom_code?: string
  is_active?: boolean
}

export type LinksQuery = {
  page?: number
  per_page?: number
  search?: string
  state?: 'all' | 'active' | 'inactive'
  order?: 'newest' | 'oldest' | 'most-clicks' | 'fewest-clicks'
}

/** `is_blocked`: its host is, by the operator. */
export type OwnLink = LinkView & { is_blocked: boolean }
/** `sparkline`: clicks of the last 30 UTC days, today last. */
export type ListedLink = OwnLink & { sparkline: number[] }

export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number }

/** One element of `links`, in order. `errors` has the fields as creating the link would name them; {} when it is good. */
export type CheckedRow = { index: number; errors: Record<string, string[]> }

export type OverviewView = ReturnType<typeof overviewView> & { recent_clicks: ClickView[] }

/** A click of the last minutes. Of a bot nothing is known but that it came. */
export type ClickView = {
  id: number
  /** Null when the link has been deleted meanwhile. */
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
export type FiguresQuery = {
  period?: string
  from?: string
  to?: string
  granularity?: string
  timezone?: string
  limit?: number
  short_code?: string
}

type Granularity = 'hour' | 'day' | 'month'

export type RangeMeta = {
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
export type FiguresView = ReturnType<typeof breakdownViews> & {
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

export type FiguresMeta = RangeMeta & {
  /** What it is when none is asked for; those that can be asked for. */
  automatic_granularity: Granularity
  possible_granularities: Granularity[]
  /** The place of the hour, day or month that is not over; null when all are. */
  running_point: number | null
  /** When the link, or the account, was created, if the time that was asked for begins before; else null. */
  starts_at_creation: Timestamp | null
  as_of: Timestamp
  /** As `event: totals` tells them; read before the figures. */
  totals: LiveTotals
}

/** `clicks`: of the range. `comparison`: of what is over of it, as in ComparisonView. */
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

/** Shown this once. */
export type NewKeyView = { id: number; key: string }

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

/** `link`: told this once, for the operator to pass on; null where it is mailed. */
export type NewInvitationView = InvitationView & { link: string | null }

/** What GET /live sends: `event: clicks` with the first, `event: totals` with the second. */
export type LiveClicks = { clicks: ClickView[] }
export type LiveTotals = { total_clicks: number; bot_clicks: number }
