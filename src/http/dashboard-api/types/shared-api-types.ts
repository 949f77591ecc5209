import type { z } from 'zod'
import type { BulkUpdateInput } from '../../../links/bulk/bulk-fields.ts'
import type { NewLinkInput } from '../../../links/link-fields.ts'
import type { Explanation } from '../../../redirect/explain-route.ts'
import type { ChangedLinkView } from '../../api/endpoints/bulk-endpoints.ts'
import type { CreatedLinkView } from '../../api/endpoints/link-view.ts'
import type { explainedVisit } from '../../api/endpoints/explained-visit.ts'

/** Served by the same endpoints as the API, with a cookie instead of a key. */
export type SharedApi = {
  'POST /links': { input: NewLinkInput; data: CreatedLinkView }
  'POST /bulk-shorten': { input: { links: NewLinkInput[] }; data: CreatedLinkView[] }
  'GET /links/{short_code}/resolve': { query: z.input<typeof explainedVisit>; data: Explanation }
  'POST /links/{short_code}/toggle': { data: { is_active: boolean } }
  'DELETE /links/{short_code}': {}
  'POST /links/bulk-update': { input: BulkUpdateInput; data: ChangedLinkView[] }
  'POST /links/bulk-delete': { input: { short_codes: string[]; domain?: string; dry_run?: boolean } }
  'POST /links/bulk-restore': { input: { short_codes: string[]; domain?: string } }
}
