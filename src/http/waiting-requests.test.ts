import { beforeEach, describe, expect, test } from 'bun:test'
import { newSharedMetrics, openMetrics } from '../metrics.ts'
import {
  ANSWER_SECONDS_MAX,
  SILENT_SECONDS_MAX,
  WAITING_BYTES_MAX,
  WAITING_MAX,
  WaitingRequests,
} from './waiting-requests.ts'

const MIB = 1024 * 1024
const FULL = 'Too many requests are waiting at the moment. Try again in a few seconds.'
const BLOCKED = 'The server is not responding at the moment. Try again in a few seconds.'
const GIVEN_UP =
  'The server did not answer in time. The request may or may not have been carried out. Try again in a few seconds.'

let unanswered: ReturnType<typeof openMetrics>['apiUnanswered']
let waiting: WaitingRequests

beforeEach(() => {
  const metrics = openMetrics(newSharedMetrics())
  unanswered = metrics.apiUnanswered
  waiting = new WaitingRequests(metrics)
})

const counts = () => [unanswered.full.value, unanswered.blocked.value, unanswered.slow.value]
const answered = () => new Response('answered')

function passSeconds(count: number, isAlive: boolean): void {
  for (let i = 0; i < count; i++) waiting.passSecond(isAlive)
}

async function expectRefusal(response: Response | undefined, message: string): Promise<void> {
  expect([response?.status, response?.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await response?.json()).toEqual({ success: false, message, errors: {} })
}

test('each request gets its own answer, once', async () => {
  const [first, second] = [waiting.add(1, 0), waiting.add(2, MIB)]
  expect(waiting.answer(2, () => new Response('second'))).toBe(true)
  expect(waiting.answer(1, () => new Response('first'))).toBe(true)
  expect(waiting.answer(1, answered)).toBe(false)
  expect(await Promise.all([first, second].map(async (each) => (await each).text()))).toEqual([
    'first',
    'second',
  ])
  expect(counts()).toEqual([0, 0, 0])
})

describe('there is room', () => {
  test('for so many, and for another one when one is answered', async () => {
    for (let id = 1; id <= WAITING_MAX; id++) {
      expect(waiting.refusalOf(0)).toBeUndefined()
      void waiting.add(id, 0)
    }
    await expectRefusal(waiting.refusalOf(0), FULL)
    waiting.answer(7, answered)
    expect(waiting.refusalOf(0)).toBeUndefined()
    expect(counts()).toEqual([1, 0, 0])
  })

  test('for so much in their bodies, and beyond that only for what is small enough', async () => {
    for (let id = 1; id <= WAITING_BYTES_MAX / MIB; id++) {
      expect(waiting.refusalOf(MIB)).toBeUndefined()
      void waiting.add(id, MIB)
    }
    await expectRefusal(waiting.refusalOf(1), FULL)
    expect(waiting.refusalOf(0)).toBeUndefined()
    waiting.answer(7, answered)
    expect(waiting.refusalOf(MIB)).toBeUndefined()
    await expectRefusal(waiting.refusalOf(MIB + 1), FULL)
  })
})

describe('a thread that shows no sign of life', () => {
  test('is blocked after ten seconds: all who wait are told, and all who come', async () => {
    const first = waiting.add(1, MIB)
    passSeconds(SILENT_SECONDS_MAX - 1, false)
    const last = waiting.add(2, 0)
    expect([waiting.isBlocked, waiting.refusalOf(0)]).toEqual([false, undefined])
    waiting.passSecond(false)
    expect(waiting.isBlocked).toBe(true)
    for (const each of [first, last]) await expectRefusal(await each, GIVEN_UP)
    await expectRefusal(waiting.refusalOf(0), BLOCKED)
    expect(counts()).toEqual([0, 3, 0])
  })

  test('is none that shows one now and then', () => {
    void waiting.add(1, 0)
    for (let i = 0; i < 10; i++) {
      passSeconds(SILENT_SECONDS_MAX - 1, false)
      waiting.passSecond(true)
    }
    expect([waiting.isBlocked, ...counts()]).toEqual([false, 0, 0, 0])
  })

  test('is asked again when it works again, and has its memory back only when it is done with what it had', () => {
    for (let id = 1; id <= WAITING_BYTES_MAX / MIB; id++) void waiting.add(id, MIB)
    passSeconds(SILENT_SECONDS_MAX, false)
    waiting.passSecond(true)
    expect([waiting.isBlocked, waiting.refusalOf(0), waiting.refusalOf(1)?.status]).toEqual([
      false,
      undefined,
      503,
    ])
    expect(waiting.answer(1, answered)).toBe(false)
    expect(waiting.refusalOf(MIB)).toBeUndefined()
  })
})

test('an answer may take two minutes of a thread that works, and no longer', async () => {
  const slow = waiting.add(1, 0)
  passSeconds(1, true)
  const later = waiting.add(2, 0)
  passSeconds(ANSWER_SECONDS_MAX - 2, true)
  expect(counts()).toEqual([0, 0, 0])
  waiting.passSecond(true)
  await expectRefusal(await slow, GIVEN_UP)
  expect(waiting.answer(2, answered)).toBe(true)
  expect(await (await later).text()).toBe('answered')
  passSeconds(ANSWER_SECONDS_MAX, true)
  expect(counts()).toEqual([0, 0, 1])
})

test('when the thread is no more, all are told', async () => {
  const both = [waiting.add(1, MIB), waiting.add(2, 0)]
  waiting.answerAll(answered)
  for (const each of both) expect(await (await each).text()).toBe('answered')
})
