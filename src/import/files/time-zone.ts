import { unreadable } from './import-file.ts'

const MINUTE_MS = 60_000

/** How far the clocks of a zone are ahead of UTC at a time, in milliseconds. */
export function zoneOffset(timeZone: string): (ms: number) => number {
  const format = formatIn(timeZone)
  return (ms) => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const minute = Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute)
    return minute - Math.floor(ms / MINUTE_MS) * MINUTE_MS
  }
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    })
  } catch {
    throw unreadable('--time-zone', 'must be a time zone, such as UTC, Europe/Berlin or +02:00.')
  }
}
