import { afterAll, beforeAll, expect, test } from 'bun:test'
import { accountByEmail } from '../../src/users/find-account.ts'
import { startSession } from '../../src/users/sign-in/session.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type DashboardRig, startDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { dashboardOperations } from './dashboard-operations.ts'
import { type DashboardRequestCase, dashboardRequests } from './dashboard-requests.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

// Whatever JSON stands in a field of the dashboard's own API, and whatever text in a path or query of it: an answer in the
// envelope, and never a fault of ours.

let rig: DashboardRig
let userId: number
let fields: Record<string, string>

beforeAll(startWithUsers)

afterAll(() => rig.stop())

test('no value of any field, path or query of the dashboard causes a server error', async () => {
  const requests = dashboardRequests(dashboardOperations(), fields)
  expect(fieldsOf(requests)).toMatchObject({
    'POST /links/hello/qr': expect.arrayContaining(['modules', 'color', 'logo', 'text']),
    'PUT /workspace/settings': expect.arrayContaining(['utm_templates', 'qr_style', 'brand_colors']),
    'POST /bulk-shorten': expect.arrayContaining(['links']),
    'POST /links/bulk-update': expect.arrayContaining(['short_codes', 'set', 'dry_run']),
    'POST /links/bulk-delete': expect.arrayContaining(['short_codes', 'dry_run']),
    [`PUT /tags/${fields.id}`]: expect.arrayContaining(['name', 'color']),
    [`POST /tags/${fields.id}/merge`]: ['into'],
    'POST /links/check': ['links'],
    'PUT /links/hello': ['seen_version'],
  })
  const statuses = new Map<number, number>()
  const faults: string[] = []
  for (let start = 0; start < requests.length; start += AT_ONCE) {
    // Some generated values are valid passwords, and a change of password ends all sessions.
    const session = startSession({ db: rig.store.db, clock: systemClock }, { userId, device: '' })
    const answers = requests.slice(start, start + AT_ONCE).map(async (request) => {
      const { status, text } = await ask(request, session)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (!isInOrder(status, text)) faults.push(`${shown(request)} → ${status} ${text.slice(0, 200)}`)
    })
    await Promise.all(answers)
  }
  expect(faults.slice(0, 20)).toEqual([])
  for (const status of [200, 201, 400, 404, 422]) expect([...statuses.keys()]).toContain(status)
  expect([...statuses.keys()]).not.toContain(401)
}, 600_000)

async function startWithUsers(): Promise<void> {
  rig = await startDashboardRig()
  const operator = await rig.user()
  const victim = await rig.user()
  userId = (await accountByEmail(rig.store.db, operator.email)).userId
  const { userId: id } = await accountByEmail(rig.store.db, victim.email)
  // With a second factor, so that codes are looked at.
  await rig.store.db
    .updateTable('users')
    .set({ totp_secret: 'A'.repeat(32), totp_enabled_at: 1 })
    .where('email', '=', victim.email)
    .execute()
  fields = {
    email: JSON.stringify(victim.email),
    password: JSON.stringify(PASSWORD),
    new_password: '"an altogether other horse"',
    name: '"A name"',
    id: String(id),
    short_code: 'hello',
    host: 'example.org',
    code: 'hello',
    original_url: '"https://example.com/"',
    short_codes: '["bulk"]',
    set: '{"is_active":true}',
  }
  for (const code of ['hello', 'bulk'])
    await operator.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: code,
    })
  // One ID is that of an account and of a tag.
  for (let tag = 1; tag <= id; tag++)
    expect(await operator.browser.succeed('POST', '/tags', { name: `Tag ${tag}` })).toMatchObject({ id: tag })
}

/** The fields of each endpoint that have odd values. */
function fieldsOf(requests: readonly DashboardRequestCase[]): Record<string, string[]> {
  const fields = requests.flatMap(({ method, path, field = [] }) =>
    [field].flat().map((name) => ({ endpoint: `${method} ${path}`, name })),
  )
  return Object.fromEntries(
    [...Map.groupBy(fields, ({ endpoint }) => endpoint)].map(([endpoint, named]) => [
      endpoint,
      [...new Set(named.map(({ name }) => name))],
    ]),
  )
}

/** The password queue is bounded. */
const AT_ONCE = 16

/** From another network each time, so that limits are not all that is seen. */
async function ask(
  { method, path, body }: DashboardRequestCase,
  session: Promise<string>,
): Promise<{ status: number; text: string }> {
  const browser = rig.browser()
  browser.cookies.set('session', await session)
  const response = await documentedFetch(`${rig.url}/dashboard/api${path}`, {
    method,
    headers: {
      ...(browser.headers() as Record<string, string>),
      'X-Forwarded-For': `2001:db8:${(++networks).toString(16)}::1`,
      'Sec-Fetch-Site': 'same-origin',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body ?? null,
  })
  return { status: response.status, text: await response.text() }
}

let networks = 0

function isInOrder(status: number, text: string): boolean {
  if (status >= 500) return false
  try {
    const answer = JSON.parse(text)
    return typeof answer.message === 'string' && answer.success === status < 400
  } catch {
    return false
  }
}

const shown = ({ method, path, body = '' }: DashboardRequestCase) =>
  `${method} ${path.slice(0, 80)} ${body.length > 200 ? `${body.slice(0, 200)}… (${body.length})` : body}`
