import type { Conditions, RuleForm } from './rule-form.ts'

// Which rules can never match, because an earlier one holds for every visitor of theirs. Only what is certain counts: two
// earlier rules that cover a third one together are not found.

/** The index of the first rule that catches every visitor of this one; -1: none does. */
export const coveringRule = (rules: readonly RuleForm[], index: number): number =>
  rules.slice(0, index).findIndex(({ when }) => covers(when, rules[index]!.when))

const KINDS = ['country', 'device', 'os', 'browser', 'language', 'query', 'between', 'hours'] as const

/** Every visitor who meets `inner` meets `outer`. */
function covers(outer: Conditions, inner: Conditions): boolean {
  return KINDS.every((kind) => {
    if (outer[kind] === undefined) return true
    return inner[kind] !== undefined && COVERS[kind](outer[kind] as never, inner[kind] as never)
  })
}

type Covers = { [Kind in keyof Conditions]-?: (outer: Of<Kind>, inner: Of<Kind>) => boolean }
type Of<Kind extends keyof Conditions> = NonNullable<Conditions[Kind]>

/** A condition that is not filled in yet covers nothing. */
const hasValues = (outer: readonly string[], inner: readonly string[]): boolean => {
  const lowerValues = new Set(outer.map((value) => value.toLowerCase()))
  return inner.length > 0 && inner.every((value) => lowerValues.has(value.toLowerCase()))
}

const COVERS: Covers = {
  country: hasValues,
  device: hasValues,
  os: hasValues,
  browser: hasValues,
  // A visitor has one language among all that the link's rules name.
  language: hasValues,
  query: (outer, inner) => {
    const pairs = Object.entries(outer)
    return (
      pairs.length > 0 &&
      pairs.every(([name, value]) => Object.hasOwn(inner, name) && (value === true || inner[name] === value))
    )
  },
  between: (outer, inner) =>
    (outer.from !== undefined || outer.to !== undefined) &&
    timeOr(outer.from, -Infinity) <= timeOr(inner.from, -Infinity) &&
    timeOr(outer.to, Infinity) >= timeOr(inner.to, Infinity),
  hours: (outer, inner) =>
    outer.timezone.toLowerCase() === inner.timezone.toLowerCase() &&
    inner.days?.length !== 0 &&
    spansOf(inner).every((span) => spansOf(outer).some((each) => contains(each, span))),
}

/** What is no time yet is NaN, which is neither before nor after any. */
const timeOr = (text: string | undefined, without: number) =>
  text === undefined ? without : Date.parse(text)

type Hours = Of<'hours'>
type Span = { from: number; to: number }

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const DAY = 24 * 60
const WEEK = 7 * DAY

/** In minutes of the week. One over midnight ends on the next day. */
function spansOf({ days = [...DAYS], from, to }: Hours): Span[] {
  const start = minuteOf(from)
  const end = minuteOf(to)
  return days.map((day) => {
    const midnight = DAYS.indexOf(day) * DAY
    return { from: midnight + start, to: midnight + (end > start ? end : end + DAY) }
  })
}

function minuteOf(text: string): number {
  const [hours, minutes] = text.split(':').map(Number)
  return hours! * 60 + minutes!
}

/** The night of a Sunday goes on in the morning of a Monday. */
const contains = (outer: Span, inner: Span) =>
  [-WEEK, 0, WEEK].some((shift) => outer.from + shift <= inner.from && inner.to <= outer.to + shift)
