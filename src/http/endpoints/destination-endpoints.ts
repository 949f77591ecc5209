import { z } from '@hono/zod-openapi'
import type { DestinationLook, DestinationPages } from '../../destination-pages/destination-pages.ts'
import { FAILURE_REASONS } from '../../destination-pages/guarded-client.ts'
import { validated } from '../../errors/field-errors.ts'
import { Refusal } from '../../errors/refusal.ts'
import { configuredBody } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { textParameter } from '../requests/query.ts'

const destinationSchema = z.strictObject({
  redirects_to: z.string().nullable().meta({ description: 'Where it ended.' }),
  status: z.int().nullable().meta({ description: 'Null after a `failure`.' }),
  failure: z.enum(FAILURE_REASONS).nullable(),
  title: z.string().nullable().meta({ description: 'As the other texts, plain and short.' }),
  description: z.string().nullable(),
  icon_url: z.string().nullable().meta({ description: '`GET /destinations/picture?url=` shows it.' }),
  image_url: z.string().nullable(),
})
export type DestinationView = z.infer<typeof destinationSchema>

const destinationView = (
  sent: string,
  { url, status, failure, ...facts }: DestinationLook,
): DestinationView => ({
  redirects_to: url === sent ? null : url,
  status: status ?? null,
  failure: failure ?? null,
  title: facts.title ?? null,
  description: facts.description ?? null,
  icon_url: facts.iconUrl ?? null,
  image_url: facts.imageUrl ?? null,
})

function enabled(pages: DestinationPages | undefined): DestinationPages {
  if (pages === undefined)
    throw new Refusal('fetching_disabled', 'This server does not look at destinations.')
  return pages
}

/** What the editor shows of a destination. Nothing is stored, and no other endpoint waits for it. */
export const destinationEndpoints = [
  endpoint({
    route: 'POST /destinations/look',
    who: 'session',
    role: 'links:create',
    input: configuredBody(({ schemas }) => schemas.destination),
    answer: { message: 'Looked at the destination.', data: destinationSchema },
    async run({ caller, input: { url } }, { pages }) {
      return { data: destinationView(url, await enabled(pages).look(caller.workspaceId, url)) }
    },
  }),
  endpoint({
    route: 'GET /destinations/picture',
    who: 'session',
    role: 'links:create',
    query: {
      schema: z.object({ url: z.string() }),
      read: (query, { deps }) => validated(deps.schemas.destination, { url: textParameter(query, 'url') }),
    },
    answer: { bare: z.string(), types: ['image/*'] },
    async run({ caller, query: { url } }, { pages }) {
      const picture = await enabled(pages).picture(caller.workspaceId, url)
      if (picture === undefined)
        throw new Refusal('picture_not_found', 'There is no picture that can be shown.')
      return new Response(new Uint8Array(picture.bytes), {
        headers: { 'Content-Type': picture.type, 'Cross-Origin-Resource-Policy': 'same-origin' },
      })
    },
  }),
]
