import { expect, test } from 'bun:test'
import { isReadyBefore } from './wait-until-ready.ts'

const never = new Promise<never>(() => {})

test('a service that becomes ready late is waited for, and that it is late is said once', async () => {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const late: string[] = []
  const waiting = isReadyBefore(never, {
    ready,
    msMax: 1,
    sayLate() {
      late.push('late')
      resolve()
    },
  })
  expect(await waiting).toBe(true)
  expect(late).toEqual(['late'])
})

test('nothing is said of a service that is ready, stopped or failed in time', async () => {
  const sayLate = () => {
    throw new Error('It is not late.')
  }
  const stopped = Promise.resolve()
  expect(await isReadyBefore(never, { ready: Promise.resolve(), sayLate, msMax: 1 })).toBe(true)
  expect(await isReadyBefore(stopped, { ready: never, sayLate, msMax: 1 })).toBe(false)
  expect(await isReadyBefore(never, { ready: Promise.reject(new Error('failed')), sayLate })).toBe(false)
  await Bun.sleep(5) // The timers are cleared.
})
