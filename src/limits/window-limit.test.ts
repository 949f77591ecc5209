import { expect, test } from 'bun:test'
import { MINUTE_US, manualClock } from '../runtime/clock.ts'
import { KEYS_MAX, WindowLimit } from './window-limit.ts'

const limitOf = (max: number) => {
  const clock = manualClock(0)
  return { clock, limit: new WindowLimit(clock, { windowMs: 60_000, max }) }
}

test('a request counts against each of its keys, and each has its own bound', () => {
  const { limit } = limitOf(2)
  const from = (address: string, network: string) =>
    limit.count([
      { key: address, times: 1 },
      { key: network, times: 2 },
    ]).isAllowed
  expect([from('a', 'x'), from('a', 'x'), from('a', 'x')]).toEqual([true, true, false])
  expect([from('b', 'x'), from('b', 'x'), from('c', 'x'), from('c', 'y')]).toEqual([true, true, false, true])
})

test('at any mix of askers nobody gets more than their bound, and nobody is refused who is not at one', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { limit } = limitOf(3)
    const counts = new Map<string, number>()
    let state = seed
    const draw = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
    for (let i = 0; i < 2_000; i++) {
      const [a, b, c] = [draw(4), draw(4), draw(8)]
      const keys = [
        { key: `${a}.${b}.${c}`, times: 1 },
        { key: `${a}.${b}`, times: 4 },
        { key: `${a}`, times: 8 },
      ]
      const isFree = keys.every(({ key, times }) => (counts.get(key) ?? 0) < 3 * times)
      expect(limit.count(keys).isAllowed).toBe(isFree)
      if (isFree) for (const { key } of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
})

test('of endless keys those are remembered that asked last, and who is refused is among them', () => {
  const { limit } = limitOf(1)
  const count = (key: string, times = 1) => limit.count([{ key, times }]).isAllowed
  expect([count('network', 2), count('network', 2)]).toEqual([true, true])
  expect([count('quiet'), count('loud')]).toEqual([true, true])
  for (let i = 0; i < 3 * KEYS_MAX; i++) {
    expect(count(`key ${i}`)).toBe(true)
    if (i % 1_000 === 0) expect(count('loud')).toBe(false)
  }
  // Forgotten, so allowed: a stranger is never refused for what others asked.
  expect([count('quiet'), count('loud'), count('network', 2)]).toEqual([true, false, false])
  expect(limit.size).toBeLessThanOrEqual(KEYS_MAX + 1)
})

test('what is given back can be used again, and the count says how many are left', () => {
  const { limit } = limitOf(2)
  const keys = [
    { key: 'a', times: 1 },
    { key: 'network', times: 2 },
  ]
  const left = () => limit.count(keys).left
  expect([left(), left(), left()]).toEqual([1, 0, 0])
  limit.giveBack(keys)
  expect(limit.count(keys)).toMatchObject({ isAllowed: true, left: 0 })
  limit.giveBack([{ key: 'never counted', times: 1 }])
  expect(limit.count(keys).isAllowed).toBe(false)
})

test('the window ends for all at once', () => {
  const { clock, limit } = limitOf(1)
  const allowed = { isAllowed: true, left: 0, retryAfterSeconds: 60 }
  expect(limit.count([{ key: 'a', times: 1 }])).toEqual(allowed)
  clock.advance(MINUTE_US)
  expect(limit.count([{ key: 'a', times: 1 }])).toEqual(allowed)
  expect(limit.size).toBe(1)
})
