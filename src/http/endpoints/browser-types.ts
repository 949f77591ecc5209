import type { z } from '@hono/zod-openapi'
import type { linkListParameters } from '../../links/lists/list-parameters.ts'
import type { conditionChoices } from '../../links/rules/condition-fields.ts'
import type { LiveTotals } from './click-view.ts'
import type { LinkParts } from './link-parts.ts'
import type { LinkView } from './link-view.ts'
import type { paginationMeta } from './schemas.ts'

// The types that the dashboard imports. It imports nothing else of the server.

/** What is absent filters nothing. */
export type LinksQuery = z.input<typeof linkListParameters>
/** What pages about one link read of it. */
export type OwnLink = LinkView & Pick<LinkParts, 'opened' | 'version'>
/** With all of its parts. */
export type ListedLink = LinkView & LinkParts
export type PageMeta = z.infer<typeof paginationMeta>
/** `total`: null where the links came before they were counted. */
export type ListMeta = Pick<PageMeta, 'current_page' | 'per_page'> & {
  total: number | null
  archived: number
  totals: LiveTotals
}
export type ConditionChoices = ReturnType<typeof conditionChoices>

export type { BulkUpdateInput } from '../../links/bulk/bulk-fields.ts'
export type { AuditOnlyName, LinkEditInput, NewLinkInput, VersionedName } from '../../links/link-fields.ts'
export type { ReportAction } from '../../operator/reports/answer-reports.ts'
export type { SettingsInput, WorkspaceSettings } from '../../workspaces/settings/workspace-settings.ts'
export type { UsageView } from './account-endpoints.ts'
export type { LinkGroupName } from '../../analytics/clicks-by-link-group.ts'
export type { CountryClicks } from './analytics-view.ts'
export type { AuditEntryView, AuditQuery, RestorableVersion } from './audit-endpoints.ts'
export type { ChangedLinkView } from './bulk-endpoints.ts'
export type { ClickView, LiveClicks, LiveTotals } from './click-view.ts'
export type { AnalyticsQuery, LinkDestinationView, OverviewView } from './dashboard-analytics-endpoints.ts'
export type { ImportedReportView } from './imported-clicks-view.ts'
export type { AnalyticsMeta, AnalyticsView } from './dashboard-analytics.ts'
export type { LinkGroupView, RangeLinkView } from './dashboard-rankings.ts'
export type { ClickPoint, Counts } from './dashboard-series.ts'
export type { DestinationView } from './destination-endpoints.ts'
export type { ImportColumnsView, ImportJobView } from './import-job-view.ts'
export type { SourceListView } from './import-job-endpoints.ts'
export type { ImportJobItemView } from './import-job-run-endpoints.ts'
export type { ImportView } from './import-record-endpoints.ts'
export type { KeyView } from './key-endpoints.ts'
export type { LabelView } from './label-endpoints.ts'
export type { CheckedRow } from './link-editor-endpoints.ts'
export type { CreatedLinkView, LinkView } from './link-view.ts'
export type { ManagedDomainView } from './managed-domain-endpoints.ts'
export type { ManagedUserView } from './managed-user-endpoints.ts'
export type { ManagedWorkspaceView } from './managed-workspace-endpoints.ts'
export type { MeView } from './me-view.ts'
export type { BlockedHostView, InvitationView } from './operator-endpoints.ts'
export type { ReportedLinkView } from './report-endpoints.ts'
export type { PasskeyView } from './security-endpoints.ts'
export type { SessionView } from './session-endpoints.ts'
export type { ShareView } from './share-endpoints.ts'
export type { InstanceView } from './sign-up-endpoints.ts'
export type { IdentityView, ProviderView } from './single-sign-on-endpoints.ts'
export type { LinkVersionView } from './version-endpoints.ts'
export type { SavedViewView } from './view-endpoints.ts'
export type { DeletedLinkView as DeletedLink } from './trash-endpoints.ts'
