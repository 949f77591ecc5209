import { memoize } from '../../clicks/visitor/memoize.ts'
import { MINUTE_US } from '../../runtime/clock.ts'

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const MINUTES_OF_DAY = 24 * 60

/** More than there are. */
const ZONES_REMEMBERED_MAX = 1_000

/** `09:30` is 570. The end of a day is 24:00. */
export function minuteOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(text) ?? []
  const minute = Number(hours) * 60 + Number(minutes)
  return minute <= MINUTES_OF_DAY ? minute : undefined
}

/** The day of the week, Monday being 0, and the minute of the day there. */
type LocalTime = { day: number; minute: number }
export type LocalClock = (us: number) => LocalTime

/** The zone must exist. Asked twice within a minute, it looks once. */
export const localClock: (timezone: string) => LocalClock = memoize(ZONES_REMEMBERED_MAX, (timeZone) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  let knownMinute = NaN
  let latest: LocalTime = { day: 0, minute: 0 }
  return (us) => {
    const minute = Math.floor(us / MINUTE_US)
    if (minute === knownMinute) return latest
    const part = Object.fromEntries(format.formatToParts(us / 1000).map(({ type, value }) => [type, value]))
    knownMinute = minute
    latest = {
      day: WEEKDAYS.indexOf(part.weekday!.toLowerCase() as (typeof WEEKDAYS)[number]),
      minute: Number(part.hour) * 60 + Number(part.minute),
    }
    return latest
  }
})
