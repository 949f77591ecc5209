import type { z } from 'zod'
import type { linkListParameters } from '../../../links/lists/list-parameters.ts'
import type { conditionChoices } from '../../../links/rules/condition-fields.ts'
import type { LinkView } from '../../endpoints/link-view.ts'
import type { DeletedLinkView } from '../../endpoints/trash-endpoints.ts'
import type { LinkParts } from '../../endpoints/link-parts.ts'
import type { LiveTotals } from './analytics-types.ts'
import type { PageMeta } from './page-types.ts'

/** What is absent filters nothing. */
export type LinksQuery = z.input<typeof linkListParameters>

export type OwnLink = LinkView & Pick<LinkParts, 'opened' | 'version'>

export type DeletedLink = DeletedLinkView

export type { LinkDestinationView } from '../../endpoints/dashboard-analytics-endpoints.ts'

/** With all of its parts. */
export type ListedLink = LinkView & LinkParts

export type ListMeta = PageMeta & { archived: number; totals: LiveTotals }

export type { CheckedRow } from '../../endpoints/link-editor-endpoints.ts'

export type ConditionChoices = ReturnType<typeof conditionChoices>

export type { BulkUpdateInput } from '../../../links/bulk/bulk-fields.ts'
export type { ChangedLinkView } from '../../endpoints/bulk-endpoints.ts'
export type { LabelView } from '../../endpoints/label-endpoints.ts'
export type { CreatedLinkView, LinkView } from '../../endpoints/link-view.ts'
export type { AuditOnlyName, LinkEditInput, NewLinkInput, VersionedName } from '../../../links/link-fields.ts'
export type { LinkVersionView } from '../../endpoints/version-endpoints.ts'
export type { DestinationView } from '../../endpoints/destination-endpoints.ts'
export type { SavedViewView } from '../../endpoints/view-endpoints.ts'
