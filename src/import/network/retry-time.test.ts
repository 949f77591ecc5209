import { expect, test } from 'bun:test'
import { retryTimeUs } from './retry-time.ts'

const NOW_SECONDS = 1_795_961_100
const at = (seconds: number) => seconds * 1_000_000

test.each<[headers: Record<string, string>, us: number | undefined]>([
  [{}, undefined],
  [{ 'retry-after': '90' }, at(NOW_SECONDS + 90)],
  [{ 'retry-after': ' 0 ' }, at(NOW_SECONDS)],
  [{ 'retry-after': '0.5' }, at(NOW_SECONDS + 0.5)],
  [{ 'retry-after': 'Sun, 29 Nov 2026 14:20:00 GMT' }, Date.UTC(2026, 10, 29, 14, 20) * 1000],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5x' }, undefined],
  [{ 'retry-after': '9'.repeat(40) }, undefined],
  [{ 'x-ratelimit-reset': '60' }, at(NOW_SECONDS + 60)],
  [{ 'x-ratelimit-reset': String(NOW_SECONDS + 60) }, at(NOW_SECONDS + 60)],
  [{ 'x-ratelimit-reset': String((NOW_SECONDS + 60) * 1000) }, at(NOW_SECONDS + 60)],
  [{ 'x-rate-limit-reset': '7' }, at(NOW_SECONDS + 7)],
  [{ 'ratelimit-reset': '8' }, at(NOW_SECONDS + 8)],
  [{ 'x-ratelimit-reset': 'tomorrow', 'ratelimit-reset': '8' }, at(NOW_SECONDS + 8)],
  [{ 'retry-after': '5', 'x-ratelimit-reset': '60' }, at(NOW_SECONDS + 5)],
  [{ 'retry-after': 'soon', 'x-ratelimit-reset': '60' }, at(NOW_SECONDS + 60)],
])('%j', (headers, us) => {
  expect(retryTimeUs(headers, at(NOW_SECONDS))).toBe(us)
})
