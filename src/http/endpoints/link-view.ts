import { codePath } from '../../codes/unusual-code.ts'
import { z } from '@hono/zod-openapi'
import { timestamp } from './schemas.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import type { Domains } from '../../links/domains/domains.ts'
import type { LinkKey } from '../../links/link-key.ts'
import { type Link, shownKey } from '../../links/link.ts'
import { fieldAnswers, optionViews } from '../../links/link-fields.ts'
import { utmAnswer, utmOf } from '../../links/utm-parameters.ts'
import { LINK_STATUSES, linkStatus, type StatusDeps } from '../../links/link-status.ts'

/** Made from BASE_URL and the link's domain only, whatever Host the request has. */
function urlsOf(domains: Pick<Domains, 'rootOf' | 'hostOf'>, { domainId, code }: LinkKey) {
  const origin = domains.rootOf(domainId)
  return {
    domain: domains.hostOf(domainId),
    short_url: `${origin}/${codePath(code)}`,
    qr_code_url: `${origin}/qr/${encodeURIComponent(code)}`,
  }
}

/** What a view needs beside the link. */
export type LinkViewDeps = {
  domains: Pick<Domains, 'rootOf' | 'hostOf'>
  clock: StatusDeps['clock']
  destinationRules: { blocks: StatusDeps['blocks'] }
}

export function linkView(
  { domains, clock, destinationRules: { blocks } }: LinkViewDeps,
  link: Link,
): LinkView {
  const { domain, short_url, qr_code_url } = urlsOf(domains, shownKey(link))
  return {
    id: link.id,
    short_code: shownKey(link).code,
    domain,
    short_url,
    aliases: link.aliases,
    original_url: link.originalUrl,
    utm: utmOf(link.originalUrl),
    title: link.title,
    click_count: link.clickCount,
    qr_code_url,
    is_active: link.isActive,
    created_at: isoMicroseconds(link.createdAtUs),
    status: linkStatus({ blocks, clock }, link),
    tags: link.tags,
    folder: link.folder,
    ...optionViews(link.options),
  }
}

/** `svc_id` is only shown when a link is created. */
export function createdLinkView(deps: LinkViewDeps, link: Link): CreatedLinkView {
  const { id, ...rest } = linkView(deps, link)
  return { id, svc_id: link.svcId, ...rest }
}

const { aliases, original_url, title, is_active, ...otherAnswers } = fieldAnswers

const linkFields = {
  short_code: z
    .string()
    .openapi({ description: 'The text after the slash; names the link in paths.', example: 'launch' }),
  domain: z.string().openapi({
    description: 'The host of its short URL, and with it of its code.',
    example: 'localhost:3000',
  }),
  short_url: z.url().openapi({ example: 'http://localhost:3000/launch' }),
  aliases,
  original_url,
  utm: utmAnswer,
  title,
  click_count: z.int().min(0).openapi({
    description: "People's clicks, at most two seconds behind; bots are not in it.",
    example: 0,
  }),
  qr_code_url: z.url().openapi({ example: 'http://localhost:3000/qr/launch' }),
  is_active,
  created_at: timestamp(),
  status: z.enum(LINK_STATUSES).openapi({ description: 'What a visitor would meet now.', example: 'active' }),
  ...otherAnswers,
}

const id = () => z.int().min(1).openapi({ example: 1 })

export const linkSchema = z.strictObject({ id: id(), ...linkFields }).openapi('Link')
export const createdLinkSchema = z
  .strictObject({
    id: id(),
    svc_id: z.string().openapi({
      description: 'A second identifier, shown on creation only.',
      example: 'svc_0196a1b2-7c3d-7e4f-8a9b-0c1d2e3f4a5b',
    }),
    ...linkFields,
  })
  .openapi('CreatedLink')

/** What requests about links may also have: a copy of a response, and another name for the destination. */
export const IGNORED_FIELDS = [...Object.keys(createdLinkSchema.shape), 'url', 'custom_code']

export type LinkView = z.infer<typeof linkSchema>
export type CreatedLinkView = z.infer<typeof createdLinkSchema>
