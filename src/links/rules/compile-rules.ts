import { BROWSERS, DEVICES, SYSTEMS } from '../../clicks/visitor/read-user-agent.ts'
import { languageTag } from './language-tag.ts'
import { type LocalClock, localClock, minuteOfDay, WEEKDAYS } from './local-time.ts'
import type { Conditions } from './condition-fields.ts'
import { type IdentifiedRule, parseRules } from './rule-ids.ts'

/** A link's rules, ready to be matched. */
export type Rules = {
  /** As stored. */
  text: string
  list: readonly Rule[]
  /** In lower case, all that conditions name. A visitor's language is the best match among them. */
  languages: ReadonlySet<string>
  /** All that they lead to. */
  destinations: readonly string[]
}

export type Rule = {
  /** Its id, by which a split draws: so each visitor keeps a part when the rule is moved. */
  number: number
  /** None: it always holds. */
  conditions: readonly Condition[]
  parts: readonly SplitPart[]
  /** The sum of its parts' weights. */
  weights: number
}

/** `variant`: its id. `name`: by its place. `below`: the sum of its weight and of those before it. */
export type SplitPart = { to: string; variant: string; name: string; weight: number; below: number }

export type Condition =
  /** In upper case. */
  | { kind: 'country'; values: ReadonlySet<string> }
  /** As User-Agents are read. */
  | { kind: 'device' | 'os' | 'browser'; values: ReadonlySet<string> }
  /** In lower case. */
  | { kind: 'language'; values: ReadonlySet<string> }
  | { kind: 'query'; wanted: readonly (readonly [name: string, value: string | true])[] }
  | { kind: 'between'; fromUs: number; toUs: number }
  /** From a minute of these days to another, which is on the next day if it is not after the first. */
  | { kind: 'hours'; days: ReadonlySet<number>; from: number; to: number; clock: LocalClock }

/** Null if there are none that this version can read: visitors are then led to the destination. */
export function compileRules(text: string | null): Rules | null {
  const rules = parseRules(text)
  if (text === null || rules === null) return null
  try {
    const list = rules.map(compileRule)
    const languages = list.flatMap(({ conditions }) =>
      conditions.flatMap((condition) => (condition.kind === 'language' ? [...condition.values] : [])),
    )
    const destinations = list.flatMap(({ parts }) => parts.map(({ to }) => to))
    if (!destinations.every((to) => URL.canParse(to))) return null
    return { text, list, languages: new Set(languages), destinations }
  } catch {
    // A time zone, say, that this machine does not know.
    return null
  }
}

function compileRule({ id, when = {}, to, split }: IdentifiedRule, index: number): Rule {
  const name = `rule ${index + 1}`
  const number = Number.parseInt(id, 16)
  const conditions = compileConditions(when)
  if (split === undefined)
    return { number, conditions, parts: [{ to: to!, variant: id, name, weight: 1, below: 1 }], weights: 1 }
  let weights = 0
  const parts = split.map((part, at) => ({
    to: part.to,
    variant: part.id,
    name: `${name}/${String.fromCharCode(LETTER_A + at)}`,
    weight: part.weight,
    below: (weights += part.weight),
  }))
  return { number, conditions, parts, weights }
}

const LETTER_A = 'a'.charCodeAt(0)

/** The User-Agent comes last, because it takes longest to read. */
function compileConditions(when: Conditions): Condition[] {
  const conditions: Condition[] = []
  const { country, language, query, between, hours } = when
  if (country)
    conditions.push({ kind: 'country', values: new Set(country.map((each) => each.toUpperCase())) })
  if (query) conditions.push({ kind: 'query', wanted: Object.entries(query) })
  if (between) conditions.push(compileBetween(between))
  if (hours) conditions.push(compileHours(hours))
  if (language) conditions.push({ kind: 'language', values: new Set(language.map(languageTag)) })
  for (const kind of ['device', 'os', 'browser'] as const) {
    const values = when[kind]
    if (values) conditions.push({ kind, values: new Set(values.map(nameAsRead)) })
  }
  return conditions
}

/** No two names differ only in case. */
const NAMES = new Map([...DEVICES, ...SYSTEMS, ...BROWSERS].map((name) => [name.toLowerCase(), name]))

/** The name of a device, system or browser as User-Agents are read, so that no visit has to change the case of anything. */
export const nameAsRead = (name: string): string => NAMES.get(name.toLowerCase()) ?? name

const compileBetween = ({ from, to }: NonNullable<Conditions['between']>): Condition => ({
  kind: 'between',
  fromUs: from === undefined ? -Infinity : Date.parse(from) * 1000,
  toUs: to === undefined ? Infinity : Date.parse(to) * 1000,
})

const compileHours = ({ days, from, to, timezone }: NonNullable<Conditions['hours']>): Condition => ({
  kind: 'hours',
  days: new Set((days ?? WEEKDAYS).map((day) => WEEKDAYS.indexOf(day))),
  from: minuteOfDay(from)!,
  to: minuteOfDay(to)!,
  clock: localClock(timezone),
})
