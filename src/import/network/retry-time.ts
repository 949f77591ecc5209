import type { Answered } from '../../destination-pages/guarded-client.ts'

const SECOND_US = 1_000_000
/** Longer numbers are no times. */
const NUMBER = /^\d{1,14}(\.\d{1,6})?$/
/** Below it, a number is a duration in seconds; above the second, a time in milliseconds. In between, a time in seconds. */
const DURATION_MAX = 100_000_000
const SECONDS_MAX = 100_000_000_000
const RESET_HEADERS = ['x-ratelimit-reset', 'x-rate-limit-reset', 'ratelimit-reset']

/**
 * When a server says that requests are welcome again, which may have passed: Retry-After (RFC 9110, section 10.2.3) in seconds or as
 * a date, else when its limit starts over, as a duration or a time. Undefined if it does not say.
 */
export function retryTimeUs(headers: Answered['headers'], nowUs: number): number | undefined {
  const after = headers['retry-after']?.trim()
  if (after !== undefined && NUMBER.test(after)) return nowUs + Number(after) * SECOND_US
  const date = after === undefined ? NaN : Date.parse(after)
  if (!Number.isNaN(date)) return date * 1000
  const reset = RESET_HEADERS.map((name) => String(headers[name] ?? '').trim()).find((text) =>
    NUMBER.test(text),
  )
  return reset === undefined ? undefined : resetTimeUs(Number(reset), nowUs)
}

function resetTimeUs(value: number, nowUs: number): number {
  if (value < DURATION_MAX) return nowUs + value * SECOND_US
  return value < SECONDS_MAX ? value * SECOND_US : value * 1000
}
