import { expect, test } from 'bun:test'
import { newSharedWriteLock, WriteLock } from './write-lock.ts'

/** Two threads' ends of the same turns. */
function pair(): [WriteLock, WriteLock] {
  const shared = newSharedWriteLock()
  return [new WriteLock(shared), new WriteLock(shared)]
}

test('shared are taken in the order of asking', async () => {
  const [one, other] = pair()
  const order: string[] = []
  const visit = async (lock: WriteLock, name: string) => {
    await lock.acquire()
    order.push(`${name} in`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${name} out`)
    lock.release()
  }
  await Promise.all([visit(one, 'a'), visit(other, 'b'), visit(one, 'c'), visit(other, 'd')])
  expect(order).toEqual(['a', 'b', 'c', 'd'].flatMap((name) => [`${name} in`, `${name} out`]))
})

test('a thread learns whether others have taken shared since its last one', async () => {
  const [one, other] = pair()
  expect(one.othersWaited).toBe(false)
  await one.acquire()
  one.release()
  expect([one.othersWaited, other.othersWaited]).toEqual([false, true])
  await other.acquire()
  expect(one.othersWaited).toBe(true)
  other.release()
  await one.acquire()
  one.release()
  expect(one.othersWaited).toBe(false)
})

test('what one thread finds locked by another process, all know', () => {
  const [one, other] = pair()
  one.isLockedOut = true
  expect([one.isLockedOut, other.isLockedOut]).toEqual([true, true])
  other.isLockedOut = false
  expect([one.isLockedOut, other.isLockedOut]).toEqual([false, false])
})

test('shared go round from one thread of the process to the other', async () => {
  const shared = newSharedWriteLock()
  const worker = new Worker(new URL('../../../test/rigs/store/take-locks.script.ts', import.meta.url))
  const lock = new WriteLock(shared)
  await lock.acquire()
  const waits = new Promise((resolve) => (worker.onmessage = resolve))
  worker.postMessage(shared)
  await waits
  const hasTaken = new Promise((resolve) => (worker.onmessage = resolve))
  lock.release()
  await hasTaken
  await lock.acquire() // the other thread has given it back
  lock.release()
  worker.terminate()
})
