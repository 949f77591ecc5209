import { z } from 'zod'
import type { DestinationRules } from '../destinations/destination.ts'
import { destinationHref } from '../destinations/destination-field.ts'
import { lineOfText, time, trueOrFalse } from '../../validation/field-rules.ts'
import { linkPassword } from '../link-password.ts'
import {
  asSent,
  clearable,
  columnField,
  flagColumn,
  textAnswer,
  textColumn,
  timeAnswer,
  timeColumn,
  urlColumn,
} from './link-field.ts'
import { parseRules, withRuleIds } from '../rules/rule-ids.ts'
import { ruleAnswers, ruleList } from '../rules/rule-fields.ts'
import { type QueryForwarding, shownForwarding, storedForwarding } from '../query-forwarding.ts'
import { REDIRECT_STATUS, REDIRECT_STATUSES, type RedirectStatus, STATUSES_TEXT } from '../redirect-status.ts'
import { wholeText } from '../../runtime/number-text.ts'

const CLICKS_MAX = 1_000_000_000
export const SOCIAL_TITLE_LENGTH_MAX = 120
export const SOCIAL_DESCRIPTION_LENGTH_MAX = 300

const NOT_A_STATUS = `The :attribute must be ${STATUSES_TEXT}.`
const redirectStatus = z
  .number(NOT_A_STATUS)
  .refine((status) => REDIRECT_STATUSES.includes(status as RedirectStatus), NOT_A_STATUS)
  .transform((status) => status as RedirectStatus)

const FORWARDINGS: QueryForwarding[] = [false, true, 'replace']
const queryForwarding = z.custom<QueryForwarding>(
  (value) => FORWARDINGS.includes(value as QueryForwarding),
  'The :attribute field must be true, false or "replace".',
)

const NOT_A_LIMIT = `The :attribute must be a whole number from 1 to ${wholeText(CLICKS_MAX)}.`
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
  inBulk: true,
  isRouted: true,
  publishedKeys: 'refused',
  equal: 'must',
  history: 'version',
} as const

/** What visitors meet. A plain link has NULL in these columns. */
export const VISITOR_FIELDS = {
  starts_at: columnField({
    ...clearable(() => time, {
      description: 'When the link begins to redirect; null: at once. ISO 8601 with its zone.',
      example: '2026-12-01T09:00:00Z',
    }),
    ...timeColumn,
    column: 'starts_at',
    answer: timeAnswer('When the link begins to redirect; null: from the start.'),
    ...WHAT_VISITORS_MEET,
  }),
  expires_at: columnField({
    ...clearable(() => time, {
      description:
        'When the link stops redirecting, to the second, after `starts_at`; null: never. May lie in the past.',
      example: '2027-01-01T00:00:00Z',
    }),
    ...timeColumn,
    column: 'expires_at',
    answer: timeAnswer('When the link stops redirecting; null: never.'),
    ...WHAT_VISITORS_MEET,
    publishedKeys: 'allowed',
  }),
  max_clicks: columnField({
    ...clearable(() => clickLimit, {
      type: ['integer', 'null'],
      description:
        'How many visitors are led to the destination, ever, including the clicks that the link has when the limit is set; null: any number. Programs that only look (HEAD, prefetches, images of other pages, link previews, crawlers) are not among them and do not learn the destination.',
      example: 100,
    }),
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
  fallback_url: columnField({
    ...clearable(destinationHref, {
      description:
        'Where visitors go before the start, after the end and over the limit; null: they read a notice.',
      example: 'https://example.com/over',
    }),
    column: 'fallback_url',
    ...urlColumn,
    answer: textAnswer('Where visitors go before the start, after the end and over the limit.'),
    ...WHAT_VISITORS_MEET,
  }),
  forward_query: columnField({
    ...clearable(() => queryForwarding, {
      description:
        "Whether the visitor's query parameters are passed on. true: the destination's own win; `replace`: the visitor's replace those of the same name. `api_key` and `qr` are never passed on.",
      type: ['boolean', 'string', 'null'],
      enum: [...FORWARDINGS, null],
      example: 'replace',
    }),
    column: 'forward_query',
    isText: false,
    store: storedForwarding,
    show: shownForwarding,
    answer: queryForwarding.meta({
      description:
        "Whether the visitor's query parameters are passed on; `replace`: also instead of those of the same name that the destination has.",
      type: ['boolean', 'string'],
      enum: FORWARDINGS,
      example: false,
    }),
    ...WHAT_VISITORS_MEET,
  }),
  forward_path: columnField({
    ...clearable(() => trueOrFalse, {
      description:
        'Whether the short URL also opens with a path behind its code, which is added to the path of the destination: `/launch/page/2`. See docs/forwarding.md.',
    }),
    column: 'forward_path',
    ...flagColumn,
    answer: z.boolean().meta({
      description: 'Whether the path behind the code is added to the path of the destination.',
      example: false,
    }),
    ...WHAT_VISITORS_MEET,
  }),
  redirect_status: columnField({
    ...clearable(() => redirectStatus, {
      description: `The status of the redirect: ${STATUSES_TEXT}. Browsers keep 301 and 308 for 90 seconds, and repeated visits may not be counted then.`,
      enum: [...REDIRECT_STATUSES, null],
    }),
    column: 'redirect_status',
    isText: false,
    store: (status) => (status === REDIRECT_STATUS ? null : status),
    show: (status) => status ?? REDIRECT_STATUS,
    answer: z.int().meta({
      description: 'The status of the redirect.',
      enum: [...REDIRECT_STATUSES],
      example: REDIRECT_STATUS,
    }),
    ...WHAT_VISITORS_MEET,
  }),
  rules: columnField({
    ...clearable(ruleList, {
      description:
        'Other destinations for some visitors: the first rule whose conditions all hold wins. See docs/redirect-rules.md.',
    }),
    column: 'rules',
    isText: true,
    store: (rules) => (rules === null || rules.length === 0 ? null : JSON.stringify(withRuleIds(rules))),
    show: parseRules,
    answer: ruleAnswers,
    ...WHAT_VISITORS_MEET,
    inBulk: false,
  }),
  password: columnField({
    ...clearable(() => linkPassword, {
      description:
        'What visitors have to enter before they are led to the destination; null removes it. Kept as a hash, and never shown: see `has_password`.',
    }),
    column: 'password_hash',
    isText: true,
    // What reaches it is the hash: see `hashLinkPasswords`.
    store: asSent,
    show: (hash) => hash !== null,
    answer: z.boolean().meta({ description: 'Whether visitors have to enter a password.', example: false }),
    shownAs: 'has_password',
    ...WHAT_VISITORS_MEET,
    inBulk: false,
    equal: 'never',
  }),
  social_title: columnField({
    ...clearable(() => lineOfText(SOCIAL_TITLE_LENGTH_MAX), {
      description: 'The title of the card that chats and social networks show instead of the destination.',
    }),
    column: 'social_title',
    ...textColumn,
    answer: textAnswer('The title in link previews; null: none of our own.'),
    ...WHAT_VISITORS_MEET,
    inBulk: false,
  }),
  social_description: columnField({
    ...clearable(() => lineOfText(SOCIAL_DESCRIPTION_LENGTH_MAX), { description: 'The text of that card.' }),
    column: 'social_description',
    ...textColumn,
    answer: textAnswer('The text in link previews.'),
    ...WHAT_VISITORS_MEET,
    inBulk: false,
  }),
  social_image_url: columnField({
    ...clearable(socialImageUrl, { description: 'The picture of that card: an https URL.' }),
    column: 'social_image_url',
    ...urlColumn,
    answer: textAnswer('The picture in link previews.'),
    ...WHAT_VISITORS_MEET,
    inBulk: false,
  }),
}
