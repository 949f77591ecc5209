import type { z } from 'zod'
import type { NewLinkInput } from '../../../links/link-fields.ts'
import type { Explanation } from '../../../redirect/explain-route.ts'
import type { CreatedLinkView } from '../../endpoints/link-view.ts'
import type { explainedVisit } from '../../api/endpoints/explained-visit.ts'

/** Served by the same endpoints as the API, with a cookie instead of a key. */
export type SharedApi = {
  'POST /links': { input: NewLinkInput; data: CreatedLinkView }
  'POST /bulk-shorten': { input: { links: NewLinkInput[] }; data: CreatedLinkView[] }
  'GET /links/{short_code}/resolve': { query: z.input<typeof explainedVisit>; data: Explanation }
}
