import { expect, test } from 'bun:test'
import { newSharedTurns, WriteTurn } from './write-turn.ts'

/** Two threads' ends of the same turns. */
function pair(): [WriteTurn, WriteTurn] {
  const shared = newSharedTurns()
  return [new WriteTurn(shared), new WriteTurn(shared)]
}

test('turns are taken in the order of asking', async () => {
  const [one, other] = pair()
  const order: string[] = []
  const visit = async (turn: WriteTurn, name: string) => {
    await turn.take()
    order.push(`${name} in`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${name} out`)
    turn.give()
  }
  await Promise.all([visit(one, 'a'), visit(other, 'b'), visit(one, 'c'), visit(other, 'd')])
  expect(order).toEqual(['a', 'b', 'c', 'd'].flatMap((name) => [`${name} in`, `${name} out`]))
})

test('a thread learns whether others have taken turns since its last one', async () => {
  const [one, other] = pair()
  expect(one.othersTakeTurns).toBe(false)
  await one.take()
  one.give()
  expect([one.othersTakeTurns, other.othersTakeTurns]).toEqual([false, true])
  await other.take()
  expect(one.othersTakeTurns).toBe(true)
  other.give()
  await one.take()
  one.give()
  expect(one.othersTakeTurns).toBe(false)
})

test('what one thread finds locked by another process, all know', () => {
  const [one, other] = pair()
  one.isLockedOut = true
  expect([one.isLockedOut, other.isLockedOut]).toEqual([true, true])
  other.isLockedOut = false
  expect([one.isLockedOut, other.isLockedOut]).toEqual([false, false])
})

test('turns go round from one thread of the process to the other', async () => {
  const shared = newSharedTurns()
  const worker = new Worker(new URL('../../test/rigs/take-turns.script.ts', import.meta.url))
  const turn = new WriteTurn(shared)
  await turn.take()
  const waits = new Promise((resolve) => (worker.onmessage = resolve))
  worker.postMessage(shared)
  await waits
  const hasTaken = new Promise((resolve) => (worker.onmessage = resolve))
  turn.give()
  await hasTaken
  await turn.take() // the other thread has given it back
  turn.give()
  worker.terminate()
})
