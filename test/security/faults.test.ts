import { beforeAll, expect, test } from 'bun:test'
import { withoutColumns } from '../rigs/store/broken-table.ts'
import { type TestAnswer, useCaller, useOwnServiceRig } from '../rigs/service/service-rig.ts'

// T34: a fault of ours says that it is one, and nothing of how we are made.

const rig = useOwnServiceRig()
const caller = useCaller(rig)

beforeAll(async () => {
  const body = { original_url: 'https://example.com/', custom_code: 'hello' }
  await rig.call('POST', '/api/links', { key: caller.key, body })
})

const TELLTALE =
  /\bat |\.ts\b|\/src\/|node_modules|SQLITE|sqlite|no such table|SELECT|INSERT|Error:|bun|links_away/i

test('an error in the API gets an envelope, and the service keeps working', async () => {
  const ask = () => rig.call('GET', '/api/analytics/browsers', { key: caller.key })
  expect((await ask()).status).toBe(200)
  expectFault(await withoutColumns(rig.store.db, 'workspace_hours', ask))
  expect((await ask()).status).toBe(200)
})

test('an error while a link is created gets an envelope, and leaves nothing behind', async () => {
  const body = { original_url: 'https://example.com/', custom_code: 'half-made' }
  const make = () => rig.call('POST', '/api/links', { key: caller.key, body })
  expectFault(await withoutColumns(rig.store.db, 'workspace_link_counts', make))
  expect((await rig.call('GET', '/api/info/half-made')).status).toBe(404)
  expect((await make()).status).toBe(201)
})

test('an error during a redirect gets an envelope, and the service keeps working', async () => {
  expectFault(await withoutColumns(rig.store.db, 'links', () => rig.call('GET', '/hello')))
  expect((await rig.call('GET', '/hello')).status).toBe(302)
})

test('an error while a key is looked up grants nothing', async () => {
  const ask = () => rig.call('GET', '/api/account', { key: caller.key })
  expectFault(await withoutColumns(rig.store.db, 'api_keys', ask))
  expect((await ask()).status).toBe(200)
})

function expectFault({ status, body, text, headers }: TestAnswer) {
  expect(status).toBe(500)
  expect(body).toEqual({ success: false, code: expect.any(String), message: expect.any(String), errors: {} })
  expect(text).not.toMatch(TELLTALE)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers.get('cache-control')).toContain('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toStartWith("default-src 'none'")
}
