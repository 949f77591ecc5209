import type { z } from 'zod'
import type { FailureReason } from '../../../destination-pages/guarded-client.ts'
import type { linkListParameters } from '../../../links/lists/list-parameters.ts'
import type { conditionChoices } from '../../../links/rules/condition-fields.ts'
import type { NewViewInput, ViewChangesInput } from '../../../links/views/view-fields.ts'
import type { QrStyleInput } from '../../../links/qr-style/qr-style.ts'
import type { QrVerdict } from '../../../qr/qr-verdict.ts'
import type { LinkView } from '../../endpoints/link-view.ts'
import type { DeletedLinkView } from '../../endpoints/trash-endpoints.ts'
import type { LinkParts } from '../../endpoints/link-parts.ts'
import type { LiveTotals } from './analytics-types.ts'
import type { PageMeta, Timestamp } from './page-types.ts'

/** Endpoints of links, their list, editor and saved views. Part of DashboardApi. */
export type LinkApi = {
  'POST /destinations/look': { input: { url: string }; data: DestinationView }
  /** A style that is not stored. Its errors have the names of its fields. */
  'POST /links/{short_code}/qr': { input: QrStyleInput; data: { svg: string; verdict: QrVerdict } }
  /** Own ones, and those that others share. `query`: of the list's URL; what is no filter, sorting or column is dropped. */
  'GET /views': { data: SavedViewView[] }
  'POST /views': { input: NewViewInput; data: { id: number } }
  'PUT /views/{id}': { input: ViewChangesInput }
  'DELETE /views/{id}': {}
}

/** What is absent filters nothing. */
export type LinksQuery = z.input<typeof linkListParameters>

export type OwnLink = LinkView & Pick<LinkParts, 'opened' | 'version'>

export type DeletedLink = DeletedLinkView

export type { LinkDestinationView } from '../../endpoints/dashboard-analytics-endpoints.ts'

/** With all of its parts. */
export type ListedLink = LinkView & LinkParts

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

export type ListMeta = PageMeta & { archived: number; totals: LiveTotals }

export type { CheckedRow } from '../../endpoints/link-editor-endpoints.ts'

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

export type ConditionChoices = ReturnType<typeof conditionChoices>

export type { BulkUpdateInput } from '../../../links/bulk/bulk-fields.ts'
export type { ChangedLinkView } from '../../endpoints/bulk-endpoints.ts'
export type { LabelView } from '../../endpoints/label-endpoints.ts'
export type { CreatedLinkView, LinkView } from '../../endpoints/link-view.ts'
export type { AuditOnlyName, LinkEditInput, NewLinkInput, VersionedName } from '../../../links/link-fields.ts'
export type { LinkVersionView } from '../../endpoints/version-endpoints.ts'
