import { expect } from 'bun:test'

// Load decides nothing: it only adds to a wait, so the shortest of some tries counts, or what plain work costs at that moment.

/** How long another caller may have to wait. */
const WAIT_MS = 250
/** Or this many times what they wait while plain work is done. */
const TIMES_PLAIN = 5
const TRIES_MAX = 6
/** Between two checks, which would take as much time as the work. */
const PAUSE_MS = 3
/** Then the thread is taken for blocked. */
const BLOCKED_MS = 10_000

let networks = 0
/** Once it is blocked, no wait says anything of what is tried after it. */
let blocked: Error | undefined

type Work = () => Promise<void>

/** Undefined when the health check does not have to wait; otherwise how long it does. */
export async function waitsDuring(url: string, work: Work, plain: Work): Promise<string | undefined> {
  const least = { expensive: Infinity, plain: Infinity }
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    least.expensive = Math.min(least.expensive, await longestWait(url, work))
    if (least.expensive <= WAIT_MS) return undefined
    least.plain = Math.min(least.plain, await longestWait(url, plain))
  }
  if (least.expensive <= TIMES_PLAIN * least.plain) return undefined
  return `${least.expensive.toFixed()} ms, and ${least.plain.toFixed()} ms for a plain request`
}

async function longestWait(url: string, work: Work): Promise<number> {
  let isDone = false
  const done = work().finally(() => (isDone = true))
  done.catch(() => {}) // reported below
  let longest = 0
  while (!isDone) {
    longest = Math.max(longest, await waitForHealth(url))
    await Bun.sleep(PAUSE_MS)
  }
  await done
  return longest
}

async function waitForHealth(url: string): Promise<number> {
  if (blocked !== undefined) throw blocked
  const requestedAt = performance.now()
  const signal = AbortSignal.timeout(BLOCKED_MS)
  const answer = await fetch(`${url}/api/health`, { headers: fromElsewhere(), signal }).catch((cause) => {
    throw (blocked = new Error('The API thread is blocked.', { cause }))
  })
  expect(answer.status).toBe(200)
  await answer.text()
  return performance.now() - requestedAt
}

/** Another network each time, so that limits are not all that is seen. */
export function fromElsewhere(): Record<string, string> {
  networks++
  const groups = [0xdb8 + (networks >>> 16), networks & 0xffff].map((each) => each.toString(16))
  return { 'X-Forwarded-For': `2001:${groups.join(':')}::1` }
}
