import { fieldErrorsOf } from '../../errors/field-errors.ts'
import { invalid } from '../../errors/refusal.ts'
import type { Blocks } from '../../links/destinations/blocks.ts'
import type { DestinationRules } from '../../links/destinations/destination.ts'
import { linkSchemas } from '../../links/link-fields.ts'
import { readNewLink } from '../../links/read-links.ts'
import { routeOfNewLink } from '../../links/routes/own-route.ts'
import type { Clock } from '../../runtime/clock.ts'
import { explain, explainedVisit, type ExplainedVisit } from '../api/endpoints/explained-visit.ts'
import { readTogether } from '../api/endpoints/read-together.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'

type ExplainEditDeps = { clock: Clock; destinationRules: DestinationRules; blocks: Pick<Blocks, 'of'> }

/** Explains a link as it stands in the editor. Stores nothing. */
export function explainEditEndpoint({ clock, destinationRules, blocks }: ExplainEditDeps): DashboardEndpoint {
  const schemas = linkSchemas(destinationRules)
  const { ownHosts } = destinationRules
  return endpoint('POST /links/resolve', 'links:create', async ({ caller, input }) => {
    const { link, visit } = readTogether({
      link: () => readNewLink(objectIn(input, 'link'), schemas),
      visit: () => readVisit(input.visit ?? {}),
    })
    const route = routeOfNewLink({ blocks, ownHosts }, caller, link)
    return { message: 'Link explained; nothing was stored.', data: explain(clock, route, visit) }
  })
}

function objectIn(input: Record<string, unknown>, name: string): Record<string, unknown> {
  const value = input[name]
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid({ [name]: [`The ${name} must be an object.`] })
  return value as Record<string, unknown>
}

function readVisit(sent: unknown): ExplainedVisit {
  const { data, error } = explainedVisit.safeParse(sent)
  if (data === undefined) throw invalid(fieldErrorsOf(error.issues, ['visit']))
  return data
}
