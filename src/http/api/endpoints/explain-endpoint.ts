import type { CheckDeps } from '../../../links/routes/check-route.ts'
import { findOwnRoute } from '../../../links/routes/own-route.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { ReadDb } from '../../../store/handles.ts'
import { readParameters } from '../../requests/query.ts'
import { success } from '../../responses/envelope.ts'
import type { CallerEndpoint } from '../keyed-endpoint.ts'
import { explain, explainedVisit, explanationSchema } from './explained-visit.ts'
import { envelope } from '../../endpoints/schemas.ts'

type ExplainEndpointDeps = CheckDeps & { db: ReadDb; clock: Clock }

export function explainEndpoint(deps: ExplainEndpointDeps): CallerEndpoint {
  return {
    method: 'get',
    path: '/api/links/{short_code}/resolve',
    tag: 'Links',
    summary: 'Explain where a link leads',
    description:
      'What a visitor would meet, and why, by the decision that real visits run through. Counts nothing. Of a split, each request draws a part by its weight.',
    access: 'key',
    scope: 'links:read',
    query: explainedVisit,
    answer: {
      status: 200,
      description: 'The explanation.',
      schema: envelope('Link explained.', { data: explanationSchema }),
    },
    refusals: [404, 422],
    async handle({ caller, key, query }) {
      const route = await findOwnRoute(deps, caller, key)
      return {
        body: success('Link explained.', {
          data: explain(deps.clock, route, readParameters(explainedVisit, query)),
        }),
      }
    },
  }
}
