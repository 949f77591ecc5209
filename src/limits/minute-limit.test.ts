import { describe, expect, test } from 'bun:test'
import { manualClock } from '../runtime/clock.ts'
import { MinuteLimit } from './minute-limit.ts'

const SECOND_US = 1_000_000
const START_US = Date.UTC(2026, 3, 20) * 1000

function limitOf(perMinute: number) {
  const clock = manualClock(START_US)
  const limit = new MinuteLimit(clock, perMinute)
  return { clock, allowed: (ip: string) => limit.count(ip).isAllowed, limit }
}

test('the limit is allowed each minute, and no more', () => {
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

test('a refusal says when the minute is over, and then it begins again', () => {
  const { clock, allowed, limit } = limitOf(1)
  allowed('203.0.113.7')
  clock.advance(20 * SECOND_US)
  expect(limit.count('203.0.113.7')).toMatchObject({ isAllowed: false, retryAfterSeconds: 40 })
  clock.advance(40 * SECOND_US - 1)
  expect(limit.count('203.0.113.7')).toMatchObject({ isAllowed: false, retryAfterSeconds: 1 })
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

const hex = (number: number) => number.toString(16)

describe('somebody with a /48, which is 65,536 networks of the size that one customer has,', () => {
  const fromAttacker = (i: number) => `2001:db8:bad:${hex(i % 65_536)}::${hex(1 + Math.floor(i / 65_536))}`

  test('takes nothing from strangers, wherever those are', () => {
    const { allowed } = limitOf(300)
    for (let i = 0; i < 65_536; i++) allowed(fromAttacker(i))
    const strangers = [
      '203.0.113.7',
      '2001:db8:aaaa::1',
      '2001:db8:bae::1',
      '2001:db9:bad::1',
      '2a00:1450:4001::1',
    ]
    // In the same /32 they have their own allowance still, as that of the /32 is 16 times larger than any /48's.
    for (const ip of strangers) {
      const answers = Array.from({ length: 301 }, () => allowed(ip))
      expect([ip, answers.filter(Boolean).length]).toEqual([ip, 300])
    }
  })

  test('is limited like sixteen', () => {
    const { allowed } = limitOf(300)
    const answers = Array.from({ length: 3 * 65_536 }, (_, i) => allowed(fromAttacker(i)))
    expect(answers.filter(Boolean)).toHaveLength(16 * 300)
  })

  test('with a /56 is limited like four, and with one address like one', () => {
    const { allowed } = limitOf(300)
    const fromHome = Array.from({ length: 65_536 }, (_, i) =>
      allowed(`2001:db8:bad:12${hex(i % 256).padStart(2, '0')}::1`),
    )
    expect(fromHome.filter(Boolean)).toHaveLength(4 * 300)
    expect(Array.from({ length: 900 }, () => allowed('2001:db8:bad:4400::1')).filter(Boolean)).toHaveLength(
      300,
    )
  })
})

test('who has a /32 affects a stranger in it at its own allowance only, and nobody outside of it', () => {
  const { allowed } = limitOf(3)
  const answers = Array.from({ length: 65_536 }, (_, i) => allowed(`2001:db8:${hex(i)}::1`))
  expect(answers.filter(Boolean)).toHaveLength(256 * 3)
  expect([allowed('2001:db8:ffff:1::1'), allowed('2001:db9::1'), allowed('203.0.113.7')]).toEqual([
    false,
    true,
    true,
  ])
})

test('an IPv4 /24 is limited like sixteen', () => {
  const { allowed } = limitOf(3)
  const answers = Array.from({ length: 2_560 }, (_, i) => allowed(`203.0.113.${i % 256}`))
  expect(answers.filter(Boolean)).toHaveLength(16 * 3)
  expect(allowed('203.0.114.1')).toBe(true)
})

test('an address that goes on after it was refused takes nothing from its neighbors', () => {
  const { allowed } = limitOf(3)
  for (let i = 0; i < 10_000; i++) allowed('2001:db8:1:1::1')
  expect(Array.from({ length: 4 }, () => allowed('2001:db8:1:2::1'))).toEqual([true, true, true, false])
})
