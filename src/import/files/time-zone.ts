import { unreadable } from './import-file.ts'

const MS_NS = 1_000_000

/** How far the clocks of a zone are ahead of UTC at a time, in milliseconds. */
export function zoneOffset(timeZone: string): (ms: number) => number {
  if (!isTimeZone(timeZone))
    throw unreadable('--time-zone', 'must be a time zone, such as UTC, Europe/Berlin or +02:00.')
  return (ms) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).offsetNanoseconds / MS_NS
}

/** Temporal would take a date with its zone for one, too. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return true
  } catch {
    return false
  }
}
