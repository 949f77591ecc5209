import type {
  AnalyticsView,
  ImportedReportView,
  LinkGroupName,
  LinkGroupView,
} from '../../src/http/endpoints/browser-types.ts'
import { analyticsStrings } from './analytics-strings.ts'
import type { Bar } from './bar-list.tsx'
import { withImported } from './imported-bars.ts'
import { type Rules, shareOfSplit, variantName } from './rule-names.ts'
import { once } from '../once.ts'

// Filters of clicks: what they are in the page's URL, in requests, and in the breakdowns that offer their values.

/** A click without one, as the API names it. */
const NONE = 'none'
const UNKNOWN = 'unknown'

/** Its label is that of the API, where that has one. */
type Row = { value: string; label?: string; clicks: number; percentage: number }

type Breakdown = {
  label: string
  rows(analytics: AnalyticsView): Row[]
  /** What a value is called. `rules`: those of the link; undefined for several links. */
  name(value: string, rules?: Rules): string
  /** Of those, the ones that other programs had counted. */
  imported?(imported: ImportedReportView): { value: string; clicks: number }[]
  /** Next to the name. */
  note?(value: string, analytics: AnalyticsView, rules?: Rules): string | undefined
}

const asIs = (value: string) => value
const orUnknown = (value: string) => (value === UNKNOWN ? analyticsStrings.unknown : value)
const orDirect = (value: string) => (value === NONE ? analyticsStrings.direct : value)

/** In the order in which they are offered. */
const BREAKDOWNS = breakdowns({
  country: {
    label: analyticsStrings.country,
    rows: ({ countries }) =>
      countries.map(({ country_code: code, country: label, ...row }) => ({
        ...row,
        label,
        value: code ?? UNKNOWN,
      })),
    imported: ({ countries }) =>
      countries.map(({ country_code: code, clicks }) => ({ value: code ?? UNKNOWN, clicks })),
    name: (code) => (code === UNKNOWN ? analyticsStrings.unknown : countryName(code)),
  },
  region: {
    label: analyticsStrings.region,
    rows: ({ regions }) => regions.map(({ region, ...row }) => ({ ...row, value: region ?? UNKNOWN })),
    name: orUnknown,
  },
  city: {
    label: analyticsStrings.city,
    rows: ({ cities }) => cities.map(({ city, ...row }) => ({ ...row, value: city ?? UNKNOWN })),
    name: orUnknown,
  },
  source: {
    label: analyticsStrings.source,
    rows: ({ sources }) => sources.map(({ source, ...row }) => ({ ...row, value: source ?? NONE })),
    imported: ({ sources }) => sources.map(({ source, clicks }) => ({ value: source ?? NONE, clicks })),
    name: orDirect,
  },
  referrer: {
    label: analyticsStrings.referrer,
    rows: ({ referrers }) => referrers.map(({ referrer, ...row }) => ({ ...row, value: referrer ?? NONE })),
    imported: ({ referrers }) =>
      referrers.map(({ referrer, clicks }) => ({ value: referrer ?? NONE, clicks })),
    name: orDirect,
  },
  via: {
    label: analyticsStrings.via,
    rows: ({ via: ways }) => ways.map(({ via: value, ...row }) => ({ ...row, value })),
    name: (via) => analyticsStrings.ways[via] ?? via,
  },
  variant: {
    label: analyticsStrings.variant,
    rows: ({ variants }) => variants.map(({ variant, ...row }) => ({ ...row, value: variant ?? NONE })),
    name: (variant, rules) => (variant === NONE ? analyticsStrings.noVariant : variantName(variant, rules)),
    note: (variant, analytics, rules = []) => shareOfSplit(rules, variant, analytics),
  },
  alias: {
    label: analyticsStrings.alias,
    // Of a link's own code there is nothing to choose.
    rows: ({ aliases }) =>
      aliases.flatMap(({ alias, ...row }) => (alias === null ? [] : [{ ...row, value: alias }])),
    name: asIs,
  },
  browser: {
    label: analyticsStrings.browser,
    rows: ({ browsers }) => browsers.map(({ browser: value, ...row }) => ({ ...row, value })),
    imported: ({ browsers }) => browsers.map(({ browser: value, clicks }) => ({ value, clicks })),
    name: asIs,
  },
  os: {
    label: analyticsStrings.system,
    rows: ({ operating_systems: systems }) =>
      systems.map(({ operating_system: value, ...row }) => ({ ...row, value })),
    imported: ({ operating_systems: systems }) =>
      systems.map(({ operating_system: value, clicks }) => ({ value, clicks })),
    name: asIs,
  },
  device: {
    label: analyticsStrings.deviceKind,
    rows: ({ devices }) => devices.map(({ device: value, ...row }) => ({ ...row, value })),
    imported: ({ devices }) => devices.map(({ device: value, clicks }) => ({ value, clicks })),
    name: (device) => analyticsStrings.device[device] ?? device,
  },
  language: {
    label: analyticsStrings.language,
    rows: ({ languages }) =>
      languages.map(({ language, ...row }) => ({ ...row, value: language ?? UNKNOWN })),
    name: (language) => (language === UNKNOWN ? analyticsStrings.unknown : languageName(language)),
  },
})

/** Typed by their names. */
function breakdowns<Name extends string>(all: Readonly<Record<Name, Breakdown>>) {
  return all
}

export type BreakdownName = keyof typeof BREAKDOWNS
export const BREAKDOWN_NAMES = Object.keys(BREAKDOWNS) as BreakdownName[]

/** What clicks can be broken down and filtered by, as their links are now, or by UTM parameters of their own. */
const LINK_GROUPS: Record<LinkGroupName, { label: string; none: string }> = analyticsStrings.linkGroups
export const LINK_GROUP_NAMES = Object.keys(LINK_GROUPS) as LinkGroupName[]

export type FilterName = LinkGroupName | BreakdownName
/** In the order in which they are shown. */
const FILTER_NAMES: readonly FilterName[] = [...LINK_GROUP_NAMES, ...BREAKDOWN_NAMES]

const isLinkGroup = (name: FilterName): name is LinkGroupName => name in LINK_GROUPS

/** Of one link, a click may still have UTM parameters of its own. */
export const ONE_LINK_FILTERS = FILTER_NAMES.filter((name) => !isLinkGroup(name) || name.startsWith('utm_'))

export const labelOf = (name: FilterName): string =>
  isLinkGroup(name) ? LINK_GROUPS[name].label : BREAKDOWNS[name].label

export const nameOf = (name: FilterName, value: string, rules?: Rules): string =>
  isLinkGroup(name) ? value : BREAKDOWNS[name].name(value, rules)

/** The rows of a panel, most clicks first. */
export function barsOf(name: BreakdownName, analytics: AnalyticsView, rules?: Rules): Bar[] {
  const breakdown: Breakdown = BREAKDOWNS[name]
  const bars = breakdown.rows(analytics).map(({ value, label, clicks, percentage }) => ({
    value,
    label: label ?? breakdown.name(value, rules),
    note: breakdown.note?.(value, analytics, rules),
    clicks,
    percentage,
  }))
  const imported = (analytics.imported && breakdown.imported?.(analytics.imported)) ?? []
  return withImported(
    bars,
    imported.map((row) => ({ ...row, label: breakdown.name(row.value) })),
    analytics,
  )
}

/** The same of groups of links. */
export const groupBars = (name: LinkGroupName, groups: readonly LinkGroupView[]): Bar[] =>
  groups.map(({ value, ...counts }) => ({
    ...counts,
    value: value ?? '',
    label: value ?? LINK_GROUPS[name].none,
    isPlain: value === null,
  }))

export type ClickFilters = { readonly [Name in FilterName]?: readonly string[] }

const countries = once(() => new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }))
const languages = once(() => new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }))

// The URL of the page, and browsers, may have anything.
const countryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? (countries().of(code) ?? code) : code)
const languageName = (code: string) => (/^[a-z]{2,3}$/.test(code) ? (languages().of(code) ?? code) : code)

/** `names`: those that the page offers. */
export function readFilters(parameters: URLSearchParams, names = FILTER_NAMES): ClickFilters {
  const filters: { [Name in FilterName]?: string[] } = {}
  for (const name of names) {
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
