import { beforeAll, describe, expect, test } from 'bun:test'
import { actionsOf, MEMBER_ROLES, type MemberRole, SCOPES } from '../../src/access/roles-and-scopes.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Access, DASHBOARD_API } from '../../src/http/dashboard-api/dashboard-endpoint.ts'
import { type DashboardApiDeps, ownEndpointsOf } from '../../src/http/dashboard-api/own-endpoints.ts'
import { UserLimits } from '../../src/http/dashboard-api/user-limits.ts'
import { operatorIn, COMMAND_LINE } from '../../src/access/caller.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { accountByEmail } from '../../src/users/find-account.ts'
import { type TestUser, useDashboardRig } from '../rigs/dashboard-rig.ts'
import { ENDPOINTS, refusal } from '../specification/contract-rig.ts'

// Generated from the endpoints and the one table of permissions: each endpoint, as each role, in the own workspace and in one of
// others.

type Place = { method: string; path: string; access: Access }

/** For their paths and access; their handlers are not called. */
const OWN: Place[] = ownEndpointsOf(
  { config: readConfig({}), store: {}, destinationRules: {} } as unknown as DashboardApiDeps,
  new UserLimits(systemClock, { add() {} }),
).map(({ method, path, access }) => ({ method, path: path.slice(DASHBOARD_API.length), access }))
const KEYED = ENDPOINTS.flatMap((one) => (one.access === 'key' ? [one] : []))
const IN_WORKSPACE = OWN.filter(({ access }) => access !== 'anybody')

const ROLE_MISSING = refusal('Insufficient permissions: your role in this workspace does not allow it.')
const NO_OPERATOR = refusal('Only operators can do this.')
const NO_WORKSPACE = refusal('Workspace not found.')

/** They end the session or the membership that the next request needs, or never end: each has a test of its own. */
const NOT_ASKED = /^(DELETE \/sessions?|POST \/workspace\/leave|GET \/live)$/
const NOBODY = 4_000_000
const NO_CODE = 'no-such-code'

const rig = useDashboardRig()
let owner: TestUser
let stranger: TestUser
let workspaceId: number
let foreignId: number
let foreignKey: { id: number; key: string }
const ids: Record<string, number> = {}
const members = {} as Record<MemberRole, TestUser & { key: string }>

beforeAll(async () => {
  await rig.user()
  owner = await rig.user()
  stranger = await rig.user()
  workspaceId = (await accountByEmail(rig.store.db, owner.email)).workspaceId
  foreignId = (await accountByEmail(rig.store.db, stranger.email)).workspaceId
  for (const role of MEMBER_ROLES) members[role] = await memberWithKey(role)
  await makeForeignThings()
})

/** The key has all scopes: only the role can hold it back. */
async function memberWithKey(role: MemberRole): Promise<TestUser & { key: string }> {
  const member = await rig.user()
  const { db } = rig.store
  const { userId } = await accountByEmail(db, member.email)
  await db
    .insertInto('members')
    .values({ workspace_id: workspaceId, user_id: userId, role, joined_at: 1 })
    .execute()
  const caller = operatorIn(workspaceId, { ...COMMAND_LINE, userId })
  const { key } = await issueKey({ db, clock: systemClock, baseUrl: rig.config.baseUrl }, caller, {
    ...{ name: role, scopes: [...SCOPES], rateLimit: 100_000 },
  })
  return { ...member, key }
}

async function makeForeignThings(): Promise<void> {
  const { browser } = stranger
  const link = (code: string) => ({ original_url: 'https://example.com/', custom_code: code })
  ids['links'] = (await browser.succeed('POST', '/links', link('foreign'))).id
  ids['trash'] = (await browser.succeed('POST', '/links', link('foreign-deleted'))).id
  await browser.succeed('DELETE', '/links/foreign-deleted')
  ids['tags'] = (await browser.succeed('POST', '/tags', { name: 'Foreign' })).id
  ids['folders'] = (await browser.succeed('POST', '/folders', { name: 'Foreign' })).id
  ids['views'] = (await browser.succeed('POST', '/views', { name: 'Foreign', query: '' })).id
  foreignKey = await browser.succeed('POST', '/keys', { name: 'Foreign', scopes: ['links:read'] })
  ids['keys'] = foreignKey.id
  await browser.succeed('POST', '/members/invitations', { emails: ['f@example.com'], role: 'viewer' })
  ids['invitations'] = (await browser.succeed('GET', '/members/invitations'))[0].id
  ids['members'] = (await accountByEmail(rig.store.db, stranger.email)).userId
  ids['sessions'] = (await browser.succeed('GET', '/sessions'))[0].id
  ids['workspaces'] = foreignId
}

/** The path with nothing that is there, or with what is there in the other workspace. */
function filled(path: string, what: 'missing' | 'foreign'): string {
  const code = what === 'missing' ? NO_CODE : path.includes('/restore') ? 'foreign-deleted' : 'foreign'
  const kind = path.includes('/invitations/') ? 'invitations' : (path.split('/')[1] ?? '')
  const id = what === 'missing' ? NOBODY : (ids[kind] ?? NOBODY)
  return path
    .replace(/\{(short_code|code)\}/, code)
    .replace('{id}', String(id))
    .replace('{version}', '1')
    .replace('{host}', 'nobody.example')
}

const nameOf = ({ method, path }: Pick<Place, 'method' | 'path'>) => `${method} ${path}`
/** Exports are read to their end by the rig; bodies are empty, so what is allowed is refused for its values at most. */
const ask = (user: TestUser, { method, path }: Pick<Place, 'method' | 'path'>, workspace: number) =>
  user.browser.request(method, path, method === 'GET' ? undefined : {}, { 'X-Workspace': `${workspace}` })

describe.each([...MEMBER_ROLES])('as %s', (role) => {
  const isAllowed = (access: Access) =>
    access === 'signed-in' ||
    access === 'verified' ||
    access === 'member' ||
    (actionsOf(role) as Access[]).includes(access)

  test.each(IN_WORKSPACE.map((place) => [nameOf(place), place] as const))('%s', async (name, place) => {
    const path = filled(place.path, 'missing')
    const elsewhere = await ask(members[role], { ...place, path }, foreignId)
    expect([elsewhere.status, elsewhere.body]).toEqual([404, NO_WORKSPACE])
    if (NOT_ASKED.test(name)) return
    const { status, body } = await ask(members[role], { ...place, path }, workspaceId)
    if (isAllowed(place.access)) {
      expect([name, status, body?.message]).not.toEqual([name, 403, ROLE_MISSING.message])
      expect(status).not.toBe(401)
      expect(status).toBeLessThan(500)
    } else {
      const expected = place.access === 'operator' ? NO_OPERATOR : ROLE_MISSING
      expect([status, body]).toEqual([403, expected])
    }
  })

  test.each(KEYED.map((one) => [`${one.method.toUpperCase()} ${one.path}`, one] as const))(
    '%s with a key of all scopes',
    async (_, { method, path, scope }) => {
      const { key } = members[role]
      const isGet = method === 'get'
      const { status, body } = await rig.call(
        method.toUpperCase(),
        filled(path.slice(4), 'missing').replace(/^/, '/api'),
        {
          key,
          ...(isGet ? {} : { body: {} }),
        },
      )
      if (scope === undefined || (actionsOf(role) as string[]).includes(scope)) {
        expect([401, 403]).not.toContain(status)
        expect(status).toBeLessThan(500)
      } else {
        const missing = `Insufficient permissions: this key lacks the scope ${scope}.`
        expect([status, body]).toEqual([403, refusal(missing)])
      }
    },
  )
})

test('an endpoint that the dashboard shares with the API asks for the role too', async () => {
  const shared = KEYED.map(({ method, path, scope }) => ({
    ...{ method: method.toUpperCase(), path: filled(path.slice(4), 'missing'), scope },
  })).filter(
    ({ method, path }) =>
      !IN_WORKSPACE.some((own) => own.method === method && filled(own.path, 'missing') === path),
  )
  let asked = 0
  for (const { scope, ...place } of shared) {
    const { status, body } = await ask(members.viewer, place, workspaceId)
    // Some are for keys only.
    if (body?.message === 'Endpoint not found.' || status === 405) continue
    asked++
    const isAllowed = scope === undefined || (actionsOf('viewer') as string[]).includes(scope)
    if (isAllowed) expect([nameOf(place), status]).not.toEqual([nameOf(place), 403])
    else expect([nameOf(place), status, body]).toEqual([nameOf(place), 403, ROLE_MISSING])
    const elsewhere = await ask(members.owner, place, foreignId)
    expect([nameOf(place), elsewhere.body]).toEqual([nameOf(place), NO_WORKSPACE])
  }
  expect(asked).toBeGreaterThan(20)
})

/** Without the name of what was asked for. */
const neutral = (body: unknown, path: string) =>
  path
    .split('/')
    .reduce((text, part) => (part === '' ? text : text.replaceAll(part, '…')), JSON.stringify(body))

test('what is of another workspace is answered as if it did not exist, in the dashboard and with a key', async () => {
  const named = (path: string) => /\{(id|short_code)\}/.test(path)
  const inDashboard = OWN.filter(({ path, access }) => named(path) && access !== 'operator')
  expect(inDashboard.length).toBeGreaterThan(10)
  for (const place of inDashboard) {
    const [missing, foreign] = [filled(place.path, 'missing'), filled(place.path, 'foreign')]
    const expected = await ask(owner, { ...place, path: missing }, workspaceId)
    const answered = await ask(owner, { ...place, path: foreign }, workspaceId)
    expect([foreign, answered.status, neutral(answered.body, foreign)]).toEqual([
      ...[foreign, expected.status, neutral(expected.body, missing)],
    ])
    expect([foreign, [404, 422].includes(expected.status)]).toEqual([foreign, true])
  }
  for (const { method, path } of KEYED.filter((one) => named(one.path))) {
    const call = (what: 'missing' | 'foreign') =>
      rig.call(method.toUpperCase(), `/api${filled(path.slice(4), what)}`, {
        key: members.owner.key,
        ...(method === 'get' ? {} : { body: {} }),
      })
    const [expected, answered] = [await call('missing'), await call('foreign')]
    expect([path, answered.status, neutral(answered.body, filled(path, 'foreign'))]).toEqual([
      ...[path, expected.status, neutral(expected.body, filled(path, 'missing'))],
    ])
    expect([path, [404, 422].includes(expected.status)]).toEqual([path, true])
  }
  // Nothing of it was touched.
  expect((await rig.call('GET', '/api/links/foreign', { key: foreignKey.key })).status).toBe(200)
  expect(await stranger.browser.succeed('GET', '/views')).toHaveLength(1)
  expect(await stranger.browser.succeed('GET', '/members/invitations')).toHaveLength(1)
})
