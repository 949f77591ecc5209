import { z } from 'zod'
import { type Dimension } from '../store/click-dimensions.ts'
import { VIAS } from '../clicks/journal/click-extras.ts'
import { BROWSERS, DEVICES, SYSTEMS, UNKNOWN } from '../clicks/visitor/read-user-agent.ts'
import { choice } from '../validation/field-rules.ts'
import { nameParameter } from '../validation/query-parameters.ts'
import { countryName } from './country-name.ts'
import { dimension, type FilterDefinition, NO_VALUE, orUnknown } from './dimension-definition.ts'

// What reports can be filtered and broken down by. Parameters, endpoints, their documentation and the rows of answers derive from it.
// UTM parameters are read together with those of destinations (utm-filters.ts).

/** For what a click does not have, and was not expected to. */
export const NONE = 'none'

/** Clients and systems have names from lists, which are found whatever their case. */
function named(names: ReadonlySet<string>): FilterDefinition['stored'] {
  const nameOf = new Map([...names].map((name) => [name.toLowerCase(), name]))
  return (value) => {
    const name = nameOf.get(value.toLowerCase()) ?? value
    return name === UNKNOWN ? [UNKNOWN, ''] : [name]
  }
}

/** One of a few words, in any case. */
const word = (words: readonly [string, ...string[]]) => z.string().toLowerCase().pipe(choice(words))

const asIs = (value: string) => value
const asSent = (value: string) => [value]

const country = dimension({
  report: 'countries',
  by: 'country',
  filter: {
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
  rowName: 'CountryClicks',
  row: {
    country_code: z
      .string()
      .nullable()
      .meta({ description: 'ISO 3166 alpha-2; null when unknown.', example: 'DE' }),
    country: z.string().meta({ example: 'Germany' }),
  },
  view: (code) => ({ country_code: code || null, country: countryName(code) }),
})

const device = dimension({
  report: 'devices',
  by: 'device',
  filter: {
    description: 'The kind of device, in any case.',
    example: 'mobile',
    value: word(DEVICES),
    stored(text) {
      const device = text.toLowerCase()
      return device === 'other' ? ['other', ''] : [device]
    },
  },
  rowName: 'DeviceClicks',
  row: { device: z.string().meta({ enum: [...DEVICES] }) },
  view: (device) => ({ device: device || 'other' }),
})

const browser = dimension({
  report: 'browsers',
  by: 'browser',
  filter: {
    description: 'The browser or app, by the name that reports give it, in any case.',
    example: 'Firefox',
    value: nameParameter,
    stored: named(BROWSERS),
  },
  rowName: 'BrowserClicks',
  row: { browser: z.string().meta({ example: 'Firefox' }) },
  view: (browser) => ({ browser: browser || UNKNOWN }),
})

const os = dimension({
  report: 'operating_systems',
  by: 'operating system',
  filter: {
    description: 'The operating system, by the name that reports give it, in any case.',
    example: 'Android',
    value: nameParameter,
    stored: named(SYSTEMS),
  },
  rowName: 'SystemClicks',
  row: { operating_system: z.string().meta({ example: 'Android' }) },
  view: (system) => ({ operating_system: system || UNKNOWN }),
})

const referrer = dimension({
  report: 'referrers',
  by: 'referrer',
  filter: {
    description: 'The host of the page with the link; `none` where there was none, or none was sent.',
    example: 'news.example.org',
    value: nameParameter,
    stored: (host) => [host.toLowerCase() === NONE ? '' : host.toLowerCase()],
  },
  rowName: 'ReferrerClicks',
  row: {
    referrer: z.string().nullable().meta({
      description:
        'Host name; null when there was none. `other` stands for all beyond the first 5,000 of a workspace and day.',
      example: 'news.example.org',
    }),
  },
  view: (host) => ({ referrer: host || null }),
})

const language = dimension({
  report: 'languages',
  by: 'language',
  filter: {
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
  rowName: 'LanguageClicks',
  row: {
    language: z.string().nullable().meta({
      description: 'The first one of the browser, without its region; null when unknown.',
      example: 'de',
    }),
  },
  view: (language) => ({ language: language || null }),
})

const via = dimension({
  report: 'via',
  by: 'how visitors came',
  filter: {
    description: 'How visitors came: by the short URL, by its QR code, or by its preview page. In any case.',
    example: 'qr',
    value: word(VIAS),
    stored: (via) => [via.toLowerCase()],
  },
  rowName: 'ViaClicks',
  row: { via: z.string().meta({ enum: [...VIAS] }) },
  view: (via) => ({ via }),
})

const variant = dimension({
  report: 'variants',
  by: 'variant',
  filter: {
    description:
      "The destination that a rule chose, by the ID of the rule or of the part of its split; `none` for the link's own.",
    example: 'k3x9',
    value: nameParameter,
    stored: (id) => [id.toLowerCase() === NONE ? '' : id],
  },
  rowName: 'VariantClicks',
  row: {
    variant: z.string().nullable().meta({
      description: "The ID of a rule, or of a part of its split; null for the link's own destination.",
      example: 'k3x9',
    }),
  },
  view: (variant) => ({ variant: variant || null }),
})

const alias = dimension({
  report: 'aliases',
  by: 'alias',
  filter: {
    description: 'The further code that was opened, for links with several.',
    example: 'spring',
    value: nameParameter,
    stored: asSent,
  },
  rowName: 'AliasClicks',
  row: {
    alias: z.string().nullable().meta({
      description: "The further code that was opened; null for the link's own.",
      example: 'spring',
    }),
  },
  view: (alias) => ({ alias: alias || null }),
})

const ONLY_WITH_CITIES = 'With what it is in; null when unknown. Only a `GEOIP_DB` with cities has some.'

const region = dimension({
  report: 'regions',
  by: 'region',
  filter: {
    description: `The region, as its report names it; \`${NO_VALUE}\` where it is not known.`,
    example: 'Illinois, US',
    value: nameParameter,
    stored: orUnknown(asIs),
  },
  rowName: 'RegionClicks',
  row: { region: z.string().nullable().meta({ description: ONLY_WITH_CITIES, example: 'Illinois, US' }) },
  view: (region) => ({ region: region || null }),
})

const city = dimension({
  report: 'cities',
  by: 'city',
  filter: {
    description: `The city, as its report names it; \`${NO_VALUE}\` where it is not known.`,
    example: 'Springfield, Illinois, US',
    value: nameParameter,
    stored: orUnknown(asIs),
  },
  rowName: 'CityClicks',
  row: {
    city: z.string().nullable().meta({ description: ONLY_WITH_CITIES, example: 'Springfield, Illinois, US' }),
  },
  view: (city) => ({ city: city || null }),
})

export const REPORT_DIMENSIONS = {
  country,
  device,
  browser,
  os,
  referrer,
  language,
  via,
  variant,
  alias,
  region,
  city,
} satisfies Record<Exclude<Dimension, 'utm'>, unknown>

export type ReportDimensionName = keyof typeof REPORT_DIMENSIONS
export const REPORT_DIMENSION_NAMES = Object.keys(REPORT_DIMENSIONS) as ReportDimensionName[]
