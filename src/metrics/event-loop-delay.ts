import type { Clock } from '../runtime/clock.ts'

const EVERY_MS = 100

/** Observes ten times a second how late this thread runs a timer. Returns a function that stops it. */
export function watchEventLoop(
  clock: Pick<Clock, 'monotonicMs'>,
  delay: { observe(seconds: number): void },
): () => void {
  let lastMs = clock.monotonicMs()
  const observe = () => {
    const nowMs = clock.monotonicMs()
    delay.observe(Math.max(0, nowMs - lastMs - EVERY_MS) / 1000)
    lastMs = nowMs
  }
  // At once too: it is also the thread's heartbeat, and requests come as soon as it is up.
  observe()
  const timer = setInterval(observe, EVERY_MS)
  return () => clearInterval(timer)
}
