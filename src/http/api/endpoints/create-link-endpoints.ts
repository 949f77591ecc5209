import { z } from '@hono/zod-openapi'
import type { ChangeLinksDeps } from '../../../links/change-links.ts'
import type { Domains } from '../../../links/domains/domains.ts'
import { refuseFieldsOfRestricted } from '../../../links/restricted-links.ts'
import { placeLinks } from '../../../links/place-links.ts'
import type { TitleQueue } from '../../../destination-pages/title-queue.ts'
import { type CreateLinksDeps, type CreatedLink, createLinks } from '../../../links/create-links.ts'
import type { DestinationRules } from '../../../links/destinations/destination.ts'
import { RunningRequests } from '../../../links/idempotency.ts'
import { BULK_LINKS_MAX, linkSchemas, type LinkSchemas, type NewLink } from '../../../links/link-fields.ts'
import {
  hashLinkPasswords,
  hasPassword,
  type LinkPasswordHasher,
  withoutHashing,
} from '../../../links/link-password.ts'
import { TOTALS_DESCRIPTION } from '../../../links/bulk/bulk-totals.ts'
import { refuseBadLogos } from '../../../links/qr-style/qr-logo.ts'
import { readDryRun, readNewLink, readNewLinks } from '../../../links/read-links.ts'
import type { PlacedLink } from '../../../links/reuse-links.ts'
import type { Answer, CallerEndpoint, CallerRequest } from '../keyed-endpoint.ts'
import { idempotently, isReplayed } from '../idempotently.ts'
import { namedIn } from '../../requests/name-items.ts'
import { readTogether } from '../../requests/read-together.ts'
import { success } from '../../responses/envelope.ts'
import {
  createdLinkSchema,
  createdLinkView,
  IGNORED_FIELDS,
  type LinkViewDeps,
} from '../../endpoints/link-view.ts'
import { envelope } from '../../endpoints/schemas.ts'

type CreateLinkEndpointsDeps = ChangeLinksDeps &
  Pick<CreateLinksDeps, 'linksMax'> & {
    destinationRules: DestinationRules
    domains: Domains
    passwords: LinkPasswordHasher
    titles: Pick<TitleQueue, 'add'>
  }

/** `respond`: inside the transaction, so that the response is stored with the links. */
type Creation = {
  newLinks: readonly NewLink[]
  isDryRun?: boolean
  respond(links: readonly CreatedLink[]): { status: number; body: string }
}

export function createLinkEndpoints(deps: CreateLinkEndpointsDeps): CallerEndpoint[] {
  const running = new RunningRequests()
  const parts = {
    view: deps,
    schemas: linkSchemas(deps.destinationRules),
    async create(request: CallerRequest, creation: Creation): Promise<Answer> {
      const placed = placeLinks(deps.domains, request.caller, creation.newLinks)
      return running.run(request.caller, request.idempotent, () =>
        create(deps, request, { ...creation, placed }),
      )
    },
  }
  return [createOne(parts), createMany(parts)]
}

/** Passwords are hashed once a dry run has shown that the request is accepted, so that refused requests cost no hash. */
async function create(
  deps: CreateLinkEndpointsDeps,
  { caller, idempotent, signal }: CallerRequest,
  { placed, isDryRun = false, respond }: Creation & { placed: readonly (NewLink & { domainId: number })[] },
): Promise<Answer> {
  await refuseBadLogos(placed)
  const attempt = (links: readonly PlacedLink[], isDryRun: boolean) =>
    idempotently(deps, { caller, idempotent, isDryRun }, async (change) => {
      const created = await createLinks({ ...change, linksMax: deps.linksMax }, caller, links)
      change.afterCommit.push(() => deps.titles.add(caller, untitled(created, links)))
      return respond(created)
    })
  const unhashed = placed.map(withoutHashing)
  if (isDryRun || !placed.some(hasPassword)) return attempt(unhashed, isDryRun)
  const tried = await attempt(unhashed, true)
  if (isReplayed(tried)) return tried
  const hashing = { workspaceId: caller.workspaceId, signal }
  return attempt(await hashLinkPasswords(deps.passwords, hashing, placed), false)
}

/** Those whose titles are asked for. */
const untitled = (created: readonly CreatedLink[], links: readonly PlacedLink[]) =>
  created.flatMap(({ link: { domainId, code, title, originalUrl } }, index) => {
    const { fetch_title: isAsked } = links[index]!
    return isAsked && title === '' ? [{ key: { domainId, code }, originalUrl }] : []
  })

type Parts = {
  view: LinkViewDeps
  schemas: LinkSchemas
  create(request: CallerRequest, creation: Creation): Promise<Answer>
}

function createOne({ view, schemas, create }: Parts): CallerEndpoint {
  return {
    method: 'post',
    path: '/api/links',
    tag: 'Links',
    summary: 'Create a short link',
    description:
      'Two links to one destination are two links, unless `reuse_existing` is sent. Send an `Idempotency-Key` to be able to repeat the request safely.',
    access: 'key',
    scope: 'links:create',
    takesIdempotencyKey: true,
    body: {
      schema: schemas.newLink.openapi('NewLink'),
      example: {
        original_url: 'https://example.com/launch',
        title: 'Launch page',
        custom_code: 'launch',
        tags: ['Winter 2026'],
      },
      ignored: IGNORED_FIELDS,
    },
    answer: {
      status: 201,
      description: 'The link.',
      schema: envelope('Link created.', { data: createdLinkSchema }),
    },
    answersOk: 'With `reuse_existing`: an equal link that was there.',
    refusals: [409, 422],
    async handle(request) {
      refuseFieldsOfRestricted(request.caller, [request.input])
      return create(request, {
        newLinks: [readNewLink(request.input, schemas)],
        respond: ([created]) =>
          answered(created!.isNew ? 201 : 200, created!.isNew ? 'Link created.' : 'Link found.', {
            data: createdLinkView(view, created!.link),
          }),
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
    description: `All or none: if one link is invalid, nothing is stored. Counts as one request. At most 20 of the links may have a password, and a workspace may set 1,000 passwords of links an hour (429). ${TOTALS_DESCRIPTION} With \`dry_run\`, nothing is stored or reserved, and the answer says what would happen to each link.`,
    access: 'key',
    scope: 'links:create',
    takesIdempotencyKey: true,
    body: {
      schema: schemas.newLinks.openapi('NewLinks'),
      example: {
        links: [
          { original_url: 'https://example.com/sale', custom_code: 'sale' },
          { original_url: 'https://example.com/spring', title: 'Spring', tags: ['Winter 2026'] },
        ],
      },
      ignored: IGNORED_FIELDS,
    },
    answer: {
      status: 201,
      description: 'The links, in the order in which they were sent.',
      schema: envelope('2 links created.', { count: z.int().min(1), data: bulkData }),
    },
    answersOk: 'With `reuse_existing`: all links were there. With `dry_run`: what would happen.',
    refusals: [409, 422],
    handle: (request) => createListed(request).catch(namedIn('links')),
  }

  async function createListed(request: CallerRequest): Promise<Answer> {
    const { caller, input } = request
    refuseFieldsOfRestricted(caller, input.links)
    const [read] = await Promise.allSettled([readNewLinks(input, schemas).catch(namedIn('links'))])
    const { newLinks, isDryRun } = readTogether({
      newLinks: () => settledValue(read),
      isDryRun: () => readDryRun(input),
    })
    if (!isDryRun) return create(request, { newLinks, respond: (links) => createdAnswer(view, links) })
    const respond = (links: readonly CreatedLink[]) => plannedAnswer(newLinks, links)
    return create({ ...request, idempotent: undefined }, { newLinks, isDryRun, respond })
  }
}

function settledValue<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

function createdAnswer(view: LinkViewDeps, links: readonly CreatedLink[]) {
  const created = links.filter(({ isNew }) => isNew).length
  return answered(created === 0 ? 200 : 201, bulkMessage(created, links.length - created), {
    count: links.length,
    data: links.map(({ link }) => createdLinkView(view, link)),
  })
}

const plannedLink = z
  .strictObject({
    action: z.enum(['create', 'reuse']),
    short_code: z
      .string()
      .nullable()
      .openapi({ description: 'null: the code is assigned when the link is created.', example: 'launch' }),
    original_url: z.string().openapi({ example: 'https://example.com/launch' }),
  })
  .openapi('PlannedLink')

const bulkData = z.union([z.array(createdLinkSchema), z.array(plannedLink)])

/** A link that is equal to one before it in the request is created with that one, and then reused. */
function plannedAnswer(newLinks: readonly NewLink[], links: readonly CreatedLink[]) {
  const newPlaces = new Map(links.flatMap(({ link, isNew }, place) => (isNew ? [[link, place]] : [])))
  const data = links.map(({ link, isNew }) => {
    const place = newPlaces.get(link)
    return {
      action: isNew ? ('create' as const) : ('reuse' as const),
      short_code: place === undefined ? link.code : (newLinks[place]!.custom_code ?? null),
      original_url: link.originalUrl,
    }
  })
  const message = `${newPlaces.size} ${newPlaces.size === 1 ? 'link' : 'links'} would be created; nothing was stored.`
  return answered(200, message, { count: links.length, data })
}

function bulkMessage(created: number, found: number): string {
  const counted = (count: number) => `${count} ${count === 1 ? 'link' : 'links'}`
  if (found === 0) return `${counted(created)} created.`
  return created === 0 ? `${counted(found)} found.` : `${counted(created)} created, ${found} found.`
}

const answered = (status: 200 | 201, message: string, rest: Parameters<typeof success>[1]) => ({
  status,
  body: JSON.stringify(success(message, rest)),
})
