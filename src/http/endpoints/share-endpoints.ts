import { z } from '@hono/zod-openapi'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { changeShare, removeShare, resetShare } from '../../shares/change-share.ts'
import { createShare } from '../../shares/create-share.ts'
import { ALL_PANELS, type ShareKind } from '../../shares/panels.ts'
import { shareInputs } from '../../shares/share-fields.ts'
import { findShare, findSubject, type Share, type SharePlace } from '../../shares/share.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint, type FindContext } from '../dispatch/endpoint.ts'
import { idOf } from '../requests/read-request.ts'
import { timestamp } from './schemas.ts'

const EXAMPLE_URL = 'https://s.example/share/l7nqKJYI0yO1mCWmpf2Dr2ZbLMOSMnN4HxK3-pVvG1k'

const shareSchema = z
  .strictObject({
    url: z.string().openapi({
      description: 'The page. Who has this URL sees it.',
      format: 'uri',
      example: EXAMPLE_URL,
    }),
    badge_url: z
      .string()
      .nullable()
      .openapi({
        description: 'An SVG image with the number of clicks; null for a page with a password.',
        format: 'uri',
        example: `${EXAMPLE_URL}/badge.svg`,
      }),
    panels: z.array(z.enum(ALL_PANELS)).openapi({
      description: 'What visitors see in addition to the number of clicks.',
      example: ['clicks', 'countries'],
    }),
    ends_at: timestamp().nullable().openapi({ description: 'null: it does not end.' }),
    has_password: z.boolean().openapi({ example: false }),
    created_at: timestamp(),
  })
  .openapi('Share')

export type ShareView = z.infer<typeof shareSchema>

type UrlDeps = { baseUrl: string }

function shareView({ baseUrl }: UrlDeps, share: Share): ShareView {
  const url = `${baseUrl}/share/${share.secret}`
  return {
    url,
    badge_url: share.passwordHash === null ? `${url}/badge.svg` : null,
    panels: share.panels,
    ends_at: isoOrNull(share.endsAtUs),
    has_password: share.passwordHash !== null,
    created_at: isoMicroseconds(share.createdAtUs),
  }
}

type Kind<Path extends `/${string}`> = { kind: ShareKind; path: Path; title: string }

const placeIn = (kind: ShareKind, { key, params }: Pick<FindContext, 'key' | 'params'>): SharePlace =>
  kind === 'link' ? { kind, key } : { kind, id: idOf(params) }

const findIn =
  (kind: ShareKind) =>
  ({ deps, caller, ...names }: FindContext) =>
    findSubject({ db: deps.readDb }, caller, placeIn(kind, names))

const readingOf = <const Path extends `/${string}`>({ kind, path }: Kind<Path>) =>
  endpoint({
    route: `GET ${path}/share`,
    who: 'both',
    scope: 'analytics:read',
    tag: 'Shared statistics',
    summary: `Read how a ${kind} is shared`,
    description: 'Not found while its statistics are not shared.',
    answer: { message: 'Share retrieved.', description: 'The shared page.', data: shareSchema },
    refusals: [404],
    run: async ({ caller, ...names }, deps) => ({
      data: shareView(deps, await findShare({ db: deps.readDb }, caller, placeIn(kind, names))),
    }),
  })

const creationOf = <const Path extends `/${string}`>({ kind, path, title }: Kind<Path>) =>
  endpoint({
    route: `POST ${path}/share`,
    who: 'both',
    scope: 'shares:write',
    tag: 'Shared statistics',
    summary: `Share the statistics of a ${kind}`,
    description:
      'Gives them a page with a secret URL, which everybody can open who has it. It shows the number of clicks and the panels that are chosen, and is at most a minute old.',
    input: body(shareInputs(kind).newShare.openapi(`New${title}Share`), { panels: ['clicks', 'countries'] }),
    answer: { status: 201, message: 'Share created.', description: 'The shared page.', data: shareSchema },
    refusals: [404, 409, 422],
    find: findIn(kind),
    async run({ caller, input, signal, ...names }, deps) {
      const share = await createShare(deps, caller, { place: placeIn(kind, names), input, signal })
      return { data: shareView(deps, share) }
    },
  })

const editOf = <const Path extends `/${string}`>({ kind, path, title }: Kind<Path>) =>
  endpoint({
    route: `PUT ${path}/share`,
    who: 'both',
    scope: 'shares:write',
    tag: 'Shared statistics',
    summary: `Change how a ${kind} is shared`,
    description: 'Fields that are absent stay as they are, and so does the URL.',
    input: body(shareInputs(kind).edit.openapi(`${title}ShareEdit`), { panels: ['clicks', 'sources'] }),
    answer: { message: 'Share updated.', description: 'Changed.', data: shareSchema },
    refusals: [404, 422],
    find: findIn(kind),
    async run({ caller, input, signal, ...names }, deps) {
      const share = await changeShare(deps, caller, { place: placeIn(kind, names), input, signal })
      return { data: shareView(deps, share) }
    },
  })

const resetOf = <const Path extends `/${string}`>({ kind, path }: Kind<Path>) =>
  endpoint({
    route: `POST ${path}/share/reset`,
    who: 'both',
    scope: 'shares:write',
    tag: 'Shared statistics',
    summary: `Give the shared page of a ${kind} another URL`,
    description: 'The URL before stops at once. All else stays.',
    answer: { message: 'Share reset.', description: 'The page with its new URL.', data: shareSchema },
    refusals: [404],
    run: async ({ caller, ...names }, deps) => ({
      data: shareView(deps, await resetShare(deps, caller, placeIn(kind, names))),
    }),
  })

const deletionOf = <const Path extends `/${string}`>({ kind, path }: Kind<Path>) =>
  endpoint({
    route: `DELETE ${path}/share`,
    who: 'both',
    scope: 'shares:write',
    tag: 'Shared statistics',
    summary: `Stop sharing the statistics of a ${kind}`,
    description: 'The page is gone at once. If it is shared again, it has another URL.',
    answer: { message: 'Share deleted.', description: 'Deleted.' },
    refusals: [404],
    run: ({ caller, ...names }, deps) => removeShare(deps, caller, placeIn(kind, names)),
  })

/** The public pages of links, tags and folders. */
export const shareEndpoints = [
  ...endpointsOf({ kind: 'link', path: '/links/{short_code}', title: 'Link' }),
  ...endpointsOf({ kind: 'tag', path: '/tags/{id}', title: 'Tag' }),
  ...endpointsOf({ kind: 'folder', path: '/folders/{id}', title: 'Folder' }),
]

function endpointsOf<const Path extends `/${string}`>(kind: Kind<Path>) {
  return [readingOf(kind), creationOf(kind), editOf(kind), resetOf(kind), deletionOf(kind)]
}
