import type { z } from 'zod'
import type { auditListParameters, AuditEntryView } from '../../api/endpoints/audit-endpoints.ts'
import type { PageMeta } from './page-types.ts'

/** Endpoints of the audit log. Part of DashboardApi. */
export type AuditApi = {
  'GET /audit-log': { query: AuditQuery; data: AuditEntryView[]; meta: AuditMeta }
  /** Whom the log can be narrowed to: the members, and all keys. */
  'GET /audit-log/actors': { data: { users: NamedView[]; api_keys: NamedView[] } }
  /** `restorable`: the version of the link before the change of an entry; null where there is none. */
  'GET /audit-log/{id}/version-before': { data: { restorable: RestorableVersion | null } }
}

/** `current_version`: of the link now. */
export type RestorableVersion = {
  short_code: string
  domain: string
  version: number
  current_version: number
}

export type AuditQuery = z.input<typeof auditListParameters>

/** `is_complete`: false if the period may have older entries than the list reaches. */
type AuditMeta = PageMeta & { is_complete: boolean }

type NamedView = { id: number; name: string }

export type { AuditEntryView } from '../../api/endpoints/audit-endpoints.ts'
