import { beforeAll, describe, expect, test } from 'bun:test'
import { verifyEmail } from '../../src/users/sign-up/verify-email.ts'
import { revokeKey } from '../../src/api-keys/find-key.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import { countLinks, DESTINATION, makeLink, refusal, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const other = useCaller(rig)

beforeAll(makeScopedLink)

describe('a key', () => {
  test('is accepted in X-API-Key, as a bearer token and in the query', async () => {
    const { key, userId } = caller
    expect(await whoAmI({ 'X-API-Key': key })).toBe(userId)
    expect(await whoAmI({ Authorization: `Bearer ${key}` })).toBe(userId)
    expect(await whoAmI({ Authorization: `bearer  ${key}` })).toBe(userId)
    expect(await whoAmI({}, `?api_key=${key}`)).toBe(userId)
  })

  test('in X-API-Key comes before a bearer token, and both before the query', async () => {
    const mine = caller.key
    const theirs = other.key
    expect(await whoAmI({ 'X-API-Key': mine, Authorization: `Bearer ${theirs}` })).toBe(caller.userId)
    expect(await whoAmI({ 'X-API-Key': mine }, `?api_key=${theirs}`)).toBe(caller.userId)
    expect(await whoAmI({ Authorization: `Bearer ${mine}` }, `?api_key=${theirs}`)).toBe(caller.userId)
  })

  test('that is invalid in a header is refused even if a valid one follows', async () => {
    const { key } = caller
    expect(await whoAmI({ 'X-API-Key': 'bad', Authorization: `Bearer ${key}` }, `?api_key=${key}`)).toBe(401)
    expect(await whoAmI({ 'X-API-Key': '' }, `?api_key=${key}`)).toBe(401)
    expect(await whoAmI({ Authorization: 'Bearer bad' }, `?api_key=${key}`)).toBe(401)
    expect(await whoAmI({ Authorization: 'Basic dTpw' }, `?api_key=${key}`)).toBe(401)
    expect(await whoAmI({ Authorization: 'Bearer' }, `?api_key=${key}`)).toBe(401)
  })

  test.each(REQUESTS)('is required by %s %s', async (method, path, _scope, body) => {
    const answer = await rig.call(method, path, { body })
    expect(statusAndBody(answer)).toEqual(KEY_REQUIRED)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="api"')
  })

  test('that is revoked is refused with the very next request, and its account’s other keys are not', async () => {
    const { key, keyId, userId } = await rig.makeCaller()
    expect(await whoAmI({ 'X-API-Key': key })).toBe(userId)
    await revokeKey({ db: rig.store.db, clock: systemClock }, keyId)
    const before = await rig.store.db.selectFrom('links').selectAll().execute()
    const create = { key, body: { original_url: DESTINATION } }
    expect(statusAndBody(await rig.call('POST', '/api/links', create))).toEqual(KEY_INVALID)
    expect(await rig.store.db.selectFrom('links').selectAll().execute()).toEqual(before)
  })
})

describe('an unverified e-mail address', () => {
  let unverified: TestCaller

  beforeAll(async () => {
    unverified = await rig.makeCaller({ isVerified: false })
  })

  test('is refused only until it is verified', async () => {
    const { key, email } = unverified
    const create = () => rig.call('POST', '/api/links', { key, body: { original_url: DESTINATION } })
    expect(statusAndBody(await create())).toEqual(UNVERIFIED)
    await verifyEmail({ db: rig.store.db, clock: systemClock }, email)
    expect(await countLinks(rig, { key })).toBe(0)
    expect((await create()).status).toBe(201)
  })
})

describe('a scope', () => {
  const SCOPES = ['links:create', 'links:read', 'links:write', 'analytics:read']
  const includes = (held: string, needed: string) =>
    held === needed || (held === 'links:write' && needed === 'links:create')

  test.each(SCOPES)('%s allows what it names and nothing else', async (held) => {
    const { key } = await rig.makeCaller({ scopes: [held] })
    for (const [method, path, needed, body] of REQUESTS) {
      const answer = await rig.call(method, path, { key, body })
      if (needed === undefined || includes(held, needed)) {
        expect(answer.status, `${method} ${path}`).not.toBe(403)
      } else {
        const message = `Insufficient permissions: this key lacks the scope ${needed}.`
        expect(statusAndBody(answer)).toEqual({ status: 403, body: refusal('scope_missing', message) })
      }
    }
  })

  test('that is missing leaves everything unchanged', async () => {
    const account = await rig.makeCaller()
    const { svc_id: _, ...link } = await makeLink(rig, account)
    const key = await keyOf(account, ['links:read', 'analytics:read'])
    for (const [method, path] of REQUESTS.filter(([method]) => method !== 'GET')) {
      const own = path.replace('scoped', link.short_code)
      const body = { original_url: DESTINATION, title: 'Other', links: [{ original_url: DESTINATION }] }
      expect((await rig.call(method, own, { key, body })).status).toBe(403)
    }
    const { body } = await rig.call('GET', '/api/links', { key })
    expect(body.data).toEqual([link])
  })

  test('is not needed when none was chosen: such a key allows everything', async () => {
    const account = await rig.makeCaller({ scopes: [] })
    await makeLink(rig, account, { custom_code: 'scoped-all' })
    for (const [method, path, , body] of REQUESTS) {
      const answer = await rig.call(method, path.replace('scoped', 'scoped-all'), { key: account.key, body })
      expect([200, 201], `${method} ${path}`).toContain(answer.status)
    }
  })
})

const KEY_INVALID = { status: 401, body: refusal('api_key_invalid', 'The API key is not valid.') }

const UNVERIFIED = {
  status: 403,
  body: refusal('email_unverified', 'The email address of this account is not verified.'),
}

const KEY_REQUIRED = {
  status: 401,
  body: refusal('api_key_missing', 'An API key is required. Send it in the X-API-Key header.'),
}

async function makeScopedLink(): Promise<void> {
  await makeLink(rig, caller, { custom_code: 'scoped' })
}

/** A further key of an account. */
async function keyOf(account: TestCaller, scopes: string[]): Promise<string> {
  const { db } = rig.store
  return (
    await issueKey({ db, clock: systemClock, baseUrl: rig.config.baseUrl }, account, {
      name: 'Further key',
      scopes,
    })
  ).key
}

const REQUESTS: [method: string, path: string, scope: string | undefined, body: unknown][] = [
  ['POST', '/api/links', 'links:create', { original_url: DESTINATION }],
  ['POST', '/api/bulk-shorten', 'links:create', { links: [{ original_url: DESTINATION }] }],
  ['GET', '/api/links', 'links:read', undefined],
  ['GET', '/api/links/scoped', 'links:read', undefined],
  ['PUT', '/api/links/scoped', 'links:write', { title: 'Scoped' }],
  ['POST', '/api/links/scoped/toggle', 'links:write', undefined],
  ['GET', '/api/analytics/overview', 'analytics:read', undefined],
  ['GET', '/api/analytics/links/scoped', 'analytics:read', undefined],
  ['GET', '/api/analytics/clicks', 'analytics:read', undefined],
  ['GET', '/api/analytics/countries', 'analytics:read', undefined],
  ['GET', '/api/analytics/devices', 'analytics:read', undefined],
  ['GET', '/api/analytics/browsers', 'analytics:read', undefined],
  ['GET', '/api/workspace/settings', 'links:read', undefined],
  ['PUT', '/api/workspace/settings', 'workspace:write', { brand_colors: [] }],
  ['GET', '/api/account', undefined, undefined],
  ['GET', '/api/account/usage', undefined, undefined],
  ['GET', '/api/account/api-keys', undefined, undefined],
  ['DELETE', '/api/links/scoped', 'links:write', undefined],
]

const whoAmI = async (headers: Record<string, string>, query = '') => {
  const { status, body } = await rig.call('GET', `/api/account${query}`, { headers })
  return status === 200 ? body.data.user.id : status
}
