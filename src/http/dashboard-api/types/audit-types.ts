export type { AuditEntryView, AuditQuery, RestorableVersion } from '../../endpoints/audit-endpoints.ts'
