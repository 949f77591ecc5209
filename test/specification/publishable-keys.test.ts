import { beforeAll, describe, expect, test } from 'bun:test'
import type { KeyRestrictions } from '../../src/access/key-restrictions.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { useContractRig } from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const SHOP = 'https://shop.example'

/** Of those that it may not set, which the test of `restricted-links.ts` has all. */
const REFUSED = { password: 'secret', aliases: ['shop-other'], reuse_existing: true }

const rig = useContractRig()
const caller = useCaller(rig)

describe('a key with limits of its links', () => {
  let key: string
  beforeAll(async () => {
    key = await keyWith({ code_prefix: 'shop-', destination_hosts: ['shop.example'] })
  })

  test('creates links within them, and does nothing else', async () => {
    const { status, body } = await shorten(key)
    expect([status, body.data.original_url]).toEqual([201, DESTINATION.original_url])
    expect(body.data.short_code).toMatch(/^shop-\w{7}$/)
    const elsewhere = await shorten(key, { original_url: 'https://evil.example/', custom_code: 'mine' })
    expect([elsewhere.status, Object.keys(elsewhere.body.errors).sort()]).toEqual([
      422,
      ['custom_code', 'original_url'],
    ])
    const path = `/api/links/${body.data.short_code}`
    expect((await rig.call('GET', path, { key })).status).toBe(403)
    expect(
      (await rig.call('PUT', path, { key, body: { original_url: 'https://evil.example/' } })).status,
    ).toBe(403)
  })

  test.each(Object.entries(REFUSED))(
    'may not set %s, alone, in bulk or in a dry run',
    async (field, value) => {
      const link = { ...DESTINATION, [field]: value }
      const alone = await shorten(key, link)
      expect([alone.status, alone.body.errors]).toEqual([422, { [field]: [MAY_NOT_SET] }])
      for (const dry_run of [false, true]) {
        const { status, body } = await rig.call('POST', '/api/bulk-shorten', {
          key,
          body: { links: [DESTINATION, link], dry_run },
        })
        expect([status, body.errors]).toEqual([422, { [`links.1.${field}`]: [MAY_NOT_SET] }])
      }
    },
  )

  test('may set what a public form needs', async () => {
    const link = {
      ...DESTINATION,
      title: 'A product',
      custom_code: 'shop-allowed',
      utm: { source: 'form' },
      expires_at: '2199-01-01T00:00:00Z',
    }
    expect((await shorten(key, link)).status).toBe(201)
    expect((await shorten(key, { url: DESTINATION.original_url })).status).toBe(201)
  })

  test('neither answers nor learns of requests of another key with the same Idempotency-Key', async () => {
    const create = (by: string, body: object) => shorten(by, body, { 'Idempotency-Key': 'invoice-77' })
    const first = await create(key, DESTINATION)
    const trusted = await create(caller.key, { ...DESTINATION, password: 'Long secret of the owner' })
    expect([first.status, trusted.status, trusted.headers.get('idempotent-replayed')]).toEqual([
      201,
      201,
      null,
    ])
    expect(trusted.body.data.short_code).not.toBe(first.body.data.short_code)
    const another = await create(caller.key, { ...DESTINATION, password: 'Another' })
    expect(another.body.errors).toEqual({
      idempotency_key: ['The idempotency key has been used with another body.'],
    })
    const again = await create(key, DESTINATION)
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
  })

  test('is listed with them', async () => {
    const { body } = await rig.call('GET', '/api/account/api-keys', { key: caller.key })
    expect(body.data.map((each: { restrictions: unknown }) => each.restrictions)).toContainEqual({
      code_prefix: 'shop-',
      destination_hosts: ['shop.example'],
    })
  })
})

test('its number of links a day is exact, however many come at once; refused ones do not count', async () => {
  const key = await keyWith({ links_per_day: 12 })
  expect((await shorten(key, { original_url: 'no URL' })).status).toBe(422)
  const tried = await Promise.all(Array.from({ length: 30 }, () => shorten(key)))
  const statuses = tried.map(({ status }) => status)
  expect([201, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([12, 18])
  const { headers, body } = tried.find(({ status }) => status === 429)!
  expect(Number(headers.get('retry-after'))).toBeWithin(1, 86_401)
  expect(body.message).toBe('This API key may create 12 links a day (UTC), and has used them up.')
})

test('many at once are all created or none', async () => {
  const key = await keyWith({ links_per_day: 3 })
  const bulk = (count: number) =>
    rig.call('POST', '/api/bulk-shorten', {
      key,
      body: { links: Array.from({ length: count }, () => DESTINATION) },
    })
  expect((await bulk(4)).status).toBe(429)
  expect((await bulk(3)).status).toBe(201)
  expect((await bulk(1)).status).toBe(429)
})

describe('a key with origins', () => {
  let key: string
  beforeAll(async () => {
    key = await keyWith({ origins: [SHOP] })
  })
  const preflight = (origin: string) =>
    documentedFetch(`${rig.url}/api/links`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    })

  test('is used by pages of exactly those', async () => {
    const allowed = await preflight(SHOP)
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, SHOP])
    expect(allowed.headers.get('access-control-allow-headers')).toContain('X-API-Key')
    const { status, headers } = await shorten(key, DESTINATION, { Origin: SHOP })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([201, SHOP])
    expect(headers.get('vary')).toContain('Origin')
    for (const origin of [
      'https://evil.example',
      'https://shop.example.evil.example',
      'null',
      'https://shop',
      'origins',
    ]) {
      const other = await preflight(origin)
      expect([origin, other.headers.get('access-control-allow-origin')]).toEqual([origin, null])
      const refused = await shorten(key, DESTINATION, { Origin: origin })
      expect([origin, refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
        origin,
        403,
        null,
      ])
    }
  })

  test('is used by pages of an origin that was named with the usual port, which browsers leave out', async () => {
    const named = await keyWith({
      origins: ['https://shop.example:443', 'http://127.1:80', 'http://dev.example:8080'],
    })
    const { body } = await rig.call('GET', '/api/account/api-keys', { key: caller.key })
    const origins = [SHOP, 'http://127.0.0.1', 'http://dev.example:8080']
    expect(body.data.at(-1).restrictions).toEqual({ origins })
    for (const origin of origins) {
      expect((await shorten(named, DESTINATION, { Origin: origin })).status).toBe(201)
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  test('is used by programs, which send none; other keys are never opened to pages', async () => {
    expect((await shorten(key)).status).toBe(201)
    const { status, headers } = await shorten(caller.key, DESTINATION, { Origin: SHOP })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([201, null])
  })
})

test.each([
  [{ domain: 'https://go.example' }, 'restrictions.domain'],
  [{ domain: 'x'.repeat(1_000_000) }, 'restrictions.domain'],
  [{ code_prefix: '' }, 'restrictions.code_prefix'],
  [{ code_prefix: 'a/b' }, 'restrictions.code_prefix'],
  [{ destination_hosts: [] }, 'restrictions.destination_hosts'],
  [{ destination_hosts: ['ok.example', 'Not.Example'] }, 'restrictions.destination_hosts.1'],
  [{ destination_hosts: Array.from({ length: 21 }, () => 'a.example') }, 'restrictions.destination_hosts'],
  [{ links_per_day: 0 }, 'restrictions.links_per_day'],
  [{ links_per_day: 1.5 }, 'restrictions.links_per_day'],
  [{ origins: ['https://shop.example/'] }, 'restrictions.origins.0'],
  [{ origins: ['https://shop.example:99999'] }, 'restrictions.origins.0'],
  [{ origins: ['https://1.2.3.999'] }, 'restrictions.origins.0'],
  [{ origins: '*' }, 'restrictions.origins'],
  [{ prefix: 'shop-' }, 'restrictions.prefix'],
  [[], 'restrictions'],
])('restrictions that are none are refused: %j', async (restrictions, field) => {
  const refused = keyWith(restrictions as KeyRestrictions)
  expect(Object.keys((await refused.catch((error) => error)).fields)).toEqual([field])
})

test('a key that could change links has no limits of those that it creates', async () => {
  const refused = keyWith({ code_prefix: 'shop-' }, ['links:create', 'links:write'])
  expect((await refused.catch((error) => error)).fields).toEqual({
    restrictions: ['A key whose links are limited has the scope links:create and no other.'],
  })
  expect(await keyWith({ origins: [SHOP] }, ['links:read'])).toStartWith('tern_')
})

const DESTINATION = { original_url: `${SHOP}/product` }
const MAY_NOT_SET = 'This API key may not set this field.'

async function keyWith(restrictions: KeyRestrictions, scopes = ['links:create']): Promise<string> {
  const deps = { db: rig.store.db, clock: systemClock, baseUrl: rig.config.baseUrl }
  return (await issueKey(deps, caller, { name: 'Public', scopes, restrictions })).key
}

const shorten = (key: string, body: object = DESTINATION, headers: Record<string, string> = {}) =>
  rig.call('POST', '/api/links', { key, body, headers })
