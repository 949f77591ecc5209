import type { ApiOf } from '../dispatch/endpoint.ts'
import { accountEndpoints } from './account-endpoints.ts'
import { analyticsEndpoints } from './analytics-endpoints.ts'
import { auditEndpoints } from './audit-endpoints.ts'
import { breakdownEndpoints } from './breakdown-endpoints.ts'
import { notFoundEndpoint } from './not-found-endpoint.ts'
import { bulkEndpoints } from './bulk-endpoints.ts'
import { clickExportEndpoint } from './click-export-endpoint.ts'
import { createLinkEndpoints } from './create-link-endpoints.ts'
import { dashboardAnalyticsEndpoints } from './dashboard-analytics-endpoints.ts'
import { destinationEndpoints } from './destination-endpoints.ts'
import { domainEndpoints } from './domain-endpoints.ts'
import { emailReportEndpoints } from './email-report-endpoints.ts'
import { explainEndpoints } from './explain-endpoints.ts'
import { importedClicksEndpoint } from './imported-clicks-endpoint.ts'
import { importEndpoint } from './import-endpoint.ts'
import { importJobEndpoints } from './import-job-endpoints.ts'
import { importJobRunEndpoints } from './import-job-run-endpoints.ts'
import { importRecordEndpoints } from './import-record-endpoints.ts'
import { keyEndpoints } from './key-endpoints.ts'
import { labelEndpoints } from './label-endpoints.ts'
import { linkEditorEndpoints } from './link-editor-endpoints.ts'
import { linkEndpoints } from './link-endpoints.ts'
import { linkExportEndpoint } from './link-export-endpoint.ts'
import { managedDomainEndpoints } from './managed-domain-endpoints.ts'
import { managedUserEndpoints } from './managed-user-endpoints.ts'
import { managedWorkspaceEndpoints } from './managed-workspace-endpoints.ts'
import { memberEndpoints } from './member-endpoints.ts'
import { operatorEndpoints } from './operator-endpoints.ts'
import { ownWorkspaceEndpoints } from './own-workspace-endpoints.ts'
import { ownTrafficEndpoints } from './own-traffic-endpoints.ts'
import { publicEndpoints } from './public-endpoints.ts'
import { qrEndpoint } from './qr-endpoint.ts'
import { reportEndpoints } from './report-endpoints.ts'
import { securityEndpoints } from './security-endpoints.ts'
import { sessionEndpoints } from './session-endpoints.ts'
import { shareEndpoints } from './share-endpoints.ts'
import { signUpEndpoints } from './sign-up-endpoints.ts'
import { singleSignOnEndpoints } from './single-sign-on-endpoints.ts'
import { trashEndpoints } from './trash-endpoints.ts'
import { versionEndpoints } from './version-endpoints.ts'
import { viewEndpoints } from './view-endpoints.ts'
import { workspaceSettingEndpoints } from './workspace-setting-endpoints.ts'

/** Every endpoint, in the order of the reference. */
export const ENDPOINTS = [
  ...createLinkEndpoints,
  ...linkEndpoints,
  ...bulkEndpoints,
  importEndpoint,
  ...importRecordEndpoints,
  ...importJobEndpoints,
  ...importJobRunEndpoints,
  ...versionEndpoints,
  ...explainEndpoints,
  ...labelEndpoints,
  ...trashEndpoints,
  ...domainEndpoints,
  ...workspaceSettingEndpoints,
  ...auditEndpoints,
  linkExportEndpoint,
  ...analyticsEndpoints,
  ...breakdownEndpoints,
  importedClicksEndpoint,
  notFoundEndpoint,
  clickExportEndpoint,
  ...shareEndpoints,
  ...accountEndpoints,
  ...keyEndpoints,
  ...publicEndpoints,
  ...linkEditorEndpoints,
  ...destinationEndpoints,
  qrEndpoint,
  ...viewEndpoints,
  ...dashboardAnalyticsEndpoints,
  ...emailReportEndpoints,
  ...ownTrafficEndpoints,
  ...memberEndpoints,
  ...signUpEndpoints,
  ...sessionEndpoints,
  ...singleSignOnEndpoints,
  ...securityEndpoints,
  ...ownWorkspaceEndpoints,
  ...managedUserEndpoints,
  ...managedWorkspaceEndpoints,
  ...managedDomainEndpoints,
  ...operatorEndpoints,
  ...reportEndpoints,
]

/** What browsers send to the endpoints of the dashboard and to those that it shares with keys, and get, by method and path. */
export type BrowserApi = ApiOf<Extract<(typeof ENDPOINTS)[number], { who: 'session' | 'anybody' | 'both' }>>
