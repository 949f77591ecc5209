import { z } from '@hono/zod-openapi'
import type { Caller } from '../../../access/caller.ts'
import { type CreateLinksDeps, type CreateLinksInput, createLinks } from '../../../links/create-links.ts'
import type { DestinationRules } from '../../../links/destinations/destination.ts'
import { RunningRequests } from '../../../links/idempotency.ts'
import type { Link } from '../../../links/link.ts'
import { BULK_LINKS_MAX, linkSchemas, type LinkSchemas } from '../../../links/link-fields.ts'
import { hashLinkPasswords, type PasswordHasher } from '../../../links/link-password.ts'
import { bulkField, readNewLink, readNewLinks } from '../../../links/read-links.ts'
import type { Answer, CallerEndpoint } from '../endpoint.ts'
import { success } from '../../responses/envelope.ts'
import { createdLinkSchema, createdLinkView, type LinkViewDeps } from './link-view.ts'
import { envelope } from './schemas.ts'

type CreateLinkEndpointsDeps = CreateLinksDeps & {
  baseUrl: string
  destinationRules: DestinationRules
  passwords: PasswordHasher
}

export function createLinkEndpoints(deps: CreateLinkEndpointsDeps): CallerEndpoint[] {
  const running = new RunningRequests()
  const create = async (caller: Caller, input: CreateLinksInput): Promise<Answer> => {
    const { status, body, isReplayed } = await running.run(caller, input.idempotent, () =>
      createLinks(deps, caller, input),
    )
    return isReplayed ? { status, body, headers: { 'Idempotent-Replayed': 'true' } } : { status, body }
  }
  const parts = { view: deps, schemas: linkSchemas(deps.destinationRules), create }
  return [createOne(parts), createMany(parts)]
}

type Parts = {
  view: LinkViewDeps & { passwords: PasswordHasher }
  schemas: LinkSchemas
  create(caller: Caller, input: CreateLinksInput): Promise<Answer>
}

function createOne({ view, schemas, create }: Parts): CallerEndpoint {
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
    body: schemas.newLink.openapi('NewLink'),
    answer: {
      status: 201,
      description: 'The link.',
      schema: envelope('Link created.', { data: createdLinkSchema }),
    },
    refusals: [409, 422],
    async handle({ caller, input, idempotent }) {
      return create(caller, {
        links: await hashLinkPasswords(view.passwords, [readNewLink(input, schemas)]),
        fieldName: (_, field) => field,
        answer: (links) => created('Link created.', { data: createdLinkView(view, links[0]!) }),
        idempotent,
      })
    },
  }
}

function createMany({ view, schemas, create }: Parts): CallerEndpoint {
  return {
    method: 'post',
    path: '/api/bulk-shorten',
    tag: 'Links',
    summary: `Create up to ${BULK_LINKS_MAX} short links`,
    description:
      'All or none: if one link is invalid, nothing is stored. Counts as one request. At most 20 of the links may have a password.',
    access: 'key',
    scope: 'links:create',
    takesIdempotencyKey: true,
    body: schemas.newLinks.openapi('NewLinks'),
    answer: {
      status: 201,
      description: 'The links, in the order in which they were sent.',
      schema: envelope('2 links created.', { count: z.int().min(1), data: z.array(createdLinkSchema) }),
    },
    refusals: [409, 422],
    async handle({ caller, input, idempotent }) {
      const answer = (links: readonly Link[]) =>
        created(`${links.length} ${links.length === 1 ? 'link' : 'links'} created.`, {
          count: links.length,
          data: links.map((link) => createdLinkView(view, link)),
        })
      return create(caller, {
        links: await hashLinkPasswords(view.passwords, readNewLinks(input, schemas)),
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
