import { z } from 'zod'
import { memoize } from '../../clicks/visitor/memoize.ts'
import { BROWSERS, DEVICES, SYSTEMS, UNKNOWN } from '../../clicks/visitor/read-user-agent.ts'
import { once } from '../../runtime/make-once.ts'
import { lineOfText, NOT_A_STRING, time } from '../../validation/field-rules.ts'
import { boundedList } from '../bounded-list.ts'
import { minuteOfDay, WEEKDAYS } from './local-time.ts'
import { isObject } from '../../validation/is-object.ts'

// What a rule may ask about a visit. Values are kept as they were sent.

const VALUES_MAX = 50
const QUERY_NAMES_MAX = 10
const QUERY_NAME_LENGTH_MAX = 100
const QUERY_VALUE_LENGTH_MAX = 255
/** The longest in use are like `zh-Hant-TW`; the longest name of a zone is half of the bound. */
const LANGUAGE_LENGTH_MAX = 35
const TIMEZONE_LENGTH_MAX = 64

const NOT_AN_OBJECT = 'The :attribute must be an object.'
const COUNTRY = /^[A-Za-z]{2}$/
const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/

/** A text for which `isOne` holds. Longer ones are refused before they are looked at. */
const text = (lengthMax: number, isOne: (text: string) => boolean, sentence: string) =>
  z.string(NOT_A_STRING).refine((text) => text.length <= lengthMax && isOne(text), sentence)

const regions = once(() => new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }))
/** They have names, but no visitor comes from there. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UK', 'UN', 'XA', 'XB', 'ZZ'])

/** There are no more of two letters. */
const REGIONS_MAX = 26 * 26
const hasName = memoize(REGIONS_MAX, (region) => regions().of(region) !== undefined)

/** ISO 3166 alpha-2, in any case. */
function isCountry(code: string): boolean {
  const region = code.toUpperCase()
  return COUNTRY.test(code) && !NO_COUNTRIES.has(region) && hasName(region)
}

/** Former ones, such as DD, are left out: their names are those of others. */
export const allCountries = (): string[] => {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => isCountry(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)
}

/** Of visitors, in any case. */
export const country = text(2, isCountry, 'The :attribute must be a country in ISO 3166, such as DE.').meta({
  pattern: COUNTRY.source,
  description: 'A country in ISO 3166, alpha-2.',
  example: 'DE',
})

const language = text(
  LANGUAGE_LENGTH_MAX,
  (tag) => LANGUAGE.test(tag),
  'The :attribute must be a language tag, such as de or pt-BR.',
).meta({
  maxLength: LANGUAGE_LENGTH_MAX,
  pattern: LANGUAGE.source,
  description: 'A language tag.',
  example: 'pt-BR',
})

/** A name of the analytics, in any case. */
function nameAmong(names: ReadonlySet<string>, example: string) {
  const lowerNames = new Set([...names].map((name) => name.toLowerCase()))
  const lengthMax = Math.max(...[...lowerNames].map(({ length }) => length))
  return text(
    lengthMax,
    (name) => lowerNames.has(name.toLowerCase()),
    `The :attribute must be a name that the analytics use, such as ${example}.`,
  ).meta({
    pattern: `^(?:${[...names].map(inAnyCase).join('|')})$`,
    description: `In any case, one of: ${[...names].join(', ')}.`,
    example,
  })
}

/** A pattern: those of JSON Schema have no flags. */
const inAnyCase = (name: string) =>
  name
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)

const values = <Element extends z.ZodType>(element: Element) =>
  boundedList(element, { min: 1, max: VALUES_MAX })

const queryValue = z.union([z.literal(true), lineOfText(QUERY_VALUE_LENGTH_MAX)], {
  error: `The :attribute must be true or a string of at most ${QUERY_VALUE_LENGTH_MAX} characters.`,
})

/** `__proto__` would be lost. */
const isQueryName = (name: string) =>
  name !== '' && name.length <= QUERY_NAME_LENGTH_MAX && name !== '__proto__'

const query = z.preprocess(
  (sent, context) => {
    const sentence = isObject(sent) ? wrongNames(Object.keys(sent)) : NOT_AN_OBJECT
    if (sentence === undefined) return sent
    context.issues.push({ code: 'custom', message: sentence, input: sent })
    return z.NEVER
  },
  z.record(z.string(), queryValue),
)

function wrongNames(names: readonly string[]): string | undefined {
  if (names.length < 1 || names.length > QUERY_NAMES_MAX)
    return `The :attribute must have between 1 and ${QUERY_NAMES_MAX} names.`
  if (names.every(isQueryName)) return undefined
  return `The names of the :attribute must have between 1 and ${QUERY_NAME_LENGTH_MAX} characters.`
}

const timeText = z.string(NOT_A_STRING).check((context) => {
  const { error } = time.safeParse(context.value)
  for (const { message } of error?.issues ?? [])
    context.issues.push({ code: 'custom', message, input: context.value })
})

const between = z
  .strictObject({ from: timeText.optional(), to: timeText.optional() }, NOT_AN_OBJECT)
  .refine(({ from, to }) => from !== undefined || to !== undefined, {
    error: 'The :attribute field is required when the end is absent.',
    path: ['from'],
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
    error: 'The :attribute must be after the start.',
    path: ['to'],
  })

const timeOfDay = text(
  5,
  (time) => minuteOfDay(time) !== undefined,
  'The :attribute must be a time from 00:00 to 24:00, such as 09:00.',
)

/** More than there are. */
const ZONES_REMEMBERED_MAX = 1_000

/** Not an offset, which ignores daylight saving time. */
const isTimezone = memoize(ZONES_REMEMBERED_MAX, (name) => {
  if (/^[+-]/.test(name)) return false
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
})

/** Where a clock reads a time of day. */
export const timezoneName = text(
  TIMEZONE_LENGTH_MAX,
  isTimezone,
  'The :attribute must be a name of the IANA time zone database, such as Europe/Berlin.',
)

const hours = z
  .strictObject(
    {
      days: boundedList(z.enum(WEEKDAYS, `The :attribute must be one of ${WEEKDAYS.join(', ')}.`), {
        min: 1,
        max: WEEKDAYS.length,
      }).optional(),
      from: timeOfDay,
      to: timeOfDay,
      timezone: timezoneName,
    },
    NOT_AN_OBJECT,
  )
  .refine(({ from, to }) => minuteOfDay(from) !== minuteOfDay(to), {
    error: 'The :attribute must differ from the start. The whole day is from 00:00 to 24:00.',
    path: ['to'],
  })

/** What the analytics call a client, one name each. */
export const clientNames = {
  device: z.enum(DEVICES, `The :attribute must be one of ${DEVICES.join(', ')}.`),
  os: nameAmong(SYSTEMS, 'iOS'),
  browser: nameAmong(BROWSERS, 'Firefox'),
}

/** One schema of the documentation, in requests and responses. */
export const conditions = z
  .strictObject(
    {
      country: values(country).optional(),
      device: values(clientNames.device).optional(),
      os: values(clientNames.os).optional(),
      browser: values(clientNames.browser).optional(),
      language: values(language).optional(),
      query: query.optional(),
      between: between.optional(),
      hours: hours.optional(),
    },
    NOT_AN_OBJECT,
  )
  .meta({ id: 'Conditions', description: 'All of them must hold; within one, any value will do.' })

export type Conditions = z.output<typeof conditions>

/** What people choose from a list: every accepted name, except the one for what is unknown. */
export const conditionChoices = () => ({
  country: allCountries(),
  device: [...DEVICES],
  os: choices(SYSTEMS),
  browser: choices(BROWSERS),
})

const choices = (names: ReadonlySet<string>) =>
  [...names].filter((name) => name !== UNKNOWN).toSorted(byName().compare)
const byName = once(() => new Intl.Collator('en'))
