import { once } from './once.ts'
import { nowMs } from './now.ts'

// Numbers and dates in the browser's locale. Formats are made at their first use: on a slow phone all of them take 200 ms.

const WHOLE_MAX = 99_999
const WEEK_MS = 7 * 86_400_000
const SECOND_MS = 1000

const whole = once(() => new Intl.NumberFormat())
const short = once(() => new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }))
const share = once(() => new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }))
const relative = once(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }))
const day = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }))
const moment = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' }))
const clockTime = once(() => new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' }))

export const fullNumber = (value: number): string => whole().format(value)
/** 1,234 up to 99,999, then 123K. */
export const shortNumber = (value: number): string =>
  (Math.abs(value) > WHOLE_MAX ? short() : whole()).format(value)
/** From 0 to 100, as in the API. */
export const percent = (value: number): string => share().format(value / 100)

const STEPS: [unit: 'day' | 'hour' | 'minute' | 'second', ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', SECOND_MS],
]

/** "3 hours ago" for a week, then `Nov 5`, with the year if it is not the current one. */
export function relativeTime(iso: string): string {
  const ahead = Date.parse(iso) - nowMs()
  return Math.abs(ahead) >= WEEK_MS ? calendarDay(iso) : distance(ahead)
}

/** "in 9 days", however far it is. */
export const timeAhead = (iso: string): string => distance(Date.parse(iso) - nowMs())

function distance(ms: number): string {
  const [unit, unitMs] = STEPS.find(([, each]) => Math.abs(ms) >= each) ?? STEPS.at(-1)!
  return relative().format(Math.round(ms / unitMs), unit)
}

/** `13 days`: how long it is from one time to another. */
export function timeSpan(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from)
  const [unit, unitMs] = STEPS.find(([, each]) => ms >= each) ?? STEPS.at(-1)!
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.round(ms / unitMs),
  )
}

export const exactTime = (iso: string): string => moment().format(Date.parse(iso))
/** `Nov 20`, with the year if it is not the current one. */
export const calendarDay = (iso: string): string => {
  const at = Date.parse(iso)
  return yearOf().format(at) === yearOf().format(nowMs()) ? thisYear().format(at) : day().format(at)
}
const yearOf = once(() => new Intl.DateTimeFormat(undefined, { year: 'numeric' }))
const thisYear = once(() => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }))

export const shortDate = (iso: string): string => day().format(Date.parse(iso))

const WAIT_SECONDS_MAX = 90
const seconds = once(() => new Intl.NumberFormat(undefined, { style: 'unit', unit: 'second' }))
const minutes = once(() => new Intl.NumberFormat(undefined, { style: 'unit', unit: 'minute' }))

/** `45 sec`; minutes from 90 seconds on. */
export const waitText = (wait: number): string =>
  wait < WAIT_SECONDS_MAX ? seconds().format(Math.ceil(wait)) : minutes().format(Math.ceil(wait / 60))

export const timeOfDay = (iso: string): string => clockTime().format(Date.parse(iso))

/** Shortens a long URL in the middle. */
export function cutMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const head = Math.ceil((charsMax - 1) * 0.65)
  return `${text.slice(0, head)}…${text.slice(text.length - (charsMax - 1 - head))}`
}

export const withoutScheme = (url: string): string => url.replace(/^https?:\/\/|\/$/g, '')

/** Empty unless it is an http or https URL: nothing else may become a link. */
export function safeHref(url: string): string | undefined {
  return /^https?:\/\//i.test(url) ? url : undefined
}

export function hostOf(url: string): string {
  // A number, or an address, has no host.
  return (URL.parse(url)?.hostname || url).replace(/^www\./, '')
}

// What rows show of a link: those that React draws, and the first ones, which are shown before it has loaded.

const DESTINATION_CHARS = 72

export const destinationText = (url: string): string => cutMiddle(withoutScheme(url), DESTINATION_CHARS)

/** A short URL as people read it. */
export const shortUrlText = (url: string): string => decodeURIComponent(withoutScheme(url))

/** The host with its slash, and the code. */
export function partsOfShortUrl(url: string): [host: string, code: string] {
  const text = shortUrlText(url)
  const codeAt = text.indexOf('/') + 1
  return [text.slice(0, codeAt), text.slice(codeAt)]
}
