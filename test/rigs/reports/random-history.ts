import { type Dimension, DIMENSIONS } from '../../../src/store/click-dimensions.ts'
import type { Click } from '../../../src/clicks/journal/click.ts'
import type { ReadUserAgent } from '../../../src/clicks/ingest/ingest.ts'
import type { SeededRandom } from '../../simulation/seeded-random.ts'
import type { HistoryClick } from './click-columns.ts'
import { MODELED_DIMENSIONS } from './modeled-dimensions.ts'
import { type HistoryLink, VISITOR_UTM } from './modeled-links.ts'

/** Their clocks change at different times, at midnight too, and by half an hour; some are off by half an hour or a quarter. */
export const ZONES = [
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
] as const

const HOUR_US = 3_600_000_000
const DAY_US = 24 * HOUR_US
const CLICKS_OF_DAY = 100
const [DAYS_MIN, DAYS_MAX] = [150, 790]

/** On one day of the history somebody invents referrers. */
const SPAM = { from: 0.6, to: 0.62, hosts: 20_000 }

type HistoryOptions = { clicks: number; endUs: number; links: readonly HistoryLink[] }

/** Clicks of months or years, mostly in the order of their times; many are near the moments at which clocks change. */
export class RandomHistory {
  readonly startUs: number
  /** When the clock of some zone changes. */
  readonly changesUs: readonly number[]
  readonly #random: SeededRandom
  readonly #options: HistoryOptions
  #made = 0

  constructor(random: SeededRandom, options: HistoryOptions) {
    const { clicks, endUs } = options
    const days = Math.min(DAYS_MAX, Math.max(DAYS_MIN, Math.round(clicks / CLICKS_OF_DAY)))
    this.#random = random
    this.#options = options
    this.startUs = Math.floor(endUs / DAY_US - days) * DAY_US
    this.changesUs = ZONES.flatMap((zone) => clockChanges(zone, this.startUs, endUs))
  }

  get left(): number {
    return this.#options.clicks - this.#made
  }

  /** The next clicks, as many as are left at most. */
  next(count: number): HistoryClick[] {
    return Array.from({ length: Math.min(count, this.left) }, () => this.#click(this.#made++))
  }

  #click(at: number): HistoryClick {
    const random = this.#random
    const share = at / this.#options.clicks
    const isSpam = share >= SPAM.from && share < SPAM.to
    const dimensions = Object.fromEntries(DIMENSIONS.map((name) => [name, this.#value(name)])) as NonNullable<
      HistoryClick['dimensions']
    >
    if (isSpam) dimensions.referrer = `spam${random.below(SPAM.hosts)}.example`
    return {
      link: isSpam ? 0 : Math.floor(random.fraction() ** 2 * this.#options.links.length),
      timeUs: isSpam ? this.#spamTime() : this.#time(share),
      visitor: random.chance(0.05) ? 0 : 1 + Math.floor(random.fraction() ** 2 * (this.#options.clicks / 4)),
      dimensions: random.chance(0.08) ? undefined : dimensions,
    }
  }

  #value(name: Dimension): string {
    const random = this.#random
    if (name === 'referrer' && random.chance(0.03)) return `host${random.below(3_000)}.example`
    const values = name === 'utm' ? VISITOR_UTM : MODELED_DIMENSIONS[name].values
    return values[Math.floor(random.fraction() ** 2 * values.length)]!
  }

  #spamTime(): number {
    const { endUs } = this.#options
    const day = Math.floor((this.startUs + SPAM.from * (endUs - this.startUs)) / DAY_US)
    return day * DAY_US + this.#random.below(DAY_US)
  }

  #time(share: number): number {
    const random = this.#random
    const { endUs } = this.#options
    const expectedUs = this.startUs + share ** 0.8 * (endUs - this.startUs)
    const changes = random.chance(0.1)
      ? this.changesUs.filter((us) => Math.abs(us - expectedUs) < 20 * DAY_US)
      : []
    const aboutUs = changes.length > 0 ? random.pick(changes) : expectedUs
    const spreadUs = changes.length > 0 ? 3 * HOUR_US : random.pick([DAY_US, DAY_US, DAY_US, 3 * DAY_US])
    const lateUs = random.chance(0.01) ? random.below(40 * DAY_US) : 0
    const us = Math.round(aboutUs + (random.fraction() * 2 - 1) * spreadUs - lateUs)
    return Math.min(endUs, Math.max(this.startUs, us))
  }
}

function clockChanges(zone: string, fromUs: number, toUs: number): number[] {
  const changes: number[] = []
  let at = Temporal.Instant.fromEpochMilliseconds(fromUs / 1000).toZonedDateTimeISO(zone)
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    if (next === null || next.epochMilliseconds * 1000 > toUs) return changes
    changes.push(next.epochMilliseconds * 1000)
    at = next
  }
}

/** A visitor's number in all the bits of a hash. */
const HASH_FACTOR = 2_654_435_761

/** As a redirect writes it. */
export function journaledClick(
  { link, timeUs, visitor, dimensions }: HistoryClick,
  { id, workspaceId }: { id: number; workspaceId: number },
): Click {
  const click = { linkId: id, workspaceId, clickedAtUs: timeUs, visitor: visitor * HASH_FACTOR }
  if (dimensions === undefined)
    return { ...click, country: 'DE', userAgent: 'Bot', referrer: `of${link}.example` }
  const {
    country,
    referrer,
    device,
    browser,
    os,
    language,
    via,
    variant,
    alias,
    region,
    city: name,
    utm,
  } = dimensions
  const isPlain =
    [language, variant, alias, utm, region, name].every((value) => value === '') && via === 'link'
  const city = region + name === '' ? undefined : { region, name }
  return {
    ...click,
    country,
    referrer,
    userAgent: `${device}/${browser}/${os}`,
    ...(isPlain ? {} : { extras: { language, via, variant, alias, utm, city } as Click['extras'] }),
  }
}

export const readJournaledAgent: ReadUserAgent = (userAgent) => {
  const [device = '', browser = '', os = ''] = userAgent.split('/')
  return { isBot: userAgent === 'Bot', device, browser, os }
}
