import { afterAll, beforeAll, expect, test } from 'bun:test'
import openApi from '../../docs/openapi.json'
import { accountByEmail } from '../../src/users/find-account.ts'
import { startSession } from '../../src/users/sign-in/session.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type DashboardRig, PASSWORD, startDashboardRig } from '../rigs/dashboard-rig.ts'
import { type Described, type ExpensiveRequest, expensiveRequests } from './expensive-requests.ts'
import { EXPENSIVE_TEXTS, PLAIN_TEXT } from './hostile-texts.data.ts'
import { operationsOf } from './operations.ts'

// Whatever text is in a field of the API or the dashboard, the API thread goes on serving others.
//
// How long others wait is judged so that load decides nothing: everything else on the machine can only add to a wait, so
// the shortest of some tries counts. If even that is above the limit, the same request with plain letters of the same
// size says what the machine does with that many bytes at the moment. What takes the square of the length takes minutes.

/** How long another caller may have to wait. */
const WAIT_MS = 250
/** Or this many times what they wait while plain letters are worked on. */
const TIMES_PLAIN = 5
const TRIES_MAX = 6
/** Then the thread is taken for blocked, and nothing is tried any more. */
const BLOCKED_MS = 10_000

let rig: DashboardRig
let operatorId: number
let key: string
let described: Described
let plain: ExpensiveRequest[]
let networks = 0
let blockedBy: string | undefined

beforeAll(async () => {
  rig = await startDashboardRig({ SIGNUP: 'open' })
  const operator = await rig.user()
  const other = await rig.user()
  operatorId = (await accountByEmail(rig.store.db, operator.email)).userId
  // With a second factor, so that codes are checked and a valid password signs nobody in.
  await rig.store.db
    .updateTable('users')
    .set({ totp_secret: 'A'.repeat(32), totp_enabled_at: 1 })
    .where('email', '=', other.email)
    .execute()
  key = (await rig.makeCaller()).key
  await rig.call('POST', '/api/links', {
    key,
    body: { original_url: 'https://example.com/', custom_code: 'hello' },
  })
  await rig.call('POST', '/api/links', {
    key,
    body: { original_url: 'https://example.com/', custom_code: 'locked', password: PASSWORD },
  })
  described = {
    operations: operationsOf(openApi),
    dashboardDocument: await Bun.file('docs/dashboard-api.md').text(),
    good: {
      email: JSON.stringify(other.email),
      password: JSON.stringify(PASSWORD),
      name: '"A name"',
      id: String((await accountByEmail(rig.store.db, other.email)).userId),
      short_code: 'hello',
      host: 'example.org',
      code: 'hello',
    },
  }
  plain = expensiveRequests(PLAIN_TEXT, described)
}, 30_000)

afterAll(() => rig.stop())

test('every field of the API and of the dashboard is sent', () => {
  const fields = described.operations.flatMap(({ method, path, body }) =>
    body.map(({ name }) => `${method} ${path} ${name}`),
  )
  expect(plain.map(({ place }) => place)).toEqual(expect.arrayContaining(fields))
  const places = plain.map(({ place }) => place)
  for (const place of ['rules.when.country', 'rules.when.hours.timezone', 'tags.0'])
    expect(places).toContain(`POST /api/links ${place}`)
  expect(places).toContain('POST /dashboard/api/members/invitations emails.0')
  expect(places).toContain('POST /locked, the header Origin')
  const passwords = plain.filter(({ body }) => body?.includes('"password":"aaaa'))
  expect(passwords.length).toBeGreaterThan(8)
  const whole = plain.filter(({ body = '' }) => Buffer.byteLength(body) > 1_030_000)
  expect(whole.length).toBeGreaterThan(40)
  for (const { body = '', place } of plain) expect([place, body.length <= 1_048_576]).toEqual([place, true])
})

test.each(EXPENSIVE_TEXTS.map((text) => [text.what, text] as const))(
  'the API serves others while it handles %s',
  async (_, text) => {
    const requests = expensiveRequests(text, described)
    expect(requests).toHaveLength(plain.length)
    const heldUp: string[] = []
    for (const [index, request] of requests.entries()) {
      const waits = await waitsDuring(request, plain[index]!)
      if (waits !== undefined) heldUp.push(`${request.place}: ${waits}`)
    }
    expect(heldUp).toEqual([])
  },
  60_000,
)

/** Undefined when others do not have to wait; otherwise how long they do. */
async function waitsDuring(request: ExpensiveRequest, same: ExpensiveRequest): Promise<string | undefined> {
  const least = { expensive: Infinity, plain: Infinity }
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    least.expensive = Math.min(least.expensive, await longestWait(request))
    if (least.expensive <= WAIT_MS) return undefined
    least.plain = Math.min(least.plain, await longestWait(same))
  }
  if (least.expensive <= TIMES_PLAIN * least.plain) return undefined
  return `${least.expensive.toFixed()} ms, and ${least.plain.toFixed()} ms with plain letters`
}

/** The longest that anybody waited for the health check while the request was under way. */
async function longestWait(request: ExpensiveRequest): Promise<number> {
  let isAnswered = false
  const answer = send(request).finally(() => (isAnswered = true))
  answer.catch(() => {}) // reported below, unless the thread is blocked
  let longest = 0
  while (!isAnswered) longest = Math.max(longest, await waitForHealth(request))
  const { status } = await answer
  expect({ ...request, body: '', status, isAdmitted: status !== 401 && status < 500 }).toMatchObject({
    isAdmitted: request.place !== 'the header X-API-Key',
  })
  return longest
}

async function waitForHealth({ place }: ExpensiveRequest): Promise<number> {
  if (blockedBy !== undefined) throw new Error(`The API thread is still blocked by ${blockedBy}.`)
  const askedAt = performance.now()
  const signal = AbortSignal.timeout(BLOCKED_MS)
  const answer = await fetch(`${rig.url}/api/health`, { headers: fromElsewhere(), signal }).catch((error) => {
    blockedBy = place
    throw new Error(`The API thread is blocked by ${place}.`, { cause: error })
  })
  expect(answer.status).toBe(200)
  await answer.text()
  return performance.now() - askedAt
}

async function send({ caller, method, path, headers, body }: ExpensiveRequest): Promise<Response> {
  const own: Record<string, string> =
    caller === 'program' ? { 'X-API-Key': key } : { Cookie: `session=${await newSession()}` }
  const response = await fetch(rig.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...own,
      ...fromElsewhere(),
      'Sec-Fetch-Site': 'same-origin',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body ?? null,
  })
  await response.text()
  return response
}

/** A new session each time, because some requests end theirs. */
const newSession = () =>
  startSession({ db: rig.store.db, clock: systemClock }, { userId: operatorId, device: '' })

/** Another network each time, so that limits are not all that is seen. */
const fromElsewhere = () => {
  networks++
  const groups = [0xdb8 + (networks >>> 16), networks & 0xffff].map((each) => each.toString(16))
  return { 'X-Forwarded-For': `2001:${groups.join(':')}::1` }
}
