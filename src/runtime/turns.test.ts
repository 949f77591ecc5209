import { expect, test } from 'bun:test'
import { inTurns, turnAfter } from './turns.ts'

test('others run after every few items, and not after the last one', async () => {
  const seen: string[] = []
  for await (const item of inTurns(['a', 'b', 'c', 'd'], 2)) {
    if (item === 'a') setImmediate(() => void seen.push('other'))
    seen.push(item)
  }
  expect(seen).toEqual(['a', 'b', 'other', 'c', 'd'])
})

test('a list of few items is gone through at once', async () => {
  let hasRun = false
  setImmediate(() => (hasRun = true))
  for await (const _ of inTurns([1, 2, 3], 3)) expect(hasRun).toBe(false)
  expect(hasRun).toBe(false)
})

test('others run after a step of work on a long list, and not after one on a short list', async () => {
  let hasRun = false
  setImmediate(() => (hasRun = true))
  await turnAfter([1, 2, 3], 3)
  expect(hasRun).toBe(false)
  await turnAfter([1, 2, 3], 2)
  expect(hasRun).toBe(true)
})
