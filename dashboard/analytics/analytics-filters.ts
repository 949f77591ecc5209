import type { AnalyticsView } from '../../src/http/endpoints/browser-types.ts'
import { analyticsStrings } from './analytics-strings.ts'
import type { Bar } from './bar-list.tsx'

// Filters of clicks: what they are in the page's URL, in requests, and in the breakdowns that offer their values.

/** A click without one, as the API names it. */
const NONE = 'none'
const UNKNOWN = 'unknown'

type Breakdown = {
  label: string
  bars(analytics: AnalyticsView): Bar[]
  /** How a value is written where no breakdown has it. */
  name(value: string): string
}

const asIs = (value: string) => value

/** In the order in which they are offered. */
export const BREAKDOWNS = {
  country: {
    label: analyticsStrings.country,
    bars: ({ countries }) =>
      countries.map(({ country_code: code, country: label, ...counts }) => ({
        value: code ?? UNKNOWN,
        label,
        ...counts,
      })),
    name: (code) => (code === UNKNOWN ? analyticsStrings.unknown : countryName(code)),
  },
  source: {
    label: analyticsStrings.source,
    bars: ({ sources }) =>
      sources.map(({ source, ...counts }) => ({
        value: source ?? NONE,
        label: source ?? analyticsStrings.direct,
        ...counts,
      })),
    name: (source) => (source === NONE ? analyticsStrings.direct : source),
  },
  referrer: {
    label: analyticsStrings.referrer,
    bars: ({ referrers }) =>
      referrers.map(({ referrer, ...counts }) => ({
        value: referrer ?? NONE,
        label: referrer ?? analyticsStrings.direct,
        ...counts,
      })),
    name: (referrer) => (referrer === NONE ? analyticsStrings.direct : referrer),
  },
  via: {
    label: analyticsStrings.via,
    bars: ({ via: ways }) =>
      ways.map(({ via, ...counts }) => ({ value: via, label: analyticsStrings.ways[via] ?? via, ...counts })),
    name: (via) => analyticsStrings.ways[via] ?? via,
  },
  variant: {
    label: analyticsStrings.variant,
    bars: ({ variants }) =>
      variants.map(({ variant, ...counts }) => ({
        value: variant ?? NONE,
        label: variant ?? analyticsStrings.noVariant,
        ...counts,
      })),
    name: (variant) => (variant === NONE ? analyticsStrings.noVariant : variant),
  },
  browser: {
    label: analyticsStrings.browser,
    bars: ({ browsers }) =>
      browsers.map(({ browser, ...counts }) => ({ value: browser, label: browser, ...counts })),
    name: asIs,
  },
  os: {
    label: analyticsStrings.system,
    bars: ({ operating_systems: systems }) =>
      systems.map(({ operating_system: os, ...counts }) => ({ value: os, label: os, ...counts })),
    name: asIs,
  },
  device: {
    label: analyticsStrings.deviceKind,
    bars: ({ devices }) =>
      devices.map(({ device, ...counts }) => ({
        value: device,
        label: analyticsStrings.device[device] ?? device,
        ...counts,
      })),
    name: (device) => analyticsStrings.device[device] ?? device,
  },
  language: {
    label: analyticsStrings.language,
    bars: ({ languages }) =>
      languages.map(({ language, ...counts }) => ({
        value: language ?? UNKNOWN,
        label: language === null ? analyticsStrings.unknown : languageName(language),
        ...counts,
      })),
    name: (language) => (language === UNKNOWN ? analyticsStrings.unknown : languageName(language)),
  },
} satisfies Record<string, Breakdown>

export type FilterName = keyof typeof BREAKDOWNS
export const FILTER_NAMES = Object.keys(BREAKDOWNS) as FilterName[]
export type ClickFilters = { readonly [Name in FilterName]?: readonly string[] }

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

// The URL of the page, and browsers, may have anything.
const countryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code)
const languageName = (code: string) => (/^[a-z]{2,3}$/.test(code) ? (languages.of(code) ?? code) : code)

export function readFilters(parameters: URLSearchParams): ClickFilters {
  const filters: { [Name in FilterName]?: string[] } = {}
  for (const name of FILTER_NAMES) {
    const values = [...new Set(parameters.getAll(name))].filter((value) => value !== '')
    if (values.length > 0) filters[name] = values
  }
  return filters
}

export const filterPairs = (filters: ClickFilters): [string, string][] =>
  FILTER_NAMES.flatMap((name) => (filters[name] ?? []).map((value): [string, string] => [name, value]))

/** With the value if it was not there, and without it if it was. */
export function toggleValue(filters: ClickFilters, name: FilterName, value: string): ClickFilters {
  const values = filters[name] ?? []
  return withValues(
    filters,
    name,
    values.includes(value) ? values.filter((each) => each !== value) : [...values, value],
  )
}

export function withValues(filters: ClickFilters, name: FilterName, values: readonly string[]): ClickFilters {
  const { [name]: _before, ...others } = filters
  return values.length === 0 ? others : { ...others, [name]: values }
}
