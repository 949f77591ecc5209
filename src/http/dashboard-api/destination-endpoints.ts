import { z } from 'zod'
import type { DestinationLook, DestinationPages } from '../../destination-pages/destination-pages.ts'
import { validated } from '../../errors/field-errors.ts'
import { Refusal } from '../../errors/refusal.ts'
import { destinationHref } from '../../links/destinations/destination-field.ts'
import type { DestinationRules } from '../../links/destinations/destination.ts'
import { textParameter } from '../requests/query.ts'
import { DASHBOARD_API, type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { DestinationView } from './types/link-types.ts'

type DestinationEndpointsDeps = {
  /** Undefined if the operator has switched it off. */
  pages: DestinationPages | undefined
  destinationRules: DestinationRules
}

/** What the editor shows of a destination. Nothing is stored, and no other endpoint waits for it. */
export function destinationEndpoints({
  pages,
  destinationRules,
}: DestinationEndpointsDeps): DashboardEndpoint[] {
  const schema = z.object({ url: destinationHref(destinationRules) })
  const urlOf = (input: unknown): string => validated(schema, input).url
  return [
    endpoint('POST /destinations/look', 'links:create', async ({ caller, input }) => {
      const url = urlOf(input)
      const look = await pagesOf(pages).look(caller.workspaceId, url)
      return { message: 'Looked at the destination.', data: viewOf(url, look) }
    }),
    {
      method: 'GET',
      path: `${DASHBOARD_API}/destinations/picture`,
      access: 'links:create',
      async handle({ caller, query }) {
        const url = urlOf({ url: textParameter(query, 'url') })
        const picture = await pagesOf(pages).picture(caller.workspaceId, url)
        if (picture === undefined)
          throw new Refusal('picture_not_found', 'There is no picture that can be shown.')
        return new Response(new Uint8Array(picture.bytes), {
          headers: { 'Content-Type': picture.type, 'Cross-Origin-Resource-Policy': 'same-origin' },
        })
      },
    },
  ]
}

function pagesOf(pages: DestinationPages | undefined): DestinationPages {
  if (pages === undefined)
    throw new Refusal('fetching_disabled', 'This server does not look at destinations.')
  return pages
}

const viewOf = (sent: string, { url, status, failure, ...facts }: DestinationLook): DestinationView => ({
  redirects_to: url === sent ? null : url,
  status: status ?? null,
  failure: failure ?? null,
  title: facts.title ?? null,
  description: facts.description ?? null,
  icon_url: facts.iconUrl ?? null,
  image_url: facts.imageUrl ?? null,
})
