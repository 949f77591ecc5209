import { z } from '@hono/zod-openapi'
import type { Caller } from '../../caller.ts'
import { type CreateLinksDeps, type CreateLinksInput, createLinks } from '../../links/create-links.ts'
import { DESTINATION_LENGTH_MAX, type DestinationRules } from '../../links/destination.ts'
import { RunningRequests } from '../../links/idempotency.ts'
import type { Link } from '../../links/link.ts'
import { BULK_LINKS_MAX, bulkField, readNewLink, readNewLinks } from '../../links/new-link.ts'
import { TITLE_LENGTH_MAX } from '../../links/title.ts'
import type { Answer, CallerEndpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'
import { createdLinkSchema, createdLinkView } from './link-view.ts'
import { envelope } from './schemas.ts'

type CreateLinkEndpointsDeps = CreateLinksDeps & { baseUrl: string; destinationRules: DestinationRules }

/** POST /api/links and POST /api/bulk-shorten. */
export function createLinkEndpoints(deps: CreateLinkEndpointsDeps): CallerEndpoint[] {
  const running = new RunningRequests()
  const create = async (caller: Caller, input: CreateLinksInput): Promise<Answer> => {
    const { status, body, isReplayed } = await running.run(caller, input.idempotent, () =>
      createLinks(deps, caller, input),
    )
    return isReplayed ? { status, body, headers: { 'Idempotent-Replayed': 'true' } } : { status, body }
  }
  return [createOne(deps, create), createMany(deps, create)]
}

type Create = (caller: Caller, input: CreateLinksInput) => Promise<Answer>

function createOne({ baseUrl, destinationRules }: CreateLinkEndpointsDeps, create: Create): CallerEndpoint {
  return {
    method: 'post',
    path: '/api/links',
    tag: 'Links',
    summary: 'Create a short link',
    description:
      'Two links to one destination are two links. Send an `Idempotency-Key` to be able to repeat the request safely.',
    access: 'key',
    scope: 'links:create',
    takesIdempotencyKey: true,
    body: newLinkSchema.openapi('NewLink'),
    answer: {
      status: 201,
      description: 'The link.',
      schema: envelope('Link created.', { data: createdLinkSchema }),
    },
    refusals: [409, 422],
    handle({ caller, input, idempotent }) {
      return create(caller, {
        links: [readNewLink(input, destinationRules)],
        fieldName: (_, field) => field,
        answer: (links) => created('Link created.', { data: createdLinkView(baseUrl, links[0]!) }),
        idempotent,
      })
    },
  }
}

function createMany({ baseUrl, destinationRules }: CreateLinkEndpointsDeps, create: Create): CallerEndpoint {
  return {
    method: 'post',
    path: '/api/bulk-shorten',
    tag: 'Links',
    summary: `Create up to ${BULK_LINKS_MAX} short links`,
    description: 'All or none: with one link at fault nothing is stored. Counts as one request.',
    access: 'key',
    scope: 'links:create',
    takesIdempotencyKey: true,
    body: z.object({ links: z.array(newLinkSchema).min(1).max(BULK_LINKS_MAX) }).openapi('NewLinks'),
    answer: {
      status: 201,
      description: 'The links, in the order in which they were sent.',
      schema: envelope('2 links created.', { count: z.int().min(1), data: z.array(createdLinkSchema) }),
    },
    refusals: [409, 422],
    handle({ caller, input, idempotent }) {
      const answer = (links: readonly Link[]) =>
        created(`${links.length} ${links.length === 1 ? 'link' : 'links'} created.`, {
          count: links.length,
          data: links.map((link) => createdLinkView(baseUrl, link)),
        })
      return create(caller, {
        links: readNewLinks(input, destinationRules),
        fieldName: bulkField,
        answer,
        idempotent,
      })
    },
  }
}

const created = (message: string, rest: Parameters<typeof success>[1]) => ({
  status: 201,
  body: JSON.stringify(success(message, rest)),
})

const newLinkSchema = z.object({
  original_url: z.string().max(DESTINATION_LENGTH_MAX).openapi({
    description:
      'The destination: an absolute http or https address, of at most 8,192 bytes after percent-encoding. `url` is accepted as another name for the field.',
    example: 'https://example.com/launch',
  }),
  title: z.string().max(TITLE_LENGTH_MAX).nullable().optional().openapi({
    description: 'A label for people.',
    example: 'Launch page',
  }),
  custom_code: z
    .string()
    .regex(/^[A-Za-z0-9_-]{3,64}$/)
    .nullable()
    .optional()
    .openapi({
      description:
        'The code to use; one is assigned when it is absent. Case counts. It never passes to another account.',
      example: 'launch',
    }),
  is_active: z
    .boolean()
    .nullable()
    .optional()
    .openapi({ description: 'Whether it redirects from the start; true when absent.' }),
})
