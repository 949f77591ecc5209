import type { Clock } from '../clock.ts'

/** The time of an answer, as its `Date` header says it. HTTP counts in seconds, so most answers share one. */
export function httpDates(clock: Clock): () => string {
  let date = ''
  let dateSecond = -1
  return () => {
    const second = Math.floor(clock.monotonicMs() / 1000)
    if (second !== dateSecond) {
      dateSecond = second
      date = new Date(clock.nowUs() / 1000).toUTCString()
    }
    return date
  }
}
