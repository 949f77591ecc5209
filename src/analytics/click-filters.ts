import { z } from 'zod'
import { VIAS } from '../clicks/journal/click-extras.ts'
import { type Dimension, DIMENSIONS } from '../clicks/facts/dimensions.ts'
import type { ClickFilter, ClickQuery } from '../clicks/queries/click-query.ts'
import { BROWSERS, DEVICES, SYSTEMS, UNKNOWN } from '../clicks/visitor/read-user-agent.ts'
import { choice } from '../validation/field-rules.ts'
import { nameParameter, several } from '../validation/query-parameters.ts'

// Which clicks a report is about, by what is known of each. The parameters of all reports, their documentation and how they are read.

export type ClickFilters = NonNullable<ClickQuery['filters']>

/** Before values of which none is wanted. */
const NOT = 'not:'
const VALUES_MAX = 20
/** For what is unknown or was not sent, where no other word says it. */
const NO_VALUE = 'unknown'

type FilterDefinition = {
  description: string
  example: string
  /** Of one value. */
  value: z.ZodType<string>
  /** As clicks have it; nothing else has to be compared. */
  stored(value: string): readonly string[]
}

const orUnknown = (stored: (value: string) => string) => (value: string) =>
  value.toLowerCase() === NO_VALUE ? [''] : [stored(value)]

/** Clients and systems have names from lists, which are found whatever their case. */
function named(names: ReadonlySet<string>): FilterDefinition['stored'] {
  const nameOf = new Map([...names].map((name) => [name.toLowerCase(), name]))
  return (value) => {
    const name = nameOf.get(value.toLowerCase()) ?? value
    return name === UNKNOWN ? [UNKNOWN, ''] : [name]
  }
}

const asSent = (value: string) => [value]

const DEFINITIONS: Record<Dimension, FilterDefinition> = {
  country: {
    description: `Visitors from this country, by its ISO 3166 alpha-2 code; \`${NO_VALUE}\` where it is not known.`,
    example: 'DE',
    value: z
      .string()
      .regex(
        /^(?:[a-z]{2}|unknown)$/i,
        'The :attribute must be a code of two letters, such as DE, or unknown.',
      ),
    stored: orUnknown((code) => code.toUpperCase()),
  },
  device: {
    description: 'The kind of device.',
    example: 'mobile',
    value: choice(DEVICES),
    stored: (device) => (device === 'other' ? ['other', ''] : [device]),
  },
  browser: {
    description: 'The browser or app, by the name that reports give it, in any case.',
    example: 'Firefox',
    value: nameParameter,
    stored: named(BROWSERS),
  },
  os: {
    description: 'The operating system, by the name that reports give it, in any case.',
    example: 'Android',
    value: nameParameter,
    stored: named(SYSTEMS),
  },
  referrer: {
    description: 'The host of the page with the link; `none` where there was none, or none was sent.',
    example: 'news.example.org',
    value: nameParameter,
    stored: (host) => [host === 'none' ? '' : host.toLowerCase()],
  },
  language: {
    description: `The first language of the browser, without its region; \`${NO_VALUE}\` where it is not known.`,
    example: 'de',
    value: z
      .string()
      .regex(
        /^(?:[a-z]{2,8})$/i,
        'The :attribute must be a language without its region, such as de, or unknown.',
      ),
    stored: orUnknown((language) => language.toLowerCase()),
  },
  via: {
    description: 'How visitors came: by the short URL, by its QR code, or by its preview page.',
    example: 'qr',
    value: choice(VIAS),
    stored: asSent,
  },
  variant: {
    description: 'The destination that a rule chose, by the ID of the rule or of the part of its split.',
    example: 'k3x9',
    value: nameParameter,
    stored: asSent,
  },
  alias: {
    description: 'The further code that was opened, for links with several.',
    example: 'spring',
    value: nameParameter,
    stored: asSent,
  },
}

const parameterOf = ({ description, example, value, stored }: FilterDefinition) =>
  several(valueOrNot(value), VALUES_MAX)
    .transform((values, context): ClickFilter | undefined => {
      if (values === undefined) return undefined
      const isNegated = values[0]!.startsWith(NOT)
      if (values.some((each) => each.startsWith(NOT) !== isNegated)) {
        context.addIssue(`The :attribute must have ${NOT} before all of its values, or before none.`)
        return z.NEVER
      }
      return {
        values: values.flatMap((each) => stored(isNegated ? each.slice(NOT.length) : each)),
        isNegated,
      }
    })
    .meta({
      description: `${description} May be repeated: any of them. With \`${NOT}\` before each value: none of them.`,
      example: [example],
    })

/** The same value with or without the word before it. */
const valueOrNot = (value: z.ZodType<string>) =>
  z.string().superRefine((text, context) => {
    const parsed = value.safeParse(text.startsWith(NOT) ? text.slice(NOT.length) : text)
    for (const { message } of parsed.error?.issues ?? []) context.addIssue(message)
  })

/** A parameter for each dimension. */
export const filterParameters = z.object(
  Object.fromEntries(DIMENSIONS.map((name) => [name, parameterOf(DEFINITIONS[name])])) as Record<
    Dimension,
    ReturnType<typeof parameterOf>
  >,
)

/** Those that were sent; undefined if none was. */
export function readFilters(parameters: z.output<typeof filterParameters>): ClickFilters | undefined {
  const filters = DIMENSIONS.flatMap((name) =>
    parameters[name] === undefined ? [] : [[name, parameters[name]]],
  )
  return filters.length === 0 ? undefined : Object.fromEntries(filters)
}
