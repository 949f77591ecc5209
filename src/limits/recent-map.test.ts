import { expect, test } from 'bun:test'
import { RecentMap } from './recent-map.ts'

test('of endless keys the half that was asked for last is there, and never more than the bound', () => {
  const map = new RecentMap<number>(20)
  for (let i = 0; i < 1_000; i++) {
    map.set(`${i}`, i)
    expect(map.size).toBeLessThanOrEqual(20)
  }
  const last = Array.from({ length: 10 }, (_, i) => 999 - i)
  expect(last.map((i) => map.get(`${i}`))).toEqual(last)
  expect(map.get('900')).toBeUndefined()
})

test('an entry that is asked for stays, however many come after it', () => {
  const map = new RecentMap<string>(20)
  map.set('asked', 'for')
  map.set('quiet', 'one')
  for (let i = 0; i < 1_000; i++) {
    map.set(`${i}`, 'new')
    expect(map.get('asked')).toBe('for')
  }
  expect(map.get('quiet')).toBeUndefined()
})

test('the latest value counts, whichever generation had the one before', () => {
  const map = new RecentMap<number>(4)
  map.set('a', 1)
  map.set('b', 1)
  map.set('a', 2)
  expect([map.get('a'), map.get('b')]).toEqual([2, 1])
})

test('what is deleted is gone', () => {
  const map = new RecentMap<number>(4)
  for (const key of ['a', 'b', 'c']) map.set(key, 1)
  map.delete('a')
  map.delete('c')
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, 1, undefined])
})
