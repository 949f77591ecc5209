import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { revokeKey } from '../../src/api-keys/find-key.ts'
import { hashKey, makeKey, MASKED_KEY } from '../../src/api-keys/key-format.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type TestAnswer, useCaller, useOwnServiceRig } from '../rigs/service/service-rig.ts'

// T12, T13, T30: what a key allows, where it may be sent, and what clients without one learn.

const rig = useOwnServiceRig()
const caller = useCaller(rig)

beforeAll(async () => {
  const body = { original_url: 'https://example.com/a?b=c', custom_code: 'hello' }
  await rig.call('POST', '/api/links', { key: caller.key, body })
})

describe('a key that is not valid', () => {
  test('gets the same response and headers, whatever is wrong with it', async () => {
    const bad = [
      makeKey(),
      badChecksum(),
      caller.key.slice(0, -1),
      `${caller.key}a`,
      caller.key.toUpperCase(),
      await revoked(),
      'x',
      'tern_',
      MASKED_KEY,
      `${caller.key}, ${caller.key}`,
      '',
      'x'.repeat(8_000),
    ]
    const answers = await Promise.all(bad.map((key) => get('/api/account', { 'X-API-Key': key })))
    const [first] = answers
    expect(first!.status).toBe(401)
    expect(first!.body).toEqual({
      success: false,
      code: 'api_key_invalid',
      message: 'The API key is not valid.',
      errors: {},
    })
    for (const answer of answers) expect(seen(answer)).toEqual(seen(first!))
    const bearers = await Promise.all(
      bad.map((key) => get('/api/account', { Authorization: `Bearer ${key}` })),
    )
    for (const answer of bearers) expect(seen(answer)).toEqual(seen(first!))
    const queries = await Promise.all(
      bad.map((key) => get(`/api/account?api_key=${encodeURIComponent(key)}`)),
    )
    for (const answer of queries) expect(seen(answer)).toEqual(seen(first!))
  })

  test('reveals nothing about which paths exist', async () => {
    const paths = [
      '/api',
      '/api/',
      '/api/links',
      '/api/nothing',
      '/api/links/hello',
      '/api/account/api-keys',
      '/api/links/%ff',
    ]
    const answers = await Promise.all(paths.map((path) => get(path, { 'X-API-Key': makeKey() })))
    for (const answer of answers) expect(seen(answer)).toEqual(seen(answers[0]!))
  })

  const revoked = async () => {
    const { key, keyId } = await rig.makeCaller()
    expect((await get('/api/account', { 'X-API-Key': key })).status).toBe(200)
    await revokeKey(deps(), keyId)
    return key
  }

  const badChecksum = () => caller.key.slice(0, -1) + (caller.key.endsWith('a') ? 'b' : 'a')
})

describe('a valid key', () => {
  test('is never in a response', async () => {
    const secret = caller.key.slice(5, 37)
    const paths = [
      '/api/account',
      '/api/account/api-keys',
      '/api/links',
      '/api/nothing',
      '/api/links/nobody',
      '/nobody',
      '/',
      '/qr/nobody',
      '/no/thing',
    ]
    for (const path of paths) {
      for (const headers of [{}, { Accept: 'text/html' }]) {
        const { text, headers: answered } = await get(
          `${path}?api_key=${caller.key}`,
          headers as Record<string, string>,
        )
        expect(text + JSON.stringify([...answered])).not.toContain(secret)
      }
    }
    const listed = await get('/api/account/api-keys', { 'X-API-Key': caller.key })
    expect(listed.body.data.map(({ key }: { key: string }) => key)).toEqual([MASKED_KEY])
    expect(JSON.stringify(listed.body)).toContain(caller.key.slice(-4))
    expect(JSON.stringify(listed.body)).not.toContain(caller.key.slice(-5))
  })

  test('in the query is not passed on', async () => {
    const redirect = await get(`/hello?api_key=${caller.key}`)
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, 'https://example.com/a?b=c'])
    const inApi = await get(`/api/links?api_key=${caller.key}`)
    expect(inApi.headers.get('referrer-policy')).toBe('no-referrer')
    expect(inApi.headers.get('cache-control')).toBe('no-store')
  })

  test('is stored only as a hash', async () => {
    const row = await rowOf(caller.keyId)
    expect(row.key_hash).toBe(hashKey(caller.key))
    expect(JSON.stringify(row)).not.toContain(caller.key.slice(5, 20))
    await get(`/hello?api_key=${caller.key}`, { 'User-Agent': 'x', 'X-API-Key': caller.key })
    const { dataDir } = rig.config
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const holders = files.filter(({ parentPath, name }) =>
      readFileSync(join(parentPath, name)).includes(caller.key.slice(5, 37)),
    )
    expect(holders.map(({ name }) => name)).toEqual([])
    expect(files.length).toBeGreaterThan(1)
  })

  test('cannot create, change or revoke keys', async () => {
    const { length: before } = (await get('/api/account/api-keys', { 'X-API-Key': caller.key })).body.data
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/api/account/api-keys', `/api/account/api-keys/${caller.keyId}`, '/api/account']) {
        const { status } = await rig.call(method, path, {
          key: caller.key,
          body: { name: 'x', scopes: [], is_active: false },
        })
        expect([404, 405]).toContain(status)
      }
    }
    expect((await get('/api/account/api-keys', { 'X-API-Key': caller.key })).body.data).toHaveLength(before)
  })
})

describe('many keys', () => {
  test('are counted separately, and a revoked one keeps its usage', async () => {
    const owner = await rig.makeCaller({ rateLimit: 2 })
    const ask = () => get('/api/account', { 'X-API-Key': owner.key })
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429])
    await revokeKey(deps(), owner.keyId)
    expect((await ask()).status).toBe(401)
    expect((await rowOf(owner.keyId)).window_requests).toBe(2)
  })
})

const get = (path: string, headers: Record<string, string> = {}) => rig.call('GET', path, { headers })
const deps = () => ({ db: rig.store.db, clock: systemClock, baseUrl: rig.config.baseUrl })
const rowOf = (keyId: number) =>
  rig.store.db.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirstOrThrow()

/** Everything that a client can see of an answer, but for what is different every time. */
const seen = ({ status, text, headers }: TestAnswer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
})
