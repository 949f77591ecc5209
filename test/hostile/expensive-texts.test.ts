import { afterAll, beforeAll, expect, test } from 'bun:test'
import openApi from '../../docs/openapi.json'
import { accountByEmail } from '../../src/users/find-account.ts'
import { startSession } from '../../src/users/sign-in/session.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type DashboardRig, startDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { dashboardOperations } from './dashboard-operations.ts'
import { type Described, type ExpensiveRequest, expensiveRequests } from './expensive-requests.ts'
import { fromElsewhere, waitsDuring } from './health-probe.ts'
import { EXPENSIVE_TEXTS, PLAIN_TEXT } from './hostile-texts.data.ts'
import { operationsOf } from './operations.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

// Whatever text is in a field of the API or the dashboard, the API thread goes on serving others.
// Plain letters of the same size say what the machine does with that many bytes. What takes the square of the length takes minutes.

let rig: DashboardRig
let operatorId: number
let key: string
let described: Described
let plain: ExpensiveRequest[]

beforeAll(startWithUsers)

afterAll(() => rig.stop())

test('every field of the API and of the dashboard is sent', () => {
  const fields = described.operations.flatMap(({ method, path, body }) =>
    body.map(({ name }) => `${method} ${path} ${name}`),
  )
  expect(plain.map(({ place }) => place)).toEqual(expect.arrayContaining(fields))
  const places = plain.map(({ place }) => place)
  for (const place of ['rules.[].when.country.[]', 'rules.[].when.hours.timezone', 'tags.[]', 'utm.source'])
    expect(places).toContain(`POST /api/links ${place}`)
  expect(places).toContain('POST /api/links/bulk-update set.add_tags.[]')
  expect(places).toContain('PUT /api/workspace/settings utm_templates.[].name')
  expect(places).toContain('POST /dashboard/api/members/invitations emails.[]')
  expect(places).toContain('POST /locked, the header Origin')
  const passwords = plain.filter(({ body }) => body?.includes('"password":"aaaa'))
  expect(passwords.length).toBeGreaterThan(8)
  const whole = plain.filter(({ body = '' }) => Buffer.byteLength(body) > 1_030_000)
  expect(whole.length).toBeGreaterThan(40)
  for (const { body = '', place } of plain) expect([place, body.length <= 1_048_576]).toEqual([place, true])
})

test.each(EXPENSIVE_TEXTS.map((text, at) => [text.what, text, at] as const))(
  'the API serves others while it handles %s',
  async (_, text, at) => {
    const requests = expensiveRequests(text, described)
    expect(requests).toHaveLength(plain.length)
    const heldUp: string[] = []
    for (let index = at % PLACES_STEP; index < requests.length; index += PLACES_STEP) {
      const [request, same] = [requests[index]!, plain[index]!]
      const waits = await waitsDuring(
        rig.url,
        () => sendAdmitted(request),
        () => sendAdmitted(same),
      )
      if (waits !== undefined) heldUp.push(`${request.place}: ${waits}`)
    }
    expect(heldUp).toEqual([])
  },
  240_000,
)

async function startWithUsers(): Promise<void> {
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
    ofDashboard: dashboardOperations(),
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
}

/** Each text goes to every fourth place, and each place gets three or four texts. `EVERY_PLACE=1`: each to all, which takes four times as long. */
const PLACES_STEP = process.env.EVERY_PLACE ? 1 : 4

async function sendAdmitted(request: ExpensiveRequest): Promise<void> {
  const { status } = await send(request)
  expect({ ...request, body: '', status, isAdmitted: status !== 401 && status < 500 }).toMatchObject({
    isAdmitted: request.place !== 'the header X-API-Key',
  })
}

async function send({ caller, method, path, headers, body }: ExpensiveRequest): Promise<Response> {
  const own: Record<string, string> =
    caller === 'program' ? { 'X-API-Key': key } : { Cookie: `session=${await newSession()}` }
  const response = await documentedFetch(rig.url + path, {
    method,
    // A kept connection may be closed while a busy machine sends on it.
    keepalive: false,
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
