import { z } from 'zod'
import { trimmed } from '../codes/invisible.ts'
import { fieldErrorsOf } from '../errors/field-errors.ts'
import { invalid } from '../errors/refusal.ts'
import { DESTINATION_LENGTH_MAX, type DestinationRules, readDestination } from './destinations/destination.ts'
import { namedPairs, splitQuery, valueOfPair } from './destinations/query-pairs.ts'
import { lineOfText } from '../validation/field-rules.ts'
import type { Destination } from './destinations/destination-field.ts'

// UTM parameters are part of the destination and are stored nowhere else.

const VALUE_LENGTH_MAX = 200

/** The value of one parameter. */
export const utmValue = lineOfText(VALUE_LENGTH_MAX).nullish()

/** The field in requests. A parameter that is absent stays as it is; null or '' removes it. */
export const utmField = z
  .strictObject(
    { source: utmValue, medium: utmValue, campaign: utmValue, term: utmValue, content: utmValue },
    'The :attribute must be an object.',
  )
  .nullish()

export type Utm = NonNullable<z.output<typeof utmField>>

export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const satisfies (keyof Utm)[]
export type UtmName = (typeof UTM_NAMES)[number]

/** A number, an address or the URL of an app, where they mean nothing. */
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:/i

/** The URL with these parameters, each where it was, or else at the end of the query. All else stays as it was sent. */
export function writeUtm(url: string, utm: Utm): string {
  if (OTHER_SCHEME.test(url)) return url
  const { path, query, fragment } = splitQuery(url)
  let pairs = query === '' ? [] : namedPairs(query)
  let hasWritten = false
  for (const name of UTM_NAMES) {
    const text = utm[name]
    if (text === undefined) continue
    const ownName = `utm_${name}`
    const at = pairs.findIndex((each) => each.name === ownName)
    if (at !== -1) pairs = pairs.filter((each, index) => index === at || each.name !== ownName)
    // In the spelling in which it is there already.
    if (at !== -1 && valueOfPair(pairs[at]!.pair) === text) continue
    const pair = `${ownName}=${encodeURIComponent(text ?? '')}`
    const written = text === null || text === '' ? [] : [{ name: ownName, pair }]
    hasWritten ||= written.length > 0
    if (at === -1) pairs.push(...written)
    else pairs.splice(at, 1, ...written)
  }
  if (pairs.length === 0) return path + fragment
  return `${hasWritten ? withPath(path) : path}?${pairs.map(({ pair }) => pair).join('&')}${fragment}`
}

/** As browsers write it, because destinations are searched and compared as texts. */
const withPath = (url: string): string => (/^https?:\/\/[^/]+$/i.test(url) ? `${url}/` : url)

/** What was sent as the destination of a new link, with the parameters that were sent beside it. What is invalid stays as it is, to be refused. */
export function sentWithUtm(url: unknown, sentUtm: unknown): unknown {
  const utm = sentUtm === undefined ? undefined : utmField.safeParse(sentUtm).data
  if (!utm || typeof url !== 'string' || url.length > 2 * DESTINATION_LENGTH_MAX) return url
  return writeUtm(trimmed(url), utm)
}

/**
 * The destination that an edit gives a link; undefined: the one that it has. All five parameters as stored are a copy from a
 * response: beside a new destination, they say nothing.
 */
export function editedDestination(
  stored: string,
  { original_url: sent, utm }: { original_url?: Destination | undefined; utm?: Utm | null | undefined },
  rules: DestinationRules,
): Destination | undefined {
  if (!utm || (sent !== undefined && isOf(stored, utm))) return sent
  const text = writeUtm(sent?.text ?? stored, utm)
  const read = readDestination(text, rules)
  if ('error' in read)
    throw invalid(fieldErrorsOf([{ path: ['utm'], message: read.error, params: { code: read.code } }]))
  return read
}

/** Whether these are all parameters of the URL. */
function isOf(url: string, utm: Utm): boolean {
  const own = utmOf(url)
  return own !== null && UTM_NAMES.every((name) => utm[name] === own[name])
}

/** The parameters of a destination; null if it has none. */
export const utmOf = (url: string): UtmAnswer | null =>
  url.includes('?') ? utmInQuery(splitQuery(url).query) : null

/** The parameters in a query, without its question mark; null if it has none. */
export function utmInQuery(query: string): UtmAnswer | null {
  const pairs = namedPairs(query)
  const valueOf = (utmName: string) => {
    const pair = pairs.find(({ name }) => name === `utm_${utmName}`)
    return pair === undefined ? null : valueOfPair(pair.pair)
  }
  const [source, medium, campaign, term, content] = UTM_NAMES.map(valueOf) as (string | null)[]
  const values = { source, medium, campaign, term, content } as UtmAnswer
  return UTM_NAMES.every((name) => values[name] === null) ? null : values
}

const text = z.string().nullable()

/** The field in responses. */
export const utmAnswer = z
  .strictObject({ source: text, medium: text, campaign: text, term: text, content: text })
  .nullable()
  .meta({ description: 'The UTM parameters in `original_url`; null without any.', example: null })

type UtmAnswer = NonNullable<z.output<typeof utmAnswer>>
