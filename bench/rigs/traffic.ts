import type { Click } from '../../src/clicks/journal/click.ts'

/** Chance that is the same in every run (mulberry32). */
export class SeededChance {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** From 1 to `count`; small numbers are far more frequent, as with links: the n-th about 1/n as often as the first. */
  skewed(count: number): number {
    return Math.min(count, Math.floor(Math.exp(this.next() * Math.log(count + 1))))
  }

  oneOf<Item>(items: ArrayLike<Item>): Item {
    return items[Math.floor(this.next() * items.length)]!
  }
}

const ACCOUNTS = 20
const VISITORS = 500_000
const REFERRERS = 300
const COUNTRIES = 'US DE GB FR BR IN JP CA AU NL ES IT PL SE CH AT BE DK NO FI'.split(' ')
const SYSTEMS = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
  'Linux; Android 15; Pixel 9',
  'iPhone; CPU iPhone OS 18_1 like Mac OS X',
]
const BROWSER_VERSIONS = 40
/** One visit in this many is from a crawler. */
const BOT_SHARE = 0.05

/** A click as a busy day has them: few links get most, many different browsers, most visitors come once or twice. */
export function aVisit(chance: SeededChance, links: number): Click {
  const linkId = chance.skewed(links)
  return {
    linkId,
    workspaceId: 1 + (linkId % ACCOUNTS),
    clickedAtUs: 0, // the journal's to say
    visitor: 1 + Math.floor(chance.next() * VISITORS) * 7919,
    country: COUNTRIES[chance.skewed(COUNTRIES.length) - 1]!,
    userAgent: chance.next() < BOT_SHARE ? 'Mozilla/5.0 (compatible; Googlebot/2.1)' : aUserAgent(chance),
    referrer: chance.next() < 0.3 ? '' : `site-${chance.skewed(REFERRERS)}.example.org`,
  }
}

/** One of two hundred. */
export function aUserAgent(chance: SeededChance): string {
  const version = 100 + chance.skewed(BROWSER_VERSIONS)
  const mozilla = `Mozilla/5.0 (${chance.oneOf(SYSTEMS)}) AppleWebKit/537.36 (KHTML, like Gecko)`
  return `${mozilla} Chrome/${version}.0.0.0 Safari/537.36`
}
