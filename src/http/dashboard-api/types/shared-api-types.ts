import type { z } from 'zod'
import type { Explanation } from '../../../redirect/explain-route.ts'
import type { explainedVisit } from '../../api/endpoints/explained-visit.ts'

/** Served by the same endpoints as the API, with a cookie instead of a key. */
export type SharedApi = {
  'GET /links/{short_code}/resolve': { query: z.input<typeof explainedVisit>; data: Explanation }
}
