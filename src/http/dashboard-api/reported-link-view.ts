import type { ReportedLink } from '../../operator/reports/list-reports.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import type { ReportedLinkView } from './types/operator-types.ts'

/** Also what `tern report list --json` prints. */
export const reportedLinkView = ({ now, workspace, ...link }: ReportedLink): ReportedLinkView => ({
  link_id: link.linkId,
  short_url: link.shortUrl,
  reported_url: link.reportedUrl,
  current: now === undefined ? null : { original_url: now.originalUrl, is_active: now.isActive },
  workspace:
    workspace === undefined
      ? null
      : {
          id: workspace.id,
          name: workspace.name,
          owner: workspace.ownerEmail,
          is_suspended: workspace.isSuspended,
        },
  count: link.count,
  reports: link.reports.map((report) => ({
    id: report.id,
    reason: report.reason,
    message: report.message,
    reported_at: isoMicroseconds(report.reportedAtUs),
    closed_at: isoOrNull(report.closedAtUs),
    closed_by: report.closedBy,
  })),
})
