import type { ImportedClicksView } from '../../analytics/imported-view.ts'
import { readUserAgent } from '../../clicks/visitor/read-user-agent.ts'
import { VALUE_LENGTH_MAX } from '../../validation/query-parameters.ts'
import { VALUES_MAX } from '../imported-clicks-field.ts'
import type { ClicksBy } from '../source.ts'

type Part = keyof Omit<ImportedClicksView, 'total' | 'days'>

/** Adds up what a source says of the clicks of one link, in the names of the API. */
export class ClickHistory {
  readonly #days = new Map<string, number>()
  readonly #parts = new Map<Part, Map<string, number>>()

  /** How many have a day. */
  get dated(): number {
    return this.#days.values().reduce((sum, clicks) => sum + clicks, 0)
  }

  /** `at`: a date that begins with year, month and day. */
  addDay(at: string, clicks: number): void {
    const day = /^\d{4}-\d\d-\d\d/.exec(at)?.[0]
    if (day !== undefined) add(this.#days, day, clicks)
  }

  addCountry(code: string, clicks: number): void {
    const isKnown = /^[a-z]{2}$/i.test(code) && !NO_COUNTRIES.has(code.toUpperCase())
    this.add('countries', isKnown ? code.toUpperCase() : 'unknown', clicks)
  }

  /** '' for none. */
  addReferrer(host: string, clicks: number): void {
    this.add('referrers', host || 'none', clicks)
  }

  /** Bots have no browser. */
  addVisitor(userAgent: string): void {
    const { isBot, browser, device, os } = readUserAgent(userAgent)
    if (isBot) return
    this.add('browsers', browser || 'Unknown', 1)
    this.add('devices', device || 'other', 1)
    this.add('operating_systems', os || 'Unknown', 1)
  }

  add(part: Part, name: string, clicks: number): void {
    if (name.length > VALUE_LENGTH_MAX) return
    const counts = this.#parts.get(part) ?? new Map<string, number>()
    this.#parts.set(part, counts)
    add(counts, name, clicks)
  }

  get clicksBy(): ClicksBy {
    const parts = [...this.#parts].map(([part, counts]) => [
      part,
      [...counts]
        .map(([name, clicks]) => ({ name, clicks }))
        .sort((a, b) => b.clicks - a.clicks)
        .slice(0, VALUES_KEPT),
    ])
    const days = [...this.#days].map(([day, clicks]) => ({ day, clicks }))
    return { ...(days.length > 0 && { days }), ...Object.fromEntries(parts) }
  }
}

/** One more than come along, so that the report says that there are more; all of them may be too large for a request. */
const VALUES_KEPT = VALUES_MAX + 1

/** What proxies send for none. */
const NO_COUNTRIES = new Set(['XX', 'T1', 'ZZ'])

function add<Key>(counts: Map<Key, number>, key: Key, clicks: number): void {
  if (clicks > 0) counts.set(key, (counts.get(key) ?? 0) + clicks)
}
