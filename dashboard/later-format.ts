import { once } from './once.ts'

// Formats that are not in the first load.

const change = once(
  () =>
    new Intl.NumberFormat(undefined, {
      style: 'percent',
      maximumFractionDigits: 0,
      signDisplay: 'exceptZero',
    }),
)
const clockWithSeconds = once(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }))
const monthOnly = once(
  () => new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' }),
)
const dayOnly = once(
  () => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
)
const dayTime = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }))
const utcClock = once(
  () => new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }),
)

/** From a ratio: 0.12 is +12%. */
export const percentChange = (ratio: number): string => change().format(ratio)

/** `Dec 1, 2026, 9:00 AM`. */
export const dayAndTime = (iso: string): string => dayTime().format(Date.parse(iso))

/** Takes `2026-04-20`, `2026-04` or `2026-04-20T14:00+02:00`. */
export function pointLabel(date: string): string {
  if (/^\d{4}-\d\d$/.test(date)) return monthOnly().format(Date.parse(`${date}-01T00:00:00Z`))
  if (/^\d{4}-\d\d-\d\d$/.test(date)) return dayOnly().format(Date.parse(`${date}T00:00:00Z`))
  const hour = Date.parse(`${date.slice(0, 16)}:00Z`)
  return `${dayOnly().format(hour)}, ${utcClock().format(hour)}`
}

export const timeWithSeconds = (iso: string): string => clockWithSeconds().format(Date.parse(iso))
