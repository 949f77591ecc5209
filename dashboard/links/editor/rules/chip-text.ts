import { timeOfDay } from '../../../format.ts'
import { dayAndTime } from '../../../later-format.ts'
import { ruleStrings } from './rule-strings.ts'
import type { ConditionKind, Conditions } from './rule-form.ts'
import { once } from '../../../once.ts'

const { condition: texts, query: queryTexts } = ruleStrings

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Weekday = (typeof WEEKDAYS)[number]

const LIST_KINDS = ['country', 'device', 'os', 'browser', 'language'] as const
export type ListKind = (typeof LIST_KINDS)[number]
export const isListKind = (kind: ConditionKind): kind is ListKind => LIST_KINDS.includes(kind as ListKind)

const regions = once(() => new Intl.DisplayNames(['en'], { type: 'region' }))
const languages = once(() => new Intl.DisplayNames(['en'], { type: 'language' }))
/** January 1, 2024, was a Monday. */
const weekday = once(() => new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' }))
export const dayName = (day: Weekday): string =>
  weekday().format(Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(day)))

/** The name of a value; the value itself if it has none. */
export function nameOf(kind: ListKind, value: string): string {
  try {
    if (kind === 'country') return regions().of(value.toUpperCase()) ?? value
    if (kind === 'language') return languages().of(value) ?? value
  } catch {
    return value
  }
  return kind === 'device' ? (texts.devices[value as keyof typeof texts.devices] ?? value) : value
}

export function operatorOf(kind: ConditionKind, when: Conditions): string {
  if (kind === 'hours' || kind === 'between') return texts.are
  if (kind === 'query') return Object.keys(when.query ?? {}).length > 1 ? texts.are : texts.is
  return (when[kind]?.length ?? 0) > 1 ? texts.isAnyOf : texts.is
}

/** `namesMax`: of a list; the others are counted. Empty: nothing is chosen yet. */
export function valueText(kind: ConditionKind, when: Conditions, namesMax: number): string {
  if (kind === 'query') return listText(Object.entries(when.query ?? {}).map(parameterText), namesMax)
  if (kind === 'between') return datesText(when.between ?? {})
  if (kind === 'hours') return when.hours ? hoursText(when.hours) : ''
  return listText(
    (when[kind] ?? []).map((value) => nameOf(kind, value)),
    namesMax,
  )
}

function listText(names: readonly string[], namesMax: number): string {
  const list = names.slice(0, namesMax).join(', ')
  return names.length > namesMax ? texts.more(list, names.length - namesMax) : list
}

const parameterText = ([name, value]: [string, string | true]) =>
  value === true ? queryTexts.anyShort(name) : `${name}=${value}`

const datesText = ({ from, to }: NonNullable<Conditions['between']>) =>
  [from && texts.from(dayAndTime(from)), to && texts.until(dayAndTime(to))].filter(Boolean).join(' ')

function hoursText({ days, from, to }: NonNullable<Conditions['hours']>): string {
  const isAllDay = from === '00:00' && to === '24:00'
  return `${daysText(days)}, ${isAllDay ? texts.allDay : `${clock(from)}–${clock(to)}`}`
}

const clock = (time: string) => (/^\d\d:\d\d$/.test(time) ? timeOfDay(`2024-01-01T${time}`) : '…')

/** `Mon–Sat`, `Mon, Wed`. */
function daysText(days: readonly Weekday[] | undefined): string {
  const weekdays = WEEKDAYS.filter((day) => days === undefined || days.includes(day))
  if (weekdays.length === WEEKDAYS.length) return texts.everyDay
  if (weekdays.length === 0) return '…'
  const first = WEEKDAYS.indexOf(weekdays[0]!)
  const last = WEEKDAYS.indexOf(weekdays.at(-1)!)
  const isRange = weekdays.length > 2 && last - first === weekdays.length - 1
  return isRange ? `${dayName(weekdays[0]!)}–${dayName(weekdays.at(-1)!)}` : weekdays.map(dayName).join(', ')
}

/** `Germany + 2, phone`. */
export function headingOf(when: Conditions): string {
  const parts = (Object.keys(when) as ConditionKind[]).flatMap((kind) => {
    const text = kind === 'hours' && when.hours ? daysText(when.hours.days) : valueText(kind, when, 1)
    return text === '' ? [] : [{ kind, text }]
  })
  if (parts.length === 0) return ruleStrings.everyone
  return parts
    .map(({ kind, text }, at) => {
      if (at > 0) return kind === 'device' ? text.toLowerCase() : text
      // Other values are names, such as iOS, and stay as they are.
      return kind === 'between' || kind === 'hours' ? text.charAt(0).toUpperCase() + text.slice(1) : text
    })
    .join(', ')
}
