import type { z } from 'zod'
import type { DomainStatus } from '../../../domains/find-domains.ts'
import type { ReportAction } from '../../../operator/reports/answer-reports.ts'
import type { Reason } from '../../../operator/reports/report-fields.ts'
import type { searchedPageParameters } from '../../requests/paged-list.ts'
import type { reportListParameters } from '../report-endpoints.ts'
import type { PageMeta, Timestamp } from './page-types.ts'

/** Endpoints for operators. Part of DashboardApi. */
export type OperatorApi = {
  'GET /admin/users': {
    query: z.input<typeof searchedPageParameters>
    data: ManagedUserView[]
    meta: PageMeta
  }
  'PUT /admin/users/{id}': { input: { role?: string; is_verified?: boolean; password?: string } }
  'POST /admin/users/{id}/suspend': {}
  'POST /admin/users/{id}/reinstate': {}
  /** Only without a mail server. The link is shown once. */
  'POST /admin/users/{id}/reset-link': {
    input: { password: string }
    data: { email: string; link: string; expires_at: Timestamp }
  }
  'GET /admin/workspaces': {
    query: z.input<typeof searchedPageParameters>
    data: ManagedWorkspaceView[]
    meta: PageMeta
  }
  'PUT /admin/workspaces/{id}': { input: { plan?: string; rate_limit?: number | null } }
  'POST /admin/workspaces/{id}/suspend': {}
  'POST /admin/workspaces/{id}/reinstate': {}
  'GET /admin/domains': {
    query: z.input<typeof searchedPageParameters>
    data: ManagedDomainView[]
    meta: PageMeta
  }
  /** A domain that every workspace can use. */
  'POST /admin/domains': { input: { host: string }; data: { host: string } }
  'DELETE /admin/domains/{host}': {}
  /** Of one workspace. `failure`: why it is not verified. */
  'POST /admin/workspaces/{id}/domains/{host}/verify': { data: { failure: string | null } }
  'DELETE /admin/workspaces/{id}/domains/{host}': {}
  'GET /admin/blocked-hosts': { data: BlockedHostView[] }
  'POST /admin/blocked-hosts': { input: { host: string; reason?: string }; data: BlockedHostView }
  'DELETE /admin/blocked-hosts/{host}': {}
  'GET /admin/reports': {
    query: z.input<typeof reportListParameters>
    data: ReportedLinkView[]
    meta: PageMeta
  }
  'POST /admin/reports/{id}/close': { input: { action: ReportAction }; data: { closed: number } }
  /** Those that were closed last. */
  'POST /admin/reports/{id}/reopen': { data: { reopened: number } }
  'GET /admin/invitations': { data: InvitationView[] }
  'POST /admin/invitations': { input: { email: string }; data: NewInvitationView }
  'DELETE /admin/invitations/{id}': {}
}

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

export type { ReportAction } from '../../../operator/reports/answer-reports.ts'
