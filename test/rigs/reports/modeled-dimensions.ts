import type { Dimension } from '../../../src/store/click-dimensions.ts'

/** UTM parameters are modeled together with those of links (modeled-links.ts). */
export type ReportDimension = Exclude<Dimension, 'utm'>

/** What a test knows of a dimension, from the documentation and not from the code of reports. */
export type ModeledDimension = {
  /** Its breakdown. */
  report: string
  /** What clicks have. The first are the most frequent. */
  values: readonly string[]
  /** As filters name a value; undefined if they cannot. */
  word(value: string): string | undefined
  /** Filters take words in any case. */
  isCaseless: boolean
  /** A row of the breakdown, without its counts. */
  row(value: string): object
}

const COUNTRIES: Readonly<Record<string, string>> = {
  DE: 'Germany',
  US: 'United States',
  '': 'Unknown',
  NP: 'Nepal',
  AU: 'Australia',
  FR: 'France',
  BR: 'Brazil',
}

const orUnknown = (value: string) => value || 'unknown'
const asItIs = (value: string) => value || undefined
const inField = (field: string) => (value: string) => ({ [field]: value || null })

const SOURCES: Readonly<Record<string, string>> = {
  'l.facebook.com': 'Facebook',
  'm.facebook.com': 'Facebook',
  'www.blog.example': 'blog.example',
}

/** The site or app of a host. */
export const sourceOf = (host: string): string => SOURCES[host] ?? host

/** By which filters name a source, in any case. */
export const SOURCE_WORDS = ['Facebook', 'l.facebook.com', 'news.example.org', 'blog.example', 'none']

/** Beside those, a few clicks have hosts that nobody else has. */
const HOSTS = [
  '',
  ...Object.keys(SOURCES),
  'news.example.org',
  'search.example',
  'shop.example',
  'mail.example',
  'blog.example.net',
]

export const MODELED_DIMENSIONS: Readonly<Record<ReportDimension, ModeledDimension>> = {
  country: {
    report: 'countries',
    values: Object.keys(COUNTRIES),
    word: orUnknown,
    isCaseless: true,
    row: (code) => ({ country_code: code || null, country: COUNTRIES[code] }),
  },
  device: {
    report: 'devices',
    values: ['mobile', 'desktop', 'tablet', 'other'],
    word: asItIs,
    isCaseless: true,
    row: (device) => ({ device }),
  },
  browser: {
    report: 'browsers',
    values: ['Chrome', 'Safari', 'Firefox', 'Unknown', 'Instagram', 'curl'],
    word: asItIs,
    isCaseless: true,
    row: (browser) => ({ browser }),
  },
  os: {
    report: 'operating_systems',
    values: ['Android', 'iOS', 'Windows', 'Linux', 'Unknown'],
    word: asItIs,
    isCaseless: true,
    row: (os) => ({ operating_system: os }),
  },
  referrer: {
    report: 'referrers',
    values: HOSTS,
    word: (host) => host || 'none',
    isCaseless: true,
    row: inField('referrer'),
  },
  language: {
    report: 'languages',
    values: ['', 'de', 'en', 'pt', 'ne'],
    word: orUnknown,
    isCaseless: true,
    row: inField('language'),
  },
  via: {
    report: 'via',
    values: ['link', 'qr', 'preview'],
    word: asItIs,
    isCaseless: true,
    row: (via) => ({ via }),
  },
  variant: {
    report: 'variants',
    values: ['', 'k3x9', "it's", 'partA'],
    word: (variant) => variant || 'none',
    isCaseless: false,
    row: inField('variant'),
  },
  alias: {
    report: 'aliases',
    values: ['', 'spring', 'Sale-2'],
    word: asItIs,
    isCaseless: false,
    row: inField('alias'),
  },
  region: {
    report: 'regions',
    values: ['', 'Hamburg, DE', 'Illinois, US'],
    word: orUnknown,
    isCaseless: false,
    row: inField('region'),
  },
  city: {
    report: 'cities',
    values: ['', 'Hamburg, DE', 'Springfield, Illinois, US', 'Île d’Yeu, FR'],
    word: orUnknown,
    isCaseless: false,
    row: inField('city'),
  },
}
