import { z } from '@hono/zod-openapi'
import type { Caller } from '../../../access/caller.ts'
import type { Domains } from '../../../links/domains/domains.ts'
import { asRestricted, refuseFieldsOfRestricted } from '../../../links/restricted-links.ts'
import { withDomains } from '../../../links/domains/new-link-domains.ts'
import type { TitleQueue } from '../../../destination-pages/title-queue.ts'
import type { CreateLinksDeps, CreateLinksInput } from '../../../links/create-links.ts'
import { createProtectedLinks } from '../../../links/protected-links.ts'
import type { DestinationRules } from '../../../links/destinations/destination.ts'
import { RunningRequests } from '../../../links/idempotency.ts'
import type { Link } from '../../../links/link.ts'
import { BULK_LINKS_MAX, linkSchemas, type LinkSchemas, type NewLink } from '../../../links/link-fields.ts'
import type { LinkPasswordHasher } from '../../../links/link-password.ts'
import { TOTALS_DESCRIPTION } from '../../../links/bulk/bulk-totals.ts'
import { bulkField, readDryRun, readNewLink, readNewLinks } from '../../../links/read-links.ts'
import type { Answer, CallerEndpoint } from '../keyed-endpoint.ts'
import { readTogether } from '../../requests/read-together.ts'
import { success } from '../../responses/envelope.ts'
import { createdLinkSchema, createdLinkView, IGNORED_FIELDS, type LinkViewDeps } from './link-view.ts'
import { envelope } from '../../endpoints/schemas.ts'

type CreateLinkEndpointsDeps = CreateLinksDeps & {
  destinationRules: DestinationRules
  domains: Domains
  passwords: LinkPasswordHasher
  titles: Pick<TitleQueue, 'add'>
}

/** `signal`: aborted when the client has gone away. */
type Wanted = CreateLinksInput & { signal: AbortSignal | undefined }

export function createLinkEndpoints(deps: CreateLinkEndpointsDeps): CallerEndpoint[] {
  const running = new RunningRequests()
  const create = async (caller: Caller, wanted: Wanted): Promise<Answer> => {
    const links = asRestricted(caller, wanted)
    const input = { ...wanted, links: withDomains(deps.domains, caller, { ...wanted, links }) }
    let made: readonly Link[] = []
    const answer: CreateLinksInput['answer'] = (links, created) => input.answer((made = links), created)
    const { status, body, isReplayed } = await running.run(caller, input.idempotent, () =>
      createProtectedLinks(deps, caller, { ...input, answer }),
    )
    if (!isReplayed && !input.isDryRun) deps.titles.add(caller, untitled(made, input))
    return isReplayed ? { status, body, headers: { 'Idempotent-Replayed': 'true' } } : { status, body }
  }
  const parts = { view: deps, schemas: linkSchemas(deps.destinationRules), create }
  return [createOne(parts), createMany(parts)]
}

/** Those whose titles are asked for. */
const untitled = (made: readonly Link[], { links }: CreateLinksInput) =>
  made.flatMap(({ domainId, code, title, originalUrl }, index) => {
    const { fetch_title: isWanted } = links[index]!
    return isWanted && title === '' ? [{ key: { domainId, code }, originalUrl }] : []
  })

type Parts = {
  view: LinkViewDeps
  schemas: LinkSchemas
  create(caller: Caller, input: Wanted): Promise<Answer>
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
    async handle({ caller, input, idempotent, signal }) {
      const fieldName = (_: number, field: string) => field
      refuseFieldsOfRestricted(caller, { sent: [input], fieldName })
      return create(caller, {
        links: [readNewLink(input, schemas)],
        fieldName,
        answer: (links, created) =>
          created.size === 0
            ? answered(200, 'Link found.', { data: createdLinkView(view, links[0]!) })
            : answered(201, 'Link created.', { data: createdLinkView(view, links[0]!) }),
        idempotent,
        signal,
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
    async handle({ caller, input, idempotent, signal }) {
      refuseFieldsOfRestricted(caller, { sent: input.links, fieldName: bulkField })
      const [links] = await Promise.allSettled([readNewLinks(input, schemas)])
      const { wanted, isDryRun } = readTogether({
        wanted: () => settledValue(links),
        isDryRun: () => readDryRun(input),
      })
      const answer: CreateLinksInput['answer'] = (links, created) =>
        answered(created.size === 0 ? 200 : 201, bulkMessage(created.size, links.length - created.size), {
          count: links.length,
          data: links.map((link) => createdLinkView(view, link)),
        })
      return create(caller, {
        links: wanted,
        fieldName: bulkField,
        answer: isDryRun ? (links, created) => plannedAnswer(wanted, links, created) : answer,
        idempotent: isDryRun ? undefined : idempotent,
        isDryRun,
        signal,
      })
    },
  }
}

function settledValue<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
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
function plannedAnswer(wanted: readonly NewLink[], links: readonly Link[], created: ReadonlySet<Link>) {
  const firstPlace = new Map(links.map((link, place) => [link, place] as const).toReversed())
  const data = links.map((link, place) => {
    const first = firstPlace.get(link)!
    return {
      action: created.has(link) && first === place ? ('create' as const) : ('reuse' as const),
      short_code: created.has(link) ? (wanted[first]!.custom_code ?? null) : link.code,
      original_url: link.originalUrl,
    }
  })
  const count = created.size
  const message = `${count} ${count === 1 ? 'link' : 'links'} would be created; nothing was stored.`
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
