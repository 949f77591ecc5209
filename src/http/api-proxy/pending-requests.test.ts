import { beforeEach, describe, expect, test } from 'bun:test'
import { newSharedMetrics, openMetrics } from '../../metrics/metrics.ts'
import {
  PENDING_BYTES_MAX,
  PENDING_MAX,
  PendingRequests,
  RESPONSE_SECONDS_MAX,
  SILENT_SECONDS_MAX,
} from './pending-requests.ts'

let unanswered: ReturnType<typeof openMetrics>['apiUnanswered']
let heartbeats: ReturnType<typeof openMetrics>['eventLoopDelay']['api']
let pending: PendingRequests
/** What each request was given up with. */
let givenUp: string[]

beforeEach(openPending)

describe('there is room', () => {
  test('for a number of requests, and for another one after a response', () => {
    const first = add()
    for (let i = 1; i < PENDING_MAX; i++) add()
    expect([add(), givenUp]).toEqual([undefined, [FULL]])
    pending.remove(first!)
    expect(add()).toBeDefined()
    expect(counts()).toEqual([1, 0, 0])
  })

  test('for a number of bytes, and then only for small requests', () => {
    const first = add(MIB)
    for (let i = 1; i < PENDING_BYTES_MAX / MIB; i++) add(MIB)
    expect([add(1), givenUp]).toEqual([undefined, [FULL]])
    expect(add(0)).toBeDefined()
    pending.remove(first!)
    expect(add(MIB)).toBeDefined()
    expect(add(1)).toBeUndefined()
  })

  test('for a request that is too large to be kept, which counts as nothing', () => {
    for (let i = 0; i < 100; i++) expect(add(16 * MIB)).toBeDefined()
    expect(givenUp).toEqual([])
  })
})

describe('a thread without a heartbeat', () => {
  test('is blocked after ten seconds: pending requests and new ones are given up', () => {
    add(MIB)
    passSeconds(SILENT_SECONDS_MAX - 1, false)
    add()
    expect([pending.isBlocked, pending.refuses(giveUp), givenUp]).toEqual([false, false, []])
    passSeconds(1, false)
    expect([pending.isBlocked, givenUp.splice(0)]).toEqual([true, [NO_RESPONSE, NO_RESPONSE]])
    expect([pending.refuses(giveUp), givenUp]).toEqual([true, [BLOCKED]])
    expect(counts()).toEqual([0, 3, 0])
  })

  test('is not blocked if it has a heartbeat now and then', () => {
    add()
    for (let i = 0; i < 10; i++) {
      passSeconds(SILENT_SECONDS_MAX - 1, false)
      passSeconds(1, true)
    }
    expect([pending.isBlocked, ...counts()]).toEqual([false, 0, 0, 0])
  })

  test('gets requests again when it works again', () => {
    for (let i = 0; i < PENDING_BYTES_MAX / MIB; i++) add(MIB)
    passSeconds(SILENT_SECONDS_MAX, false)
    expect(pending.isBlocked).toBe(true)
    // As after a slow start: the first request comes right behind the first heartbeat.
    heartbeats.observe(0)
    expect([pending.isBlocked, pending.refuses(giveUp)]).toEqual([false, false])
    passSeconds(1, false)
    expect(pending.isBlocked).toBe(false)
    expect(add(MIB)).toBeDefined()
  })
})

test('a working thread has two minutes for a response', () => {
  add()
  passSeconds(1, true)
  const later = add()
  passSeconds(RESPONSE_SECONDS_MAX - 2, true)
  expect(givenUp).toEqual([])
  passSeconds(1, true)
  expect(givenUp).toEqual([NO_RESPONSE])
  pending.remove(later!)
  passSeconds(RESPONSE_SECONDS_MAX, true)
  expect([givenUp.length, ...counts()]).toEqual([1, 0, 0, 1])
})

test('when the thread has ended, pending requests and new ones are given up', () => {
  add(MIB)
  add()
  pending.fail()
  expect(givenUp.splice(0)).toEqual([RESTARTING, RESTARTING])
  expect([pending.refuses(giveUp), givenUp]).toEqual([true, [RESTARTING]])
})

function openPending(): void {
  const metrics = openMetrics(newSharedMetrics())
  unanswered = metrics.apiUnanswered
  heartbeats = metrics.eventLoopDelay.api
  pending = new PendingRequests(metrics)
  givenUp = []
}

const MIB = 1024 * 1024
const FULL = 'Too many requests are waiting at the moment.'
const BLOCKED = 'The server is not responding at the moment.'
const NO_RESPONSE = 'The server did not answer in time. The request may or may not have been carried out.'
const RESTARTING = 'The server is restarting.'

const counts = () => [unanswered.full.value, unanswered.blocked.value, unanswered.slow.value]
const giveUp = (sentence: string) => void givenUp.push(sentence)
const add = (bytes = 0) => pending.add(bytes, giveUp)

function passSeconds(count: number, isAlive: boolean): void {
  for (let i = 0; i < count; i++) {
    if (isAlive) heartbeats.observe(0)
    pending.passSecond()
  }
}
