import { z } from 'zod'
import type { DestinationRules } from './destinations/destination.ts'
import { destinationHref } from './destinations/destination-field.ts'
import { lineOfText, linesOfText, time, trueOrFalse } from '../validation/field-rules.ts'
import { linkPassword } from './link-password.ts'
import { asSent, flagOption, option, textAnswer, textOption, timeOption, urlOption } from './option-field.ts'
import { linkQrStyle, parseLinkQrStyle, qrStyleAnswer } from './qr-style/qr-style.ts'
import { parseRules } from './rules/rules.ts'
import { ruleAnswers, ruleList } from './rules/rule-fields.ts'

/** The status of a redirect. */
export type RedirectStatus = 301 | 302 | 307 | 308
const REDIRECT_STATUSES = [301, 302, 307, 308] as const satisfies RedirectStatus[]
const DEFAULT_STATUS: RedirectStatus = 302

const CLICKS_MAX = 1_000_000_000
const NOTES_LENGTH_MAX = 2_000
const EXTERNAL_ID_LENGTH_MAX = 255
const SOCIAL_TITLE_LENGTH_MAX = 120
const SOCIAL_DESCRIPTION_LENGTH_MAX = 300

const NOT_A_STATUS = 'The :attribute must be 301, 302, 307 or 308.'
const redirectStatus = z
  .number(NOT_A_STATUS)
  .refine((status) => REDIRECT_STATUSES.includes(status as RedirectStatus), NOT_A_STATUS)
  .transform((status) => status as RedirectStatus)

const NOT_A_LIMIT = `The :attribute must be a whole number from 1 to ${CLICKS_MAX.toLocaleString('en')}.`
const clickLimit = z
  .number(NOT_A_LIMIT)
  .refine((clicks) => Number.isInteger(clicks) && clicks >= 1 && clicks <= CLICKS_MAX, NOT_A_LIMIT)
  .meta({ minimum: 1, maximum: CLICKS_MAX })

const socialImageUrl = (rules: DestinationRules) =>
  destinationHref(rules).refine(
    (href) => href.startsWith('https:'),
    'The :attribute must be a URL that starts with https://.',
  )

const WHAT_VISITORS_MEET = {
  isRouted: true,
  publishedKeys: 'refused',
  equal: 'must',
  history: 'version',
} as const

const FOR_THE_OWNER = {
  isRouted: false,
  publishedKeys: 'refused',
  equal: 'ifSent',
  history: 'auditOnly',
} as const

/** The fields that most links do not have, one definition each, by their names in requests. */
export const OPTION_FIELDS = {
  starts_at: option({
    input: () => time,
    inputDoc: {
      description: 'When the link begins to redirect; null: at once. ISO 8601 with its zone.',
      example: '2026-12-01T09:00:00Z',
    },
    ...timeOption,
    column: 'starts_at',
    answer: timeOption.answer('When the link begins to redirect; null: from the start.'),
    ...WHAT_VISITORS_MEET,
  }),
  expires_at: option({
    input: () => time,
    inputDoc: {
      description:
        'When the link stops redirecting, to the second, after `starts_at`; null: never. May lie in the past.',
      example: '2027-01-01T00:00:00Z',
    },
    ...timeOption,
    column: 'expires_at',
    answer: timeOption.answer('When the link stops redirecting; null: never.'),
    ...WHAT_VISITORS_MEET,
    publishedKeys: 'allowed',
  }),
  max_clicks: option({
    input: () => clickLimit,
    inputDoc: {
      type: ['integer', 'null'],
      description:
        'How many visitors are led to the destination, ever, including the clicks that the link has when the limit is set; null: any number. Programs that only look (HEAD, prefetches, images of other pages, link previews, crawlers) are not among them and do not learn the destination.',
      example: 100,
    },
    column: 'max_clicks',
    isText: false,
    store: asSent,
    show: asSent,
    answer: z.int().min(1).max(CLICKS_MAX).nullable().meta({
      description: 'How many visitors are led to the destination, ever; null: any number.',
      example: null,
    }),
    ...WHAT_VISITORS_MEET,
  }),
  fallback_url: option({
    input: destinationHref,
    inputDoc: {
      description:
        'Where visitors go before the start, after the end and over the limit; null: they read a notice.',
      example: 'https://example.com/over',
    },
    column: 'fallback_url',
    ...urlOption,
    answer: textAnswer('Where visitors go before the start, after the end and over the limit.'),
    ...WHAT_VISITORS_MEET,
  }),
  forward_query: option({
    input: () => trueOrFalse,
    inputDoc: {
      description:
        "Whether the visitor's query parameters are passed on. The destination's own win; `api_key` and `qr` are never passed on.",
    },
    column: 'forward_query',
    ...flagOption,
    answer: z
      .boolean()
      .meta({ description: "Whether the visitor's query parameters are passed on.", example: false }),
    ...WHAT_VISITORS_MEET,
  }),
  redirect_status: option({
    input: () => redirectStatus,
    inputDoc: {
      description:
        'The status of the redirect: 301, 302, 307 or 308. Browsers keep 301 and 308 for 90 seconds, and repeated visits may not be counted then.',
      enum: [...REDIRECT_STATUSES, null],
    },
    column: 'redirect_status',
    isText: false,
    store: (status) => (status === DEFAULT_STATUS ? null : status),
    show: (status) => status ?? DEFAULT_STATUS,
    answer: z
      .int()
      .meta({ description: 'The status of the redirect.', enum: [...REDIRECT_STATUSES], example: 302 }),
    ...WHAT_VISITORS_MEET,
  }),
  rules: option({
    input: ruleList,
    inputDoc: {
      description:
        'Other destinations for some visitors: the first rule whose conditions all hold wins. See docs/redirect-rules.md.',
    },
    column: 'rules',
    isText: true,
    store: (rules) => (rules === null || rules.length === 0 ? null : JSON.stringify(rules)),
    show: parseRules,
    answer: ruleAnswers,
    ...WHAT_VISITORS_MEET,
  }),
  password: option({
    input: () => linkPassword,
    inputDoc: {
      description:
        'What visitors have to enter before they are led to the destination; null removes it. Kept as a hash, and never shown: see `has_password`.',
    },
    column: 'password_hash',
    isText: true,
    // What reaches it is the hash: see `hashLinkPasswords`.
    store: asSent,
    show: (hash) => hash !== null,
    answer: z.boolean().meta({ description: 'Whether visitors have to enter a password.', example: false }),
    shownAs: 'has_password',
    ...WHAT_VISITORS_MEET,
    equal: 'never',
  }),
  social_title: option({
    input: () => lineOfText(SOCIAL_TITLE_LENGTH_MAX),
    inputDoc: {
      description: 'The title of the card that chats and social networks show instead of the destination.',
    },
    column: 'social_title',
    ...textOption,
    answer: textAnswer('The title in link previews; null: none of our own.'),
    ...WHAT_VISITORS_MEET,
  }),
  social_description: option({
    input: () => lineOfText(SOCIAL_DESCRIPTION_LENGTH_MAX),
    inputDoc: { description: 'The text of that card.' },
    column: 'social_description',
    ...textOption,
    answer: textAnswer('The text in link previews.'),
    ...WHAT_VISITORS_MEET,
  }),
  social_image_url: option({
    input: socialImageUrl,
    inputDoc: { description: 'The picture of that card: an https URL.' },
    column: 'social_image_url',
    ...urlOption,
    answer: textAnswer('The picture in link previews.'),
    ...WHAT_VISITORS_MEET,
  }),
  archived: option({
    input: () => trueOrFalse,
    inputDoc: { description: 'Whether lists leave the link out. It goes on redirecting.' },
    column: 'is_archived',
    ...flagOption,
    answer: z.boolean().meta({ description: 'Whether lists leave the link out.', example: false }),
    ...FOR_THE_OWNER,
    equal: 'never',
  }),
  notes: option({
    input: () => linesOfText(NOTES_LENGTH_MAX),
    inputDoc: { description: 'For you; visitors never see them.' },
    column: 'notes',
    ...textOption,
    answer: textAnswer('For you; visitors never see them.'),
    ...FOR_THE_OWNER,
  }),
  external_id: option({
    input: () => lineOfText(EXTERNAL_ID_LENGTH_MAX),
    inputDoc: {
      description:
        'Your own ID for the link, to find it by: `GET /api/links?external_id=`. No two links of a workspace have the same.',
    },
    column: 'external_id',
    ...textOption,
    answer: textAnswer('Your own ID for the link.'),
    ...FOR_THE_OWNER,
  }),
  qr_style: option({
    input: () => linkQrStyle,
    inputDoc: {
      description:
        'How its QR code looks: what `/qr/{short_code}?style=link` draws, and the dashboard begins with. Fields that are absent are as in a plain code; null: as the workspace says. At most 32 KB.',
    },
    column: 'qr_style',
    isText: true,
    store: (style) => style && JSON.stringify(style),
    show: parseLinkQrStyle,
    answer: qrStyleAnswer.nullable().meta({
      description: 'How its QR code looks; null: as the workspace says.',
      example: null,
    }),
    ...FOR_THE_OWNER,
  }),
}
