import { expect, jest, test } from 'bun:test'
import { watchEventLoop } from './event-loop-delay.ts'

test('the start is observed at once, a tick that comes late with its delay, one in time without, and none after the end', () => {
  jest.useFakeTimers()
  try {
    let nowMs = 1_000
    const delays: number[] = []
    const end = watchEventLoop(
      { monotonicMs: () => nowMs },
      { observe: (seconds: number) => void delays.push(seconds) },
    )
    for (const passedMs of [100, 350, 90]) {
      nowMs += passedMs
      jest.advanceTimersByTime(100)
    }
    expect(delays).toEqual([0, 0, 0.25, 0])
    end()
    jest.advanceTimersByTime(1_000)
    expect(delays).toHaveLength(4)
  } finally {
    jest.useRealTimers()
  }
})
