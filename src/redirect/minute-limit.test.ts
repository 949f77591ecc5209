import { expect, test } from 'bun:test'
import { MINUTE_US, manualClock } from '../clock.ts'
import { MinuteLimit } from './minute-limit.ts'

const SECOND_US = 1_000_000
const START_US = Date.UTC(2026, 3, 20) * 1000

function limitOf(perMinute: number) {
  const clock = manualClock(START_US)
  const limit = new MinuteLimit(clock, perMinute)
  return { clock, allowed: (ip: string) => limit.count(ip).isAllowed, limit }
}

test('so many are allowed a minute, and no more', () => {
  const { allowed } = limitOf(3)
  expect(Array.from({ length: 5 }, () => allowed('203.0.113.7'))).toEqual([true, true, true, false, false])
})

test('each address is counted for itself', () => {
  const { allowed } = limitOf(1)
  expect([allowed('203.0.113.7'), allowed('203.0.113.8'), allowed('203.0.113.7')]).toEqual([
    true,
    true,
    false,
  ])
})

test('an IPv6 network is one address, and so is IPv4 in either spelling', () => {
  const { allowed } = limitOf(1)
  expect([allowed('2001:db8:1:2::1'), allowed('2001:db8:1:2:ffff::1'), allowed('2001:db8:1:3::1')]).toEqual([
    true,
    false,
    true,
  ])
  expect([allowed('203.0.113.7'), allowed('::ffff:203.0.113.7')]).toEqual([true, false])
})

test('a refusal says when the minute is over, and then it begins anew', () => {
  const { clock, allowed, limit } = limitOf(1)
  allowed('203.0.113.7')
  clock.advance(20 * SECOND_US)
  expect(limit.count('203.0.113.7')).toEqual({ isAllowed: false, retryAfterSeconds: 40 })
  clock.advance(40 * SECOND_US - 1)
  expect(limit.count('203.0.113.7')).toEqual({ isAllowed: false, retryAfterSeconds: 1 })
  clock.advance(1)
  expect(allowed('203.0.113.7')).toBe(true)
})

test('what is refused makes the wait no longer', () => {
  const { clock, allowed } = limitOf(2)
  for (let second = 0; second < 60; second++) {
    allowed('203.0.113.7')
    clock.advance(SECOND_US)
  }
  expect(allowed('203.0.113.7')).toBe(true)
})

test('an address that is none is counted too', () => {
  const { allowed } = limitOf(1)
  expect([allowed(''), allowed('')]).toEqual([true, false])
})

test('of endless addresses no more are remembered than there is room for, and none are forgotten', () => {
  const { clock, allowed } = limitOf(1)
  allowed('203.0.113.7')
  for (let i = 0; i < 50_000; i++) allowed(`2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`)
  // The network has used up what is left for everybody else, and nobody's count begins anew before the minute is over.
  expect([allowed('203.0.113.7'), allowed('203.0.113.8')]).toEqual([false, false])
  clock.advance(MINUTE_US)
  expect(allowed('203.0.113.7')).toBe(true)
})
