import { DAY_US } from '../../src/runtime/clock.ts'
import { aFact, type FactRow } from '../../test/rigs/clicks/fact-rows.ts'
import type { FactsOfDay } from './measured-clicks.ts'
import { SeededChance } from './traffic.ts'

// Clicks of 90 days. 80 % of them belong to one workspace.

export const LINKS = 50_000
export const WORKSPACES = 50
const DAYS = 90
/** Of a part: as a server closes them, and as it moves them to ClickHouse. */
const FACTS_MAX = 50_000
export const FIRST_US = Date.UTC(2026, 0, 1) * 1000
export const LAST_US = FIRST_US + DAYS * DAY_US

const COUNTRIES = 'US DE GB FR BR IN JP CA AU NL ES IT PL SE CH AT BE DK NO FI'.split(' ')
const DEVICES = ['mobile', 'desktop', 'tablet']
const BROWSERS = ['Chrome', 'Safari', 'Edge', 'Firefox', 'Samsung Internet', 'Instagram']
const SYSTEMS = ['Android', 'iOS', 'Windows', 'macOS', 'Linux']
const REFERRERS = 500
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'ja']

/** Of each day, in parts. */
export function* factsOfDays(clicks: number): Generator<FactsOfDay> {
  const chance = new SeededChance(1)
  for (let day = 0; day < DAYS; day++) {
    const count = Math.floor((clicks * (day + 1)) / DAYS) - Math.floor((clicks * day) / DAYS)
    const dayUs = FIRST_US + day * DAY_US
    yield { dayUs, facts: factsOf(chance, dayUs, count) }
  }
}

function* factsOf(chance: SeededChance, dayUs: number, count: number): Generator<FactRow[]> {
  for (let left = count; left > 0; left -= FACTS_MAX)
    yield Array.from({ length: Math.min(left, FACTS_MAX) }, () => factOf(chance, dayUs))
}

function factOf(chance: SeededChance, dayUs: number): FactRow {
  const linkId = chance.skewed(LINKS)
  const isBot = chance.next() < 0.05
  const isFirst = !isBot && chance.next() < 0.7
  return aFact({
    workspace_id: linkId % 5 === 0 ? 2 + ((linkId / 5) % WORKSPACES) : 1,
    link_id: linkId,
    clicked_at: dayUs + Math.floor(chance.next() * DAY_US),
    country: COUNTRIES[chance.skewed(COUNTRIES.length) - 1]!,
    ...(isBot ? {} : clientOf(chance)),
    referrer: chance.next() < 0.3 ? '' : `site-${chance.skewed(REFERRERS)}.example.org`,
    language: LANGUAGES[chance.skewed(LANGUAGES.length) - 1]!,
    via: chance.next() < 0.1 ? 'qr' : 'link',
    clicks: Number(!isBot),
    visitors: Number(isFirst),
    workspace_visitors: Number(isFirst && chance.next() < 0.9),
    bots: Number(isBot),
  })
}

function clientOf(chance: SeededChance) {
  return {
    device: DEVICES[chance.skewed(DEVICES.length) - 1]!,
    browser: BROWSERS[chance.skewed(BROWSERS.length) - 1]!,
    os: SYSTEMS[chance.skewed(SYSTEMS.length) - 1]!,
  }
}
