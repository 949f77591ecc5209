import { beforeAll, describe, expect, test } from 'bun:test'
import {
  type Action,
  actionsOf,
  MEMBER_ROLES,
  type MemberRole,
  SCOPES,
} from '../../src/access/roles-and-scopes.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import type { Endpoint } from '../../src/http/dispatch/endpoint.ts'
import { ENDPOINTS as ALL_ENDPOINTS } from '../../src/http/endpoints/all-endpoints.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type TestUser } from '../rigs/service/dashboard-rig.ts'
import { useTeamOfRoles } from '../rigs/service/team-of-roles.ts'
import { ENDPOINTS, refusal } from '../specification/contract-rig.ts'
import { API_NEEDS, DASHBOARD_NEEDS, ONLY_FOR_KEYS, SESSION_NEEDS } from './permission-table.data.ts'

// Generated from the table: each endpoint, as each role, in the own workspace and in one of others.
const OWN = placesIn(DASHBOARD_NEEDS)
const KEYED = placesIn(API_NEEDS).filter(({ need }) => need !== 'public')

const team = useTeamOfRoles()

test('every endpoint is in the table, with the permission that it is declared with', () => {
  const listed = (places: EndpointCase[]) => places.map(({ name, need }) => `${name}: ${need}`).sort()
  const endpoints: readonly Endpoint[] = ALL_ENDPOINTS
  const inDashboardOnly = endpoints.filter(({ who }) => who === 'session' || who === 'anybody')
  expect(
    inDashboardOnly.map(({ method, path, role = 'anybody' }) => `${method} ${path}: ${role}`).sort(),
  ).toEqual(listed(OWN))
  expect(
    ENDPOINTS.map(({ method, path, who, scope = 'any key' }) => {
      const need = who === 'public' ? 'public' : scope
      return `${method.toUpperCase()} ${path}: ${need}`
    }).sort(),
  ).toEqual(listed(placesIn(API_NEEDS)))
  const inBoth = endpoints.filter(({ who, role }) => who === 'both' && role !== undefined)
  expect(Object.fromEntries(inBoth.map(({ method, path, role }) => [`${method} ${path}`, role]))).toEqual(
    SESSION_NEEDS,
  )
})

/** Exports are read to their end by the rig; bodies are empty, so what is allowed is refused for its values at most. */
const ask = (user: TestUser, { method, path }: Pick<EndpointCase, 'method' | 'path'>, workspace: number) =>
  user.browser.request(method, path, method === 'GET' ? undefined : {}, { 'X-Workspace': `${workspace}` })

const askWith = (key: string, { method, path }: Pick<EndpointCase, 'method' | 'path'>) =>
  rig.call(method, path, { key, ...(method === 'GET' ? {} : { body: {} }) })

/** Where the dashboard has an endpoint of its own instead, that one is asked. */
const SHARED = KEYED.filter(({ name }) => !ONLY_FOR_KEYS.includes(name))
  .map(inDashboard)
  .filter(({ name }) => OWN.every((own) => own.name !== name))

const IN_WORKSPACE = OWN.filter(({ need }) => need !== 'anybody')

describe.each([...MEMBER_ROLES])('as %s', (role) => {
  test.each([...IN_WORKSPACE, ...SHARED].map((place) => [place.name, place] as const))(
    '%s',
    async (name, place) => {
      const asked = { ...place, path: filled(place.path, 'missing') }
      const elsewhere = await ask(team.members[role], asked, team.foreignId)
      expect([elsewhere.status, elsewhere.body]).toEqual([404, NO_WORKSPACE])
      if (NOT_ASKED.test(name)) return
      const { status, body } = await ask(team.members[role], asked, team.workspaceId)
      if (isAllowed(role, place.need)) {
        expect([name, status, body?.message]).not.toEqual([name, 403, ROLE_MISSING.message])
        expect([name, body?.message]).not.toEqual([name, 'Endpoint not found.'])
        expect([401, 405]).not.toContain(status)
        expect(status).toBeLessThan(500)
      } else {
        const expected = place.need === 'operator' ? NO_OPERATOR : ROLE_MISSING
        expect([status, body]).toEqual([403, expected])
      }
    },
  )

  test.each(KEYED.map((place) => [place.name, place] as const))(
    '%s with a key of all scopes',
    async (_, { method, path, need }) => {
      const asked = { method, path: filled(path, 'missing') }
      const { status, body } = await askWith(team.members[role].key, asked)
      if (isAllowed(role, need)) {
        expect([401, 403]).not.toContain(status)
        expect(status).toBeLessThan(500)
      } else {
        const sentence = `Insufficient permissions: the role of the user who made this key does not allow ${need}.`
        expect([status, body]).toEqual([403, refusal('role_insufficient', sentence)])
      }
    },
  )
})

describe('with a key that is published', () => {
  const keys = { creating: '', everything: '' }
  beforeAll(async () => {
    const deps = { db: rig.store.db, clock: systemClock, baseUrl: rig.config.baseUrl }
    const { userId } = team.members.owner
    const maker = { userId, workspaceId: team.workspaceId }
    const issue = async (scopes: string[], restrictions: object) =>
      (await issueKey(deps, maker, { name: 'Public', scopes, rateLimit: 100_000, restrictions })).key
    keys.creating = await issue(['links:create'], { code_prefix: 'shop-' })
    keys.everything = await issue([...SCOPES], { origins: ['https://shop.example'] })
  })

  test.each(KEYED.map((place) => [place.name, place] as const))('%s', async (_, { method, path, need }) => {
    const asked = { method, path: filled(path, 'missing') }
    const creating = await askWith(keys.creating, asked)
    const everything = await askWith(keys.everything, asked)
    if (need === 'any key')
      for (const { status, body } of [creating, everything]) expect([status, body]).toEqual([403, RESTRICTED])
    else {
      if (need === 'links:create') expect(creating.status).toBe(422)
      else expect([creating.status, creating.body]).toEqual([403, lacks(need)])
      expect([401, 403]).not.toContain(everything.status)
    }
  })
})

test('without a session the dashboard has nothing that needs one', async () => {
  for (const { name, method, path, need } of [...OWN, ...SHARED]) {
    if (need === 'anybody') continue
    const body = method === 'GET' ? undefined : {}
    const { status } = await rig.browser().request(method, filled(path, 'missing'), body)
    expect([name, status]).toEqual([name, 401])
  }
})

test('what only keys can ask for is not in the dashboard', async () => {
  for (const place of KEYED.filter(({ name }) => ONLY_FOR_KEYS.includes(name)).map(inDashboard)) {
    const asked = { ...place, path: filled(place.path, 'missing') }
    const { status, body } = await ask(team.members.owner, asked, team.workspaceId)
    expect([place.name, [404, 405].includes(status), body.message]).toEqual([
      place.name,
      true,
      status === 404 ? 'Endpoint not found.' : expect.any(String),
    ])
  }
})

/** Without the name of what was asked for. */
const neutral = (body: unknown, path: string) =>
  path
    .split('/')
    .reduce((text, part) => (part === '' ? text : text.replaceAll(part, '…')), JSON.stringify(body))

test.each([...MEMBER_ROLES])(
  'what is of another workspace is answered to its %s as if it did not exist, in the dashboard and with a key',
  async (role) => {
    const isNamed = ({ path }: EndpointCase) => /\{(id|short_code|host)\}/.test(path)
    const compare = async (place: EndpointCase, call: (path: string) => ReturnType<typeof ask>) => {
      const [missing, foreign] = [filled(place.path, 'missing'), filled(place.path, 'foreign')]
      const [expected, answered] = [await call(missing), await call(foreign)]
      expect([place.name, answered.status, neutral(answered.body, foreign)]).toEqual([
        place.name,
        expected.status,
        neutral(expected.body, missing),
      ])
      const statuses = isAllowed(role, place.need) ? [404, 422] : [403]
      expect([place.name, statuses.includes(expected.status)]).toEqual([place.name, true])
    }
    const named = [...OWN, ...SHARED].filter((place) => isNamed(place) && place.need !== 'operator')
    expect(named.length).toBeGreaterThan(30)
    for (const place of named)
      await compare(place, (path) => ask(team.members[role], { ...place, path }, team.workspaceId))
    for (const place of KEYED.filter(isNamed))
      await compare(place, (path) => askWith(team.members[role].key, { ...place, path }))
    const { browser, key } = team.stranger
    // Nothing of it was touched.
    expect((await rig.call('GET', '/api/links/foreign', { key })).status).toBe(200)
    expect((await rig.call('GET', '/api/domains/foreign.example', { key })).status).toBe(200)
    for (const path of ['/views', '/members/invitations', '/trash', '/tags', '/folders'])
      expect(await browser.succeed('GET', path)).toHaveLength(1)
  },
)

const NO_OPERATOR = refusal('operator_required', 'Only operators can do this.')
const NO_WORKSPACE = refusal('workspace_not_found', 'Workspace not found.')

const RESTRICTED = refusal(
  'api_key_restricted',
  'Insufficient permissions: a key with restrictions cannot do this.',
)

const ROLE_MISSING = refusal(
  'role_insufficient',
  'Insufficient permissions: your role in this workspace does not allow it.',
)

function placesIn(needs: Partial<Record<string, readonly string[]>>): EndpointCase[] {
  return Object.entries(needs).flatMap(([need, names = []]) =>
    names.map((name) => {
      const [method = '', path = ''] = name.split(' ')
      return { name, method, path, need }
    }),
  )
}

function inDashboard({ name, path, ...place }: EndpointCase): EndpointCase {
  const own = name.replace('/api', '')
  return { ...place, name: own, path: path.replace('/api', ''), need: SESSION_NEEDS[own] ?? place.need }
}

/** They end the session or the membership that the next request needs, or never end: each has a test of its own. */
const NOT_ASKED = /^(DELETE \/sessions?|POST \/workspace\/leave|GET \/live)$/

/** In any role. */
const OF_ANYBODY = ['signed-in', 'verified', 'member', 'any key']

const { rig, filled } = team

type EndpointCase = { name: string; method: string; path: string; need: string }
const lacks = (scope: string) =>
  refusal('scope_missing', `Insufficient permissions: this key lacks the scope ${scope}.`)

const isAllowed = (role: MemberRole, need: string) =>
  OF_ANYBODY.includes(need) || actionsOf(role).includes(need as Action)
