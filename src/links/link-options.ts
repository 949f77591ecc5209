import { z } from 'zod'
import { isoOrNull } from '../runtime/clock.ts'
import type { LinkOptionColumns } from '../store/link-schema.ts'
import type { DestinationRules } from './destinations/destination.ts'
import { destinationHref } from './destinations/destination-field.ts'
import { lineOfText, linesOfText, time, trueOrFalse } from './field-rules.ts'
import { linkPassword, type WithPasswordHash } from './link-password.ts'
import { linkQrStyle, parseLinkQrStyle, qrStyleAnswer } from './qr-style/qr-style.ts'
import { parseRules } from './rules/rules.ts'
import { ruleAnswers, ruleList } from './rules/rule-fields.ts'

// The fields that most links do not have, one definition each: what is accepted, the error messages, the documentation, the
// columns, and how responses show it. `link-fields.ts` puts them beside the others.

/** A link's options as stored. A plain link has NULL in each. */
export type LinkOptions = LinkOptionColumns

/** The status of a redirect. */
export type RedirectStatus = 301 | 302 | 307 | 308
const REDIRECT_STATUSES = [301, 302, 307, 308] as const satisfies RedirectStatus[]
const DEFAULT_STATUS: RedirectStatus = 302

const CLICKS_MAX = 1_000_000_000
const NOTES_LENGTH_MAX = 2_000
const EXTERNAL_ID_LENGTH_MAX = 255
const SOCIAL_TITLE_LENGTH_MAX = 120
const SOCIAL_DESCRIPTION_LENGTH_MAX = 300

const socialImageUrl = (rules: DestinationRules) =>
  destinationHref(rules).refine(
    (href) => href.startsWith('https:'),
    'The :attribute must be a URL that starts with https://.',
  )

const redirectStatus = z
  .number('The :attribute must be 301, 302, 307 or 308.')
  .refine(
    (status) => REDIRECT_STATUSES.includes(status as RedirectStatus),
    'The :attribute must be 301, 302, 307 or 308.',
  )
  .transform((status) => status as RedirectStatus)

const NOT_A_LIMIT = `The :attribute must be a whole number from 1 to ${CLICKS_MAX.toLocaleString('en')}.`

const clickLimit = z
  .number(NOT_A_LIMIT)
  .refine((clicks) => Number.isInteger(clicks) && clicks >= 1 && clicks <= CLICKS_MAX, NOT_A_LIMIT)
  .meta({ minimum: 1, maximum: CLICKS_MAX })

function timeAnswer(description: string) {
  return z
    .string()
    .nullable()
    .meta({ description: `${description} ISO 8601, UTC, microseconds.`, format: 'date-time', example: null })
}

/** On creation and in edits alike; null clears an option. */
export const optionSchemas = (rules: DestinationRules) => ({
  starts_at: time.nullish().meta({
    description: 'When the link begins to redirect; null: at once. ISO 8601 with its zone.',
    example: '2026-12-01T09:00:00Z',
  }),
  expires_at: time.nullish().meta({
    description:
      'When the link stops redirecting, to the second, after `starts_at`; null: never. May lie in the past.',
    example: '2027-01-01T00:00:00Z',
  }),
  max_clicks: clickLimit.nullish().meta({
    type: ['integer', 'null'],
    description:
      'How many visitors are led to the destination, ever, including the clicks that the link has when the limit is set; null: any number. Programs that only look (HEAD, prefetches, images of other pages, link previews, crawlers) are not among them and do not learn the destination.',
    example: 100,
  }),
  fallback_url: destinationHref(rules).nullish().meta({
    description:
      'Where visitors go before the start, after the end and over the limit; null: they read a notice.',
    example: 'https://example.com/over',
  }),
  forward_query: trueOrFalse.nullish().meta({
    description:
      "Whether the visitor's query parameters are passed on. The destination's own win; `api_key` and `qr` are never passed on.",
  }),
  redirect_status: redirectStatus.nullish().meta({
    description:
      'The status of the redirect: 301, 302, 307 or 308. Browsers keep 301 and 308 for 90 seconds, and repeated visits may not be counted then.',
    enum: [...REDIRECT_STATUSES, null],
  }),
  rules: ruleList(rules).nullish().meta({
    description:
      'Other destinations for some visitors: the first rule whose conditions all hold wins. See docs/redirect-rules.md.',
  }),
  password: linkPassword.nullish().meta({
    description:
      'What visitors have to enter before they are led to the destination; null removes it. Kept as a hash, and never shown: see `has_password`.',
  }),
  social_title: lineOfText(SOCIAL_TITLE_LENGTH_MAX).nullish().meta({
    description: 'The title of the card that chats and social networks show instead of the destination.',
  }),
  social_description: lineOfText(SOCIAL_DESCRIPTION_LENGTH_MAX)
    .nullish()
    .meta({ description: 'The text of that card.' }),
  social_image_url: socialImageUrl(rules)
    .nullish()
    .meta({ description: 'The picture of that card: an https URL.' }),
  archived: trueOrFalse.nullish().meta({
    description: 'Whether lists leave the link out. It goes on redirecting.',
  }),
  notes: linesOfText(NOTES_LENGTH_MAX).nullish().meta({ description: 'For you; visitors never see them.' }),
  external_id: lineOfText(EXTERNAL_ID_LENGTH_MAX).nullish().meta({
    description:
      'Your own ID for the link, to find it by: `GET /api/links?external_id=`. No two links of a workspace have the same.',
  }),
  qr_style: linkQrStyle.nullish().meta({
    description:
      'How its QR code looks: what `/qr/{short_code}?style=link` draws, and the dashboard begins with. Fields that are absent are as in a plain code; null: as the workspace says. At most 32 KB.',
  }),
})

type OptionInput = {
  [Name in keyof ReturnType<typeof optionSchemas>]?: z.output<ReturnType<typeof optionSchemas>[Name]>
}

const emptyIsNull = (text: string | null | undefined) => (text === '' ? null : text)
const flag = (on: boolean | null | undefined) => (on === undefined ? undefined : on === true ? 1 : null)

/** The values of the option columns; undefined where a field is undefined. */
export function optionColumns(fields: WithPasswordHash<OptionInput>) {
  if (fields.password != null) throw new Error('A password was to be hashed before it is stored.')
  return {
    starts_at: fields.starts_at,
    expires_at: fields.expires_at,
    max_clicks: fields.max_clicks,
    fallback_url: fields.fallback_url,
    forward_query: flag(fields.forward_query),
    redirect_status: fields.redirect_status === DEFAULT_STATUS ? null : fields.redirect_status,
    rules: fields.rules?.length === 0 ? null : fields.rules && JSON.stringify(fields.rules),
    password_hash: fields.password_hash,
    social_title: emptyIsNull(fields.social_title),
    social_description: emptyIsNull(fields.social_description),
    social_image_url: fields.social_image_url,
    is_archived: flag(fields.archived),
    notes: emptyIsNull(fields.notes),
    external_id: emptyIsNull(fields.external_id),
    qr_style: fields.qr_style && JSON.stringify(fields.qr_style),
  }
}

type OptionColumn = keyof ReturnType<typeof optionColumns>

/** The columns of optionColumns, and which of them hold texts. */
export const OPTION_COLUMNS = {
  names: Object.keys(optionColumns({})) as OptionColumn[],
  texts: [
    ...(['fallback_url', 'social_title', 'social_description', 'social_image_url', 'notes'] as const),
    ...(['external_id', 'rules', 'password_hash', 'qr_style'] as const),
  ],
} satisfies Record<string, OptionColumn[]>

export type LinkTimes = { starts_at?: number | null | undefined; expires_at?: number | null | undefined }

/** The times in a request, as far as they are valid. */
export const sentTimes = ({ starts_at, expires_at }: Record<string, unknown>): LinkTimes => ({
  starts_at: time.safeParse(starts_at).data,
  expires_at: time.safeParse(expires_at).data,
})

/** Options that cannot stand together, by the field to blame: one that was sent. `options`: as they would be stored. */
export function optionConflicts(options: LinkTimes, sent = options): Record<string, string> {
  const { starts_at: startsAt, expires_at: expiresAt } = options
  if (startsAt == null || expiresAt == null || expiresAt > startsAt) return {}
  return sent.expires_at === undefined
    ? { starts_at: 'The start must be before the end.' }
    : { expires_at: 'The end must be after the start.' }
}

/** The fields in responses. */
export const optionViews = (options: ShownOptions) => ({
  starts_at: isoOrNull(options.starts_at),
  expires_at: isoOrNull(options.expires_at),
  max_clicks: options.max_clicks,
  fallback_url: options.fallback_url,
  forward_query: options.forward_query === 1,
  redirect_status: options.redirect_status ?? DEFAULT_STATUS,
  rules: parseRules(options.rules),
  has_password: options.password_hash !== null,
  social_title: options.social_title,
  social_description: options.social_description,
  social_image_url: options.social_image_url,
  archived: options.is_archived === 1,
  notes: options.notes,
  external_id: options.external_id,
  qr_style: parseLinkQrStyle(options.qr_style),
})

/** What responses are made from. */
export type ShownOptions = Pick<LinkOptions, OptionColumn>

/** Those among columns; what is absent is NULL. */
export const shownOptions = (columns: { [Name in keyof ShownOptions]?: ShownOptions[Name] | undefined }) =>
  Object.fromEntries(OPTION_COLUMNS.names.map((name) => [name, columns[name] ?? null])) as ShownOptions

/** The fields in responses, for the documentation. */
export const optionAnswers = {
  starts_at: timeAnswer('When the link begins to redirect; null: from the start.'),
  expires_at: timeAnswer('When the link stops redirecting; null: never.'),
  max_clicks: z.int().min(1).max(CLICKS_MAX).nullable().meta({
    description: 'How many visitors are led to the destination, ever; null: any number.',
    example: null,
  }),
  fallback_url: z.string().nullable().meta({
    description: 'Where visitors go before the start, after the end and over the limit.',
    example: null,
  }),
  forward_query: z
    .boolean()
    .meta({ description: "Whether the visitor's query parameters are passed on.", example: false }),
  redirect_status: z
    .int()
    .meta({ description: 'The status of the redirect.', enum: [...REDIRECT_STATUSES], example: 302 }),
  rules: ruleAnswers,
  has_password: z
    .boolean()
    .meta({ description: 'Whether visitors have to enter a password.', example: false }),
  social_title: z
    .string()
    .nullable()
    .meta({ description: 'The title in link previews; null: none of our own.', example: null }),
  social_description: z
    .string()
    .nullable()
    .meta({ description: 'The text in link previews.', example: null }),
  social_image_url: z
    .string()
    .nullable()
    .meta({ description: 'The picture in link previews.', example: null }),
  archived: z.boolean().meta({ description: 'Whether lists leave the link out.', example: false }),
  notes: z.string().nullable().meta({ description: 'For you; visitors never see them.', example: null }),
  external_id: z.string().nullable().meta({ description: 'Your own ID for the link.', example: null }),
  qr_style: qrStyleAnswer.nullable().meta({
    description: 'How its QR code looks; null: as the workspace says.',
    example: null,
  }),
}
