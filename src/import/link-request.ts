import { clicksRequest } from './clicks-request.ts'
import { whyLeftOut } from './left-out.ts'
import type { LinkChoices } from './link-choices.ts'
import { NOTES_LENGTH_MAX } from '../links/fields/owner-fields.ts'
import { TITLE_LENGTH_MAX } from '../links/fields/basic-fields.ts'
import type { SourceLink } from './source.ts'

/** What is sent to the API for a link, and what cannot come along. */
export type LinkRequest = { fields: Record<string, unknown>; lost: string[] } | { refused: string }

type RequestOptions = LinkChoices & { nowUs: number }

const UNKNOWN_PASSWORD =
  'The link has a password that the source does not say, or only as a hash that is not of bcrypt with a cost of 12 at most. Without it, the link would be open to everybody.'

/** Checks nothing that the API checks. What is left out of the request is said. */
export function linkRequest(
  link: SourceLink,
  { domain, folder, without = [], nowUs, ...days }: RequestOptions,
): LinkRequest {
  if (link.hasUnknownPassword) return { refused: UNKNOWN_PASSWORD }
  const { title, notes, lost: lostTexts } = textsOf(link)
  const { clicks, lost: lostClicks } = clicksRequest(
    without.includes('clicks') ? { ...link, clicks: 0 } : link,
  )
  const isLater = link.createdAt != null && Date.parse(link.createdAt) * 1000 > nowUs
  const lost = [
    ...(link.lost ?? []),
    ...lostTexts,
    ...(isLater ? ['The date of creation is in the future, so it is left out.'] : []),
    ...lostClicks,
  ]
  const fields: Record<string, unknown> = {
    domain: domain ?? link.domain,
    custom_code: link.code,
    aliases: listOrNone(link.aliases),
    original_url: link.destination,
    title,
    notes,
    tags: listOrNone(link.tags),
    folder: link.folder,
    external_id: link.externalId,
    created_at: isLater ? undefined : link.createdAt,
    starts_at: link.startsAt,
    expires_at: link.expiresAt,
    max_clicks: link.maxClicks,
    fallback_url: link.fallbackUrl,
    forward_query: link.forwardQuery || undefined,
    redirect_status: link.redirectStatus,
    archived: link.isArchived || undefined,
    is_active: link.isDisabled ? false : undefined,
    password: link.password,
    password_hash: link.passwordHash,
    clicks,
    ...link.others,
    ...(without.includes('tags') && { tags: undefined }),
    ...((folder !== undefined || without.includes('folders')) && { folder }),
  }
  const selected = { isArchived: fields.archived === true, createdAt: link.createdAt }
  const refused = whyLeftOut(selected, { without, ...days })
  if (refused !== undefined) return { refused }
  return { fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)), lost }
}

const listOrNone = (list: string[] | undefined): string[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list

const CONTROLS = /[\x00-\x1f\x7f]+/g

/** A title is one short line. All of a longer one is kept in the notes. */
function textsOf({ title, notes }: SourceLink) {
  const full = title?.trim() ?? ''
  const characters = [...full.split(/[\r\n]/)[0]!.replaceAll(CONTROLS, ' ')]
  const short = characters.slice(0, TITLE_LENGTH_MAX).join('')
  const isShortened = short !== full
  const all = [isShortened ? full : undefined, notes?.replaceAll('\r\n', '\n')].filter(Boolean).join('\n\n')
  const isCut = [...all].length > NOTES_LENGTH_MAX
  return {
    title: short || undefined,
    notes: (isCut ? [...all].slice(0, NOTES_LENGTH_MAX).join('') : all) || undefined,
    lost: [
      ...(isShortened ? ['The title is shortened to one line; all of it is in the notes.'] : []),
      ...(isCut ? [`The notes are cut after ${NOTES_LENGTH_MAX} characters.`] : []),
    ],
  }
}
