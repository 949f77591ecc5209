import { countryName } from '../analytics/country-name.ts'
import { UNKNOWN } from '../clicks/visitor/read-user-agent.ts'
import type { Condition } from '../links/rules/compile-rules.ts'
import { WEEKDAYS } from '../links/rules/local-time.ts'
import { isoMicroseconds } from '../runtime/clock.ts'
import { once } from '../runtime/make-once.ts'
import { bestLanguage } from './accept-language.ts'
import type { RouteFacts } from './decide-route.ts'

/** Of a condition with more values, the others are counted. */
const NAMES_MAX = 5

const languages = once(() => new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }))
const DEVICE_NAMES = new Map(
  Object.entries({ desktop: 'Desktop', mobile: 'Phone', tablet: 'Tablet', other: 'Other' }),
)
const LABELS = { device: 'Device', os: 'System', browser: 'Browser' } as const
const DAYS = WEEKDAYS.map((day) => `${day[0]!.toUpperCase()}${day.slice(1)}`)

/** What a condition asks for: `Country is Germany, Austria or Switzerland`. */
export function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'country':
      return `Country is ${anyOf([...condition.values].map(countryName))}`
    case 'language':
      return `Language is ${anyOf([...condition.values].map(languageName))}`
    case 'device':
    case 'os':
    case 'browser':
      return `${LABELS[condition.kind]} is ${anyOf([...condition.values].map(clientName))}`
    case 'query':
      return `Query has ${condition.wanted.map(parameterText).join(' and ')}`
    case 'between':
      return rangeText(condition)
    case 'hours':
      return `Hours are ${hoursText(condition)}`
  }
}

/** Why it does not hold: `the visitor is in Germany`. `known`: the languages that the link's rules name. */
export function visitorText(condition: Condition, facts: RouteFacts, known: ReadonlySet<string>): string {
  switch (condition.kind) {
    case 'country':
      return facts.country() === ''
        ? "the visitor's country is not known"
        : `the visitor is in ${countryName(facts.country())}`
    case 'language':
      return languageOf(facts, known)
    case 'device':
    case 'os':
    case 'browser':
      return clientText(facts.client()[condition.kind])
    case 'query':
      return facts.query === '' ? 'there is no query' : `the query is ${facts.query}`
    case 'between':
      return `it is ${isoMicroseconds(facts.nowUs())}`
    case 'hours': {
      const { day, minute } = condition.clock(facts.nowUs())
      return `it is ${DAYS[day]} ${timeOfDay(minute)} there`
    }
  }
}

const clientText = (name: string) =>
  name === UNKNOWN ? "the visitor's is not known" : `the visitor's is ${clientName(name)}`

function languageOf(facts: RouteFacts, known: ReadonlySet<string>): string {
  if (facts.languages().length === 0) return "the visitor's language is not known"
  const best = bestLanguage(facts.languages(), known)
  return best === undefined
    ? 'the visitor asks for none that the rules name'
    : `the best match for the visitor is ${languageName(best)}`
}

function anyOf(names: readonly string[]): string {
  const values =
    names.length > NAMES_MAX ? [...names.slice(0, NAMES_MAX), `${names.length - NAMES_MAX} more`] : names
  const last = values.at(-1)!
  return values.length === 1 ? last : `${values.slice(0, -1).join(', ')} or ${last}`
}

/** With its tag, because `pt` and `pt-BR` are not the same. */
function languageName(tag: string): string {
  try {
    const name = languages().of(tag)
    return name === undefined ? tag : `${name} (${tag})`
  } catch {
    return tag
  }
}

/** As the analytics write it; of a device, as the dashboard does. */
const clientName = (name: string) => DEVICE_NAMES.get(name) ?? name

const parameterText = ([name, value]: readonly [string, string | true]) =>
  value === true ? name : `${name}=${value}`

function rangeText({ fromUs, toUs }: Extract<Condition, { kind: 'between' }>): string {
  if (toUs === Infinity) return `Dates are from ${isoMicroseconds(fromUs)}`
  const until = `until ${isoMicroseconds(toUs)}`
  return fromUs === -Infinity ? `Dates are ${until}` : `Dates are from ${isoMicroseconds(fromUs)} ${until}`
}

function hoursText({ days, from, to }: Extract<Condition, { kind: 'hours' }>): string {
  const names = days.size === DAYS.length ? 'daily' : DAYS.filter((_, day) => days.has(day)).join(', ')
  return `${names} ${timeOfDay(from)}–${timeOfDay(to)}`
}

const timeOfDay = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
