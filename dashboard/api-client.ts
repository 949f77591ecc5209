import { apiAddress, type Query, request } from './request.ts'

// All endpoints that the pages use, with the shapes of their answers: those of the public API where it has them.

type Data<Value> = { success: true; message: string; data: Value }
type Listed<Value, Meta> = Data<Value> & { meta: Meta }

export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number }

export type User = {
  id: number
  name: string
  email: string
  created_at: string
  is_verified: boolean
  is_operator: boolean
}
export type Session = {
  /** null: nobody is signed in. */
  user: User | null
  instance: {
    /** As `BASE_URL` has it, without a slash at its end. */
    base_url: string
    signup: 'open' | 'invite' | 'closed'
    /** `outbox`: no mail server is set up, mails are files for the operator. */
    mail: 'smtp' | 'outbox'
    has_accounts: boolean
  }
}

export type Link = {
  id: number
  short_code: string
  short_url: string
  original_url: string
  title: string
  click_count: number
  qr_code_url: string
  is_active: boolean
  created_at: string
  /** Its destination's host was blocked by the operator. */
  is_blocked?: boolean
  /** The last 30 UTC days, today last. */
  clicks_by_day?: number[]
}
export type NewLink = { original_url: string; title?: string; custom_code?: string }
export type LinkStatus = 'all' | 'active' | 'inactive'
export type LinkSort = 'newest' | 'oldest' | 'clicks'
export type LinkListQuery = { page: number; search: string; status: LinkStatus; sort: LinkSort }

export type Period = '24h' | '7d' | '30d' | '90d' | '12m' | 'all'
export type Granularity = 'hour' | 'day' | 'month'
export type RangeQuery = {
  period?: Period
  from?: string
  to?: string
  granularity?: Granularity
  timezone: string
}
export type RangeMeta = {
  from: string
  to: string
  granularity: Granularity
  timezone: string
  total: number
}
export type Point = { date: string; clicks: number; unique_visitors: number }
type Counts = { clicks: number; percentage: number }
export type CountryClicks = Counts & { country_code: string | null; country: string }
export type Breakdowns = {
  countries: CountryClicks[]
  devices: (Counts & { device: string })[]
  browsers: (Counts & { browser: string })[]
  operating_systems: (Counts & { operating_system: string })[]
  referrers: (Counts & { referrer: string | null })[]
}
export type Analytics = Breakdowns & {
  total_clicks: number
  unique_visitors: number
  bot_clicks: number
  last_clicked_at: string | null
  timeseries: Point[]
  /** The same span of time just before; null when there is none. */
  previous?: { clicks: number; unique_visitors: number; bot_clicks: number } | null
}
export type LinkAnalytics = Analytics & {
  link: { id: number; short_code: string; short_url: string; title: string }
}
export type Overview = {
  overview: { total_links: number; total_clicks: number; active_links: number; clicks_today: number }
  top_links: { id: number; short_code: string; title: string; click_count: number }[]
}
/** One counted click, as the stream tells it. */
export type LiveClick = {
  short_code: string
  clicked_at: string
  country_code: string | null
  country: string
  browser: string
  device: string
  referrer: string | null
  is_bot: boolean
}

export type ApiKey = {
  id: number
  name: string
  key: string
  is_active: boolean
  permissions: string[]
  rate_limit: number
  current_usage: number
  last_used_at: string | null
  created_at: string
}
export type NewKey = { name: string; permissions: string[]; rate_limit: number }
export type Usage = {
  daily_usage: { date: string; requests: number }[]
  weekly_usage: number
  monthly_usage: number
}

export type Account = {
  user: User & { pending_email: string | null }
  subscription: { plan: string; status: string; expires_at: string | null }
  /** The most that a key of this plan may have. */
  limits: { rate_limit: number }
  security: {
    two_factor: { is_on: boolean; recovery_codes_left: number }
    passkeys: { id: string; name: string; created_at: string; last_used_at: string | null }[]
  }
}
export type SignedInSession = {
  id: string
  device: string
  is_current: boolean
  created_at: string
  last_used_at: string
}

export type AdminAccount = {
  id: number
  name: string
  email: string
  plan: string
  rate_limit: number | null
  links: number
  clicks: number
  last_seen_at: string | null
  is_verified: boolean
  is_suspended: boolean
  is_operator: boolean
}
export type BlockedHost = { host: string; reason: string; links: number; created_at: string }

/** Passkey options and answers are the browser's own JSON forms (WebAuthn Level 3), passed through. */
type Opaque = Record<string, unknown>

const LINKS = '/links'
const linkPath = (code: string) => `${LINKS}/${encodeURIComponent(code)}`
const PER_PAGE = 25

export const api = {
  session: () => request<Data<Session>>('GET', '/session'),
  signIn: (body: { email: string; password: string; code?: string }) =>
    request<Data<{ needs_code: boolean }>>('POST', '/sign-in', { body }),
  signOut: () => request('POST', '/sign-out'),
  signUp: (body: { name: string; email: string; password: string; invite?: string }) =>
    request<Data<{ is_signed_in: boolean }>>('POST', '/sign-up', { body }),
  verifyEmail: (token: string) => request('POST', '/verify-email', { body: { token } }),
  sendVerification: (email: string) => request('POST', '/verify-email/send', { body: { email } }),
  sendReset: (email: string) => request('POST', '/reset-password/send', { body: { email } }),
  resetPassword: (body: { token: string; password: string }) => request('POST', '/reset-password', { body }),
  passkeySignInOptions: () => request<Data<Opaque>>('POST', '/sign-in/passkey/options'),
  passkeySignIn: (answer: unknown) => request('POST', '/sign-in/passkey', { body: answer }),

  links: (query: LinkListQuery, signal?: AbortSignal) =>
    request<Listed<Link[], PageMeta>>('GET', LINKS, {
      query: {
        page: query.page,
        per_page: PER_PAGE,
        search: query.search || undefined,
        status: query.status === 'all' ? undefined : query.status,
        sort: query.sort === 'newest' ? undefined : query.sort,
      },
      ...(signal === undefined ? {} : { signal }),
    }),
  link: (code: string) => request<Data<Link>>('GET', linkPath(code)),
  createLink: (body: NewLink) => request<Data<Link>>('POST', LINKS, { body }),
  editLink: (code: string, body: { original_url?: string; title?: string | null; is_active?: boolean }) =>
    request('PUT', linkPath(code), { body }),
  deleteLink: (code: string, outlivesPage = false) => request('DELETE', linkPath(code), { outlivesPage }),
  isCodeFree: (code: string, signal?: AbortSignal) =>
    request<Data<{ is_free: boolean; reason: string | null }>>('GET', `/codes/${encodeURIComponent(code)}`, {
      ...(signal === undefined ? {} : { signal }),
    }),
  /** Says what is wrong with each, and stores nothing. */
  checkLinks: (links: NewLink[]) =>
    request<Data<{ errors: Record<string, string[]> }>>('POST', '/bulk-shorten/check', { body: { links } }),
  createLinks: (links: NewLink[]) =>
    request<Data<Link[]> & { count: number }>('POST', '/bulk-shorten', { body: { links } }),

  overview: () => request<Data<Overview>>('GET', '/analytics/overview'),
  analytics: (query: RangeQuery) => request<Listed<Analytics, RangeMeta>>('GET', '/analytics', { query }),
  linkAnalytics: (code: string, query: RangeQuery) =>
    request<Listed<LinkAnalytics, RangeMeta>>('GET', `/analytics/links/${encodeURIComponent(code)}`, {
      query,
    }),
  /** Server-sent events `click`, each with a LiveClick; of one link or of all. */
  liveAddress: (code?: string) => apiAddress('/live', { short_code: code }),

  keys: () => request<Data<ApiKey[]>>('GET', '/api-keys'),
  createKey: (body: NewKey) => request<Data<ApiKey & { secret: string }>>('POST', '/api-keys', { body }),
  revokeKey: (id: number) => request('DELETE', `/api-keys/${id}`),
  usage: () => request<Data<Usage>>('GET', '/usage'),

  account: () => request<Data<Account>>('GET', '/account'),
  editAccount: (body: { name: string }) => request('PUT', '/account', { body }),
  changeEmail: (body: { email: string; password: string }) => request('POST', '/account/email', { body }),
  changePassword: (body: { current_password: string; password: string }) =>
    request('POST', '/account/password', { body }),
  deleteAccount: (body: { password: string }) => request('DELETE', '/account', { body }),
  exportAddress: () => apiAddress('/account/export'),
  beginTwoFactor: () =>
    request<Data<{ secret: string; qr_svg: string }>>('POST', '/account/two-factor/begin'),
  turnOnTwoFactor: (code: string) =>
    request<Data<{ recovery_codes: string[] }>>('POST', '/account/two-factor', { body: { code } }),
  turnOffTwoFactor: (password: string) => request('DELETE', '/account/two-factor', { body: { password } }),
  passkeyOptions: () => request<Data<Opaque>>('POST', '/account/passkeys/options'),
  addPasskey: (body: { name: string; answer: unknown }) => request('POST', '/account/passkeys', { body }),
  removePasskey: (id: string) => request('DELETE', `/account/passkeys/${encodeURIComponent(id)}`),
  sessions: () => request<Data<SignedInSession[]>>('GET', '/account/sessions'),
  endSession: (id: string) => request('DELETE', `/account/sessions/${encodeURIComponent(id)}`),
  endOtherSessions: () => request('DELETE', '/account/sessions'),

  adminAccounts: (query: Query) =>
    request<Listed<AdminAccount[], PageMeta>>('GET', '/admin/accounts', { query }),
  adminEditAccount: (
    id: number,
    body: { plan?: string; rate_limit?: number | null; is_suspended?: boolean },
  ) => request('PUT', `/admin/accounts/${id}`, { body }),
  blockedHosts: () => request<Data<BlockedHost[]>>('GET', '/admin/blocked-hosts'),
  blockHost: (body: { host: string; reason: string }) => request('POST', '/admin/blocked-hosts', { body }),
  unblockHost: (host: string) => request('DELETE', `/admin/blocked-hosts/${encodeURIComponent(host)}`),
}
