import { beforeAll, describe, expect, test } from 'bun:test'
import { createAccount } from '../../src/users/sign-up/create-account.ts'
import { openService } from '../../src/cli/service/open-service.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { blockHost } from '../../src/links/destinations/block-host.ts'
import { Blocks } from '../../src/links/destinations/blocks.ts'
import { createLinks } from '../../src/links/create-links.ts'
import { destinationRulesOf } from '../../src/links/destinations/destination-rules.ts'
import { linkSchemas } from '../../src/links/link-fields.ts'
import { readNewLink } from '../../src/links/read-links.ts'
import { jsonLog } from '../../src/runtime/log.ts'
import { openTestStore, testPlace } from '../rigs/test-store.ts'
import { type Browser, PASSWORD, useDashboardRig } from '../rigs/dashboard-rig.ts'
import { freePort } from '../rigs/free-port.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'
import { ownerOf } from '../rigs/owner-of.ts'

const folders = temporaryFolders()
const rig = useDashboardRig()
let operator: Browser

beforeAll(async () => {
  operator = (await rig.user({ email: 'operator@example.com' })).browser
})

const idOf = async (browser: Browser): Promise<number> => (await browser.succeed('GET', '/session')).id

test('only the operator has the operator’s endpoints', async () => {
  const { browser } = await rig.user()
  for (const [method, path] of [
    ['GET', '/admin/accounts'],
    ['PUT', '/admin/accounts/1'],
    ['POST', '/admin/accounts/1/suspend'],
    ['POST', '/admin/accounts/1/reinstate'],
    ['POST', '/admin/accounts/1/reset-link'],
    ['GET', '/admin/blocked-hosts'],
    ['POST', '/admin/blocked-hosts'],
    ['DELETE', '/admin/blocked-hosts/example.com'],
    ['GET', '/admin/invitations'],
    ['POST', '/admin/invitations'],
    ['DELETE', '/admin/invitations/1'],
  ] as const) {
    const { status, body } = await browser.request(method, path, method === 'GET' ? undefined : {})
    expect([path, status, body]).toEqual([path, 403, refusal('Only operators can do this.')])
    expect((await rig.browser().request(method, path)).status).toBe(401)
  }
})

describe('accounts', () => {
  test('are listed, newest first, found by part of their name or email address, and counted', async () => {
    const { browser, email } = await rig.user({ email: 'zoe.findme@example.com' })
    await browser.succeed('POST', '/links', { original_url: 'https://example.com/' })
    const { body } = await operator.request('GET', '/admin/accounts?search=FindMe&per_page=5')
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 5, total: 1 })
    expect(body.data).toEqual([
      {
        id: await idOf(browser),
        name: 'User zoe.findme',
        email,
        is_verified: true,
        role: 'user',
        plan: 'free',
        rate_limit: null,
        requests_per_hour: 100,
        is_suspended: false,
        has_two_factor: false,
        links: 1,
        clicks: 0,
        created_at: expect.any(String),
        last_signed_in_at: expect.any(String),
      },
    ])
    const all = await operator.request('GET', '/admin/accounts?per_page=1')
    expect(all.body.meta.total).toBeGreaterThan(1)
    expect(all.body.data[0].email).toBe(email)
    expect(JSON.stringify(all.body)).not.toMatch(/password|hash|secret/)
  })

  test('get another plan and their own limit with the next request of their keys', async () => {
    const { browser } = await rig.user()
    const id = await idOf(browser)
    const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
    const limit = async () =>
      Number((await rig.call('GET', '/api/links', { key })).headers.get('x-ratelimit-limit'))
    expect(await limit()).toBe(100)
    const hasPlans = async (of: Browser) => (await of.succeed('GET', '/session')).has_plans
    expect([await hasPlans(operator), await hasPlans(browser)]).toEqual([false, false])
    await operator.succeed('PUT', `/admin/accounts/${id}`, { plan: 'pro' })
    expect([await hasPlans(operator), await hasPlans(browser)]).toEqual([true, true])
    expect(await hasPlans((await rig.user()).browser)).toBe(false)
    expect(await limit()).toBe(1_000)
    await operator.succeed('PUT', `/admin/accounts/${id}`, { rate_limit: 7 })
    expect(await limit()).toBe(7)
    expect((await browser.succeed('GET', '/session')).requests_per_hour).toBe(7)
    await operator.succeed('PUT', `/admin/accounts/${id}`, { rate_limit: null })
    expect(await limit()).toBe(1_000)
    const bad = { plan: 'gold', rate_limit: 0, role: 'root', is_verified: 'yes' }
    expect((await operator.request('PUT', `/admin/accounts/${id}`, bad)).body).toEqual(
      invalid({
        plan: ['The plan must be one of free, pro, business, enterprise.'],
        rate_limit: ['The rate limit must be an integer between 1 and 1000000000.'],
        role: ['The role must be user or admin.'],
        is_verified: ['The is verified field must be true or false.'],
      }),
    )
    expect((await operator.request('PUT', '/admin/accounts/999999', { plan: 'pro' })).status).toBe(404)
    expect((await operator.request('PUT', '/admin/accounts/x', { plan: 'pro' })).status).toBe(404)
  })

  test('can be verified and made operators; the last operator stays one', async () => {
    const { browser } = await rig.user()
    const id = await idOf(browser)
    const ownId = await idOf(operator)
    const last = refusal('This is the only operator account. Make another account an operator first.')
    for (const [path, body] of [
      ['', { role: 'user' }],
      ['/suspend', {}],
    ] as const) {
      const method = path === '' ? 'PUT' : 'POST'
      expect((await operator.request(method, `/admin/accounts/${ownId}${path}`, body)).body).toEqual(last)
    }
    await operator.succeed('PUT', `/admin/accounts/${id}`, { role: 'admin' })
    expect((await browser.request('GET', '/admin/accounts')).status).toBe(200)
    await browser.succeed('PUT', `/admin/accounts/${id}`, { role: 'user' })
    expect((await browser.request('GET', '/admin/accounts')).status).toBe(403)
    const { key, userId } = await rig.makeCaller({ isVerified: false })
    await operator.succeed('PUT', `/admin/accounts/${userId}`, { is_verified: true })
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
  })

  test('that are suspended are locked out, with their keys and links, until they are reinstated', async () => {
    const { browser, email } = await rig.user()
    const id = await idOf(browser)
    const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
    await browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: 'of-suspect',
    })
    const open = () => rig.call('GET', '/of-suspect')
    const signIn = (password: string) => rig.browser().request('POST', '/session', { email, password })
    expect((await open()).status).toBe(302)
    await operator.succeed('POST', `/admin/accounts/${id}/suspend`)
    const suspended = refusal('The operator has suspended this account.')
    const call = await rig.call('GET', '/api/links', { key })
    expect([call.status, call.body]).toEqual([403, suspended])
    expect((await browser.request('GET', '/session')).status).toBe(401)
    for (const path of ['/of-suspect', '/api/info/of-suspect', '/qr/of-suspect']) {
      const { status, body } = await rig.call('GET', path)
      expect([path, status, body]).toEqual([path, 410, refusal('This link has been blocked.')])
    }
    const right = await signIn(PASSWORD)
    expect([right.status, right.body]).toEqual([403, suspended])
    expect((await signIn('not it')).body).toEqual(invalid({ email: ['The email or password is incorrect.'] }))
    await operator.succeed('POST', `/admin/accounts/${id}/reinstate`)
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
    for (const path of ['/api/info/of-suspect', '/qr/of-suspect'])
      expect((await rig.call('GET', path)).status).toBe(200)
    expect((await open()).status).toBe(302)
    expect((await signIn(PASSWORD)).status).toBe(200)
    expect((await operator.request('POST', '/admin/accounts/999999/suspend')).status).toBe(404)
  })
})

describe('a blocked host', () => {
  test('disables its links and those of its subdomains, with a page that says so, until it is unblocked', async () => {
    const { browser } = await rig.user()
    for (const [custom_code, original_url] of [
      ['evil-one', 'https://evil.example/a'],
      ['evil-two', 'http://www.EVIL.example:8080/b'],
      ['good-one', 'https://notevil.example/'],
    ]) {
      await browser.succeed('POST', '/links', { original_url, custom_code })
      expect((await rig.call('GET', `/${custom_code}`)).status).toBe(302)
    }
    const blocked = await operator.request('POST', '/admin/blocked-hosts', {
      host: ' https://Evil.example./login?x ',
      reason: 'phishing',
    })
    expect([blocked.status, blocked.body.data]).toEqual([
      201,
      { host: 'evil.example', reason: 'phishing', blocked_at: expect.any(String) },
    ])
    const statuses = async (folder = '') => {
      const codes = ['evil-one', 'evil-two', 'good-one']
      const answers = await Promise.all(codes.map((code) => rig.call('GET', `${folder}/${code}`)))
      return answers.map(({ status }) => status)
    }
    expect(await statuses()).toEqual([410, 410, 302])
    expect(await statuses('/api/info')).toEqual([410, 410, 200])
    expect(await statuses('/qr')).toEqual([410, 410, 200])
    const page = await rig.call('GET', '/evil-one', { headers: { Accept: 'text/html' } })
    expect(page.text).toContain('<h1>This link is blocked</h1>')
    expect(page.text).not.toContain('evil.example')
    expect(page.headers.get('location')).toBeNull()
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    const listed = await browser.succeed('GET', '/links?order=oldest')
    expect(listed.map(({ status }: any) => status)).toEqual(['blocked', 'blocked', 'active'])
    expect((await browser.succeed('GET', '/links/evil-one')).status).toBe('blocked')
    await operator.succeed('DELETE', '/admin/blocked-hosts/evil.example')
    expect(await statuses()).toEqual([302, 302, 302])
    expect((await operator.request('DELETE', '/admin/blocked-hosts/evil.example')).status).toBe(404)
  })

  test.each([
    ['', 'The host field is required.'],
    ['ftp://evil.example/', 'The host must be a host name or a URL.'],
    ['https://evil\n.example/', 'The host must be a host name or a URL.'],
    // The parser would find the host in it, but needs time with the square of its length for that.
    [`${'\u00ad'.repeat(1_100)}evil.example`, 'The host must be a host name or a URL.'],
  ])('that is not a host is refused: %#', async (host, sentence) => {
    const { status, body } = await operator.request('POST', '/admin/blocked-hosts', { host })
    expect([status, body]).toEqual([422, invalid({ host: [sentence] })])
    expect(await operator.succeed('GET', '/admin/blocked-hosts')).toEqual([])
  })

  test('accepts no new links, from users or programs', async () => {
    const { browser } = await rig.user()
    const { key } = await rig.makeCaller()
    await operator.succeed('POST', '/admin/blocked-hosts', { host: 'bad.example' })
    const link = { original_url: 'https://sub.bad.example/' }
    const refused = invalid({ original_url: ['The original url may not lead there: the host is blocked.'] })
    expect((await browser.request('POST', '/links', link)).body).toEqual(refused)
    expect((await rig.call('POST', '/api/links', { key, body: link })).body).toEqual(refused)
    expect((await operator.succeed('GET', '/admin/blocked-hosts')).map(({ host }: any) => host)).toEqual([
      'bad.example',
    ])
  })

  test('is still blocked after a restart', async () => {
    const dataDir = folders.make()
    const store = await openTestStore(dataDir)
    const deps = { db: store.db, clock: systemClock }
    const { workspaceId } = await createAccount(deps, {
      name: 'Ann',
      email: 'ann@example.com',
      password: PASSWORD,
      isVerified: true,
    })
    const link = readNewLink(
      { url: 'https://later.example/', custom_code: 'later-on' },
      linkSchemas(destinationRulesOf(rig.config, new Blocks())),
    )
    await createLinks(
      { ...deps, changes: { changed() {} }, codeLog: { async ready() {}, note() {}, async keep() {} } },
      ownerOf(workspaceId),
      { links: [link], fieldName: String, answer: () => ({ status: 201, body: '' }), idempotent: undefined },
    )
    await blockHost({ ...deps, blocks: { changed: async () => {} } }, { host: 'later.example', reason: '' })
    await store.close()
    const port = freePort()
    const service = await openService(
      { ...rig.config, ...(await testPlace(dataDir)), port },
      jsonLog('silent', 'visitors'),
    )
    expect((await fetch(`http://127.0.0.1:${port}/later-on`, { redirect: 'manual' })).status).toBe(410)
    await service.stop()
    folders.remove()
  })

  test.each([
    [{}, { host: ['The host field is required.'] }],
    [{ host: 'no host' }, { host: ['The host must be a host name or a URL.'] }],
    [{ host: 'ftp://evil.example' }, { host: ['The host must be a host name or a URL.'] }],
    [
      { host: 'evil.example', reason: 'x'.repeat(256) },
      { reason: ['The reason must be at most 255 characters, without control characters.'] },
    ],
  ])('must be one: %j', async (input, errors) => {
    expect((await operator.request('POST', '/admin/blocked-hosts', input)).body).toEqual(
      invalid(errors as any),
    )
  })
})

test('invitations are listed while they can be used, and can be withdrawn', async () => {
  const first = await operator.succeed('POST', '/admin/invitations', { email: 'guest@example.com' })
  const { token: firstToken } = await rig.mailTo('guest@example.com')
  await operator.succeed('POST', '/admin/invitations', { email: 'guest@example.com' })
  const { token } = await rig.mailTo('guest@example.com')
  const listed = await operator.succeed('GET', '/admin/invitations')
  const { link, ...invitation } = first
  expect(link).toBeNull()
  expect(listed).toEqual([{ ...invitation, created_at: expect.any(String), expires_at: expect.any(String) }])
  const browser = rig.browser()
  expect((await browser.request('POST', '/invitations/read', { token: firstToken })).status).toBe(422)
  await browser.succeed('POST', '/invitations/read', { token })
  await operator.succeed('DELETE', `/admin/invitations/${listed[0].id}`)
  expect((await browser.request('POST', '/invitations/read', { token })).status).toBe(422)
  expect(await operator.succeed('GET', '/admin/invitations')).toEqual([])
  expect((await operator.request('DELETE', '/admin/invitations/1')).status).toBe(404)
  const bad = await operator.request('POST', '/admin/invitations', { email: 'nobody' })
  expect(bad.body).toEqual(invalid({ email: ['The email must be a valid email address.'] }))
})
