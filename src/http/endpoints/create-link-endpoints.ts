import { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/caller.ts'
import { TOTALS_DESCRIPTION } from '../../links/bulk/bulk-totals.ts'
import { type CreatedLink, createLinks } from '../../links/create-links.ts'
import type { IdempotentRequest } from '../../links/idempotency.ts'
import { BULK_LINKS_MAX, type NewLink } from '../../links/link-fields.ts'
import { hashLinkPasswords, hasPassword, withoutHashing } from '../../links/link-password.ts'
import { placeUnusual } from '../../links/place-unusual.ts'
import { refuseBadLogos } from '../../links/qr-style/qr-logo.ts'
import { readDryRun, readNewLink, readNewLinks } from '../../links/read-links.ts'
import { refuseFieldsOfRestricted } from '../../links/restricted-links.ts'
import type { PlacedLink } from '../../links/reuse-links.ts'
import type { ReadingContext } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { idempotently, isReplayed } from '../dispatch/idempotently.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { namedIn, readTogether } from '../requests/read-request.ts'
import { createdLinkSchema, createdLinkView, IGNORED_FIELDS } from './link-view.ts'

type Creation = {
  caller: Caller
  idempotent: IdempotentRequest | undefined
  signal: AbortSignal
  newLinks: readonly NewLink[]
  isDryRun?: boolean
}

/** As the workspace allows codes. `code`: of a new code. */
export async function linkSchemasOf({ codeSettings, schemas }: ServerDeps, caller: Caller) {
  return (await codeSettings.of(caller)).allowsUnusual ? schemas.unusual : schemas.usual
}

/** Passwords are hashed once a dry run has shown that the request is accepted, so that refused requests cost no hash. */
async function create<Data>(
  deps: ServerDeps,
  { caller, idempotent, signal, newLinks, isDryRun = false }: Creation,
  reply: (links: readonly CreatedLink[]) => {
    status: 200 | 201
    message: string
    count?: number
    data: Data
  },
) {
  const placedLinks = await placeUnusual(deps, caller, newLinks)
  await refuseBadLogos(placedLinks)
  // `reply` runs inside the transaction, so that it is stored with the links.
  const attempt = (links: readonly PlacedLink[], isDryRun: boolean) =>
    idempotently(deps, { caller, idempotent, isDryRun }, async (change) => {
      const results = await createLinks({ ...change, linksMax: deps.linksMax }, caller, links)
      change.afterCommit.push(() => deps.titles.add(caller, untitled(results, links)))
      return reply(results)
    })
  return deps.runningRequests.run(caller, idempotent, async () => {
    const unhashed = placedLinks.map(withoutHashing)
    if (idempotent === undefined && !isDryRun && deps.creationGroups.accepts(caller, unhashed)) {
      const link = await deps.creationGroups.create(caller, unhashed[0]!)
      const results = [{ link, isNew: true }]
      deps.titles.add(caller, untitled(results, unhashed))
      return reply(results)
    }
    if (isDryRun || !placedLinks.some(hasPassword)) return attempt(unhashed, isDryRun)
    const trial = await attempt(unhashed, true)
    if (isReplayed(trial)) return trial
    const hashing = { workspaceId: caller.workspaceId, signal }
    return attempt(await hashLinkPasswords(deps.passwords, hashing, placedLinks), false)
  })
}

/** Those whose titles are asked for. */
const untitled = (created: readonly CreatedLink[], links: readonly PlacedLink[]) =>
  created.flatMap(({ link: { domainId, code, title, originalUrl } }, index) => {
    const { fetch_title: isAsked } = links[index]!
    return isAsked && title === '' ? [{ key: { domainId, code }, originalUrl }] : []
  })

const creationOfLink = endpoint({
  route: 'POST /links',
  who: 'both',
  scope: 'links:create',
  isRepeatable: true,
  tag: 'Links',
  summary: 'Create a short link',
  description:
    'Two links to one destination are two links, unless `reuse_existing` is sent. Send an `Idempotency-Key` to be able to repeat the request safely.',
  input: {
    schema: ({ schemas }) => schemas.newLink,
    example: {
      original_url: 'https://example.com/launch',
      title: 'Launch page',
      custom_code: 'launch',
      tags: ['Winter 2026'],
    },
    ignored: IGNORED_FIELDS,
    async read(sent, { deps, caller }) {
      refuseFieldsOfRestricted(caller!, [sent])
      return readNewLink(sent, await linkSchemasOf(deps, caller!))
    },
  },
  answer: {
    status: 201,
    message: 'Link created.',
    description: 'The link.',
    data: createdLinkSchema,
    whenOk: 'With `reuse_existing`: an equal link that was there.',
  },
  refusals: [409, 422],
  run: ({ input, ...request }, deps) =>
    create(deps, { ...request, newLinks: [input] }, ([created]) => ({
      status: created!.isNew ? 201 : 200,
      message: created!.isNew ? 'Link created.' : 'Link found.',
      data: createdLinkView(deps, created!.link),
    })),
})

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
type BulkData = z.infer<typeof bulkData>

const creationOfLinks = endpoint({
  route: 'POST /bulk-shorten',
  who: 'both',
  scope: 'links:create',
  isRepeatable: true,
  tag: 'Links',
  summary: `Create up to ${BULK_LINKS_MAX} short links`,
  description: `All or none: if one link is invalid, nothing is stored. Counts as one request. At most 20 of the links may have a password, and a workspace may set 1,000 passwords of links an hour (429). ${TOTALS_DESCRIPTION} With \`dry_run\`, nothing is stored or reserved, and the answer says what would happen to each link.`,
  input: {
    schema: ({ schemas }) => schemas.newLinks,
    example: {
      links: [
        { original_url: 'https://example.com/sale', custom_code: 'sale' },
        { original_url: 'https://example.com/spring', title: 'Spring', tags: ['Winter 2026'] },
      ],
    },
    ignored: IGNORED_FIELDS,
    read: (sent, context) => readList(sent, context).catch(namedIn('links')),
  },
  answer: {
    status: 201,
    message: '2 links created.',
    description: 'The links, in the order in which they were sent.',
    count: z.int().min(1),
    data: bulkData,
    whenOk: 'With `reuse_existing`: all links were there. With `dry_run`: what would happen.',
  },
  refusals: [409, 422],
  run({ input: { newLinks, isDryRun }, ...request }, deps) {
    const idempotent = isDryRun ? undefined : request.idempotent
    return create<BulkData>(deps, { ...request, idempotent, newLinks, isDryRun }, (links) =>
      isDryRun ? plannedReply(newLinks, links) : createdReply(deps, links),
    ).catch(namedIn('links'))
  },
})

async function readList(sent: Record<string, unknown>, { deps, caller }: ReadingContext) {
  refuseFieldsOfRestricted(caller!, sent.links)
  const schemas = await linkSchemasOf(deps, caller!)
  return readTogether({
    newLinks: () => readNewLinks(sent, schemas).catch(namedIn('links')),
    isDryRun: () => readDryRun(sent),
  })
}

function createdReply(deps: ServerDeps, links: readonly CreatedLink[]) {
  const count = links.filter(({ isNew }) => isNew).length
  return {
    status: count === 0 ? (200 as const) : (201 as const),
    message: bulkMessage(count, links.length - count),
    count: links.length,
    data: links.map(({ link }) => createdLinkView(deps, link)),
  }
}

/** A link that is equal to one before it in the request is created with that one, and then reused. */
function plannedReply(newLinks: readonly NewLink[], links: readonly CreatedLink[]) {
  const newPlaces = new Map(links.flatMap(({ link, isNew }, place) => (isNew ? [[link, place]] : [])))
  const data = links.map(({ link, isNew }) => {
    const place = newPlaces.get(link)
    return {
      action: isNew ? ('create' as const) : ('reuse' as const),
      short_code: place === undefined ? link.code : (newLinks[place]!.custom_code ?? null),
      original_url: link.originalUrl,
    }
  })
  const message = `${numberOf(newPlaces.size)} would be created; nothing was stored.`
  return { status: 200 as const, message, count: links.length, data }
}

function bulkMessage(created: number, reused: number): string {
  if (reused === 0) return `${numberOf(created)} created.`
  return created === 0 ? `${numberOf(reused)} found.` : `${numberOf(created)} created, ${reused} found.`
}

const numberOf = (count: number) => `${count} ${count === 1 ? 'link' : 'links'}`

export const createLinkEndpoints = [creationOfLink, creationOfLinks]
