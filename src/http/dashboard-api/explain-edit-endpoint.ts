import { validated } from '../../errors/field-errors.ts'
import { invalid } from '../../errors/refusal.ts'
import type { Blocks } from '../../links/destinations/blocks.ts'
import type { DestinationRules } from '../../links/destinations/destination.ts'
import { type LinkEdit, type LinkSchemas, linkSchemas, type NewLink } from '../../links/link-fields.ts'
import { readLinkEdit, readNewLink } from '../../links/read-links.ts'
import { routeOfEdit, routeOfNewLink } from '../../links/routes/own-route.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { keyOf } from '../../links/domains/key-of.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { editorVisit, explain } from '../api/endpoints/explained-visit.ts'
import { textParameter } from '../requests/query.ts'
import { readTogether } from '../requests/read-together.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'

type ExplainEditDeps = {
  db: CurrentDb
  domains: Domains
  clock: Clock
  destinationRules: DestinationRules
  blocks: Pick<Blocks, 'of'>
}

/** Explains a link as it stands in the editor, with what is stored about it where it is an existing one. Stores nothing. */
export function explainEditEndpoint(deps: ExplainEditDeps): DashboardEndpoint {
  const { clock, destinationRules } = deps
  const schemas = linkSchemas(destinationRules)
  const { ownHosts } = destinationRules
  return endpoint('POST /links/resolve', 'links:create', async ({ caller, input, query }) => {
    const domain = textParameter(query, 'domain')
    const { code, link, visit } = await readTogether({
      code: () => codeIn(input),
      link: () => readLink(input, schemas),
      visit: () => validated(editorVisit, input.visit ?? {}, ['visit']),
    })
    const own =
      'edit' in link
        ? await routeOfEdit({ ...deps, ownHosts }, caller, {
            key: await keyOf(deps, caller, { code: code!, domain }),
            edit: link.edit,
          })
        : routeOfNewLink({ ...deps, ownHosts }, caller, link.created)
    return { message: 'Link explained; nothing was stored.', data: explain(clock, own, visit) }
  })
}

/** Undefined for a new link. */
function codeIn({ short_code: code }: Record<string, unknown>): string | undefined {
  if (code === undefined || code === null) return undefined
  if (typeof code !== 'string') throw invalid({ short_code: ['The short code must be a string.'] })
  return code
}

function readLink(
  input: Record<string, unknown>,
  schemas: LinkSchemas,
): { created: NewLink } | { edit: LinkEdit } {
  const link = objectIn(input, 'link')
  const { short_code: code } = input
  return typeof code === 'string'
    ? { edit: readLinkEdit({ code, input: link }, schemas) }
    : { created: readNewLink(link, schemas) }
}

function objectIn(input: Record<string, unknown>, name: string): Record<string, unknown> {
  const value = input[name]
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid({ [name]: [`The ${name} must be an object.`] })
  return value as Record<string, unknown>
}
