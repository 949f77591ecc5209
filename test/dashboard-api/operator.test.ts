import { Domains } from '../../src/links/domains/domains.ts'
import { beforeAll, describe, expect, test } from 'bun:test'
import { browseWorkspaces, changeWorkspace, workspaceById } from '../../src/operator/manage-workspaces.ts'
import { COMMAND_LINE } from '../../src/access/caller.ts'
import { openService } from '../../src/cli/service/open-service.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { suspendWorkspace } from '../../src/operator/suspend-workspace.ts'
import { blockHost } from '../../src/links/destinations/block-host.ts'
import { Blocks } from '../../src/links/destinations/blocks.ts'
import { destinationRulesOf } from '../../src/links/destinations/destination-rules.ts'
import { linkSchemas } from '../../src/links/link-fields.ts'
import { readNewLink } from '../../src/links/read-links.ts'
import { jsonLog } from '../../src/runtime/log.ts'
import { createUnasked, UNHEARD } from '../rigs/service/creation.ts'
import { openTestStore, testPlace } from '../rigs/store/test-store.ts'
import { addUser, PASSWORD } from '../rigs/service/add-user.ts'
import { type Browser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { freePort } from '../rigs/free-port.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'
import { ownerOf } from '../rigs/store/owner-of.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const folders = temporaryFolders()
const rig = useOwnDashboardRig()
let operator: Browser

beforeAll(addOperator)

const LAST = refusal(
  'last_operator',
  'This is the only operator account. Make another account an operator first.',
)
const SUSPENDED = refusal('account_suspended', 'The operator has suspended this account.')

describe('users', () => {
  test('are listed, newest first, and found by part of their name or email address', async () => {
    const { browser, email, userId } = await rig.user({ email: 'zoe.findme@example.com' })
    const { body } = await operator.request('GET', '/admin/users?search=FindMe&per_page=5')
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 5, total: 1 })
    expect(body.data).toEqual([
      {
        id: userId,
        name: 'User zoe.findme',
        email,
        is_verified: true,
        role: 'user',
        is_suspended: false,
        has_two_factor: false,
        workspaces: 1,
        created_at: expect.any(String),
        last_signed_in_at: expect.any(String),
      },
    ])
    await browser.succeed('POST', '/workspaces', { name: 'Second' })
    expect((await operator.succeed('GET', '/admin/users?search=findme'))[0].workspaces).toBe(2)
    const all = await operator.request('GET', '/admin/users?per_page=1')
    expect(all.body.meta.total).toBeGreaterThan(1)
    expect(all.body.data[0].email).toBe(email)
    expect(JSON.stringify(all.body)).not.toMatch(/password|hash|secret/)
  })

  test('can be verified and made operators; the last operator stays one', async () => {
    const { browser, userId: id } = await rig.user()
    const { id: ownId } = await operator.succeed('GET', '/session')
    const demotion = { role: 'user', password: PASSWORD }
    expect((await operator.request('PUT', `/admin/users/${ownId}`, demotion)).body).toEqual(LAST)
    const self = await operator.request('POST', `/admin/users/${ownId}/suspend`)
    expect([self.status, self.body]).toEqual([
      409,
      refusal('not_for_yourself', 'You cannot suspend yourself.'),
    ])
    await operator.succeed('PUT', `/admin/users/${id}`, { role: 'admin', password: PASSWORD })
    expect((await browser.request('GET', '/admin/users')).status).toBe(200)
    await browser.succeed('PUT', `/admin/users/${id}`, demotion)
    expect((await browser.request('GET', '/admin/users')).status).toBe(403)
    const { key, userId } = await rig.makeCaller({ isVerified: false })
    await operator.succeed('PUT', `/admin/users/${userId}`, { is_verified: true })
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
  })

  test('become operators, and users again, only with the password of the operator', async () => {
    const { browser, userId: id } = await rig.user()
    for (const [input, sentence] of [
      [{ role: 'admin' }, 'Enter your password.'],
      [{ role: 'admin', is_verified: true, password: 'not it' }, 'The password is incorrect.'],
      [{ role: 'user', password: '' }, 'Enter your password.'],
    ] as const) {
      const { status, body } = await operator.request('PUT', `/admin/users/${id}`, input)
      expect([status, body]).toEqual([422, invalid({ password: [sentence] })])
    }
    expect((await browser.succeed('GET', '/session')).role).toBe('user')
    await operator.succeed('PUT', `/admin/users/${id}`, { is_verified: true })
  })

  test('are changed only by what a field may have, all or nothing', async () => {
    const { browser, userId: id } = await rig.user()
    const bad = { role: 'root', is_verified: 'yes' }
    const errors = {
      role: ['The role must be user or admin.'],
      is_verified: ['The is verified field must be true or false.'],
    }
    const refused = await operator.request('PUT', `/admin/users/${id}`, bad)
    expect([refused.status, refused.body]).toEqual([422, invalid(errors)])
    const half = await operator.request('PUT', `/admin/users/${id}`, { ...bad, role: 'admin' })
    expect(half.body).toEqual(invalid({ is_verified: errors.is_verified }))
    expect((await browser.succeed('GET', '/session')).role).toBe('user')
    for (const path of ['999999', 'x', '999999/suspend', '999999/reinstate'])
      expect(
        (await operator.request(path.includes('/') ? 'POST' : 'PUT', `/admin/users/${path}`, {})).status,
      ).toBe(404)
  })
})

describe('workspaces', () => {
  test('are listed, newest first, found by part of their name or owner, and counted', async () => {
    const { browser, email, name, workspaceId } = await rig.user({ email: 'wendy.listed@example.com' })
    await browser.succeed('POST', '/links', { original_url: 'https://example.com/' })
    const path = '/admin/workspaces?search=WENDY.listed'
    const { body } = await operator.request('GET', `${path}&per_page=5`)
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 5, total: 1 })
    expect(body.data).toEqual([
      {
        id: workspaceId,
        name,
        owner: email,
        plan: 'free',
        rate_limit: null,
        requests_per_hour: 100,
        is_suspended: false,
        members: 1,
        links: 1,
        clicks: 0,
        created_at: expect.any(String),
      },
    ])
    await browser.succeed('POST', '/workspaces', { name: 'Second of Wendy' })
    expect((await operator.succeed('GET', path)).map((each: { name: string }) => each.name)).toEqual([
      'Second of Wendy',
      name,
    ])
    const own = await operator.succeed('GET', '/admin/workspaces?search=operator@example.com')
    expect(own).toMatchObject([{ requests_per_hour: 100 }])
  })

  test('get another plan and their own limit with the next request of their keys', async () => {
    const { browser, workspaceId } = await rig.user()
    const path = `/admin/workspaces/${workspaceId}`
    const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
    const limit = async () =>
      Number((await rig.call('GET', '/api/links', { key })).headers.get('x-ratelimit-limit'))
    expect(await limit()).toBe(100)
    const hasPlans = async (of: Browser) => (await of.succeed('GET', '/session')).has_plans
    expect([await hasPlans(operator), await hasPlans(browser)]).toEqual([false, false])
    await operator.succeed('PUT', path, { plan: 'pro' })
    expect([await hasPlans(operator), await hasPlans(browser)]).toEqual([true, true])
    expect(await hasPlans((await rig.user()).browser)).toBe(false)
    expect(await limit()).toBe(1_000)
    await operator.succeed('PUT', path, { rate_limit: 7 })
    expect(await limit()).toBe(7)
    expect((await browser.succeed('GET', '/session')).requests_per_hour).toBe(7)
    await operator.succeed('PUT', path, { rate_limit: null })
    expect(await limit()).toBe(1_000)
    const errors = {
      plan: ['The plan must be one of free, pro, business, enterprise.'],
      rate_limit: ['The rate limit must be an integer between 1 and 1000000000.'],
    }
    for (const [bad, fields] of [
      [{ plan: 'gold', rate_limit: 0 }, errors],
      [{ plan: 'free', rate_limit: '7' }, { rate_limit: errors.rate_limit }],
      [{ plan: null, rate_limit: 9 }, { plan: errors.plan }],
    ] as const)
      expect((await operator.request('PUT', path, bad)).body).toEqual(invalid(fields as any))
    expect(await limit()).toBe(1_000)
    expect((await operator.request('PUT', '/admin/workspaces/999999', { plan: 'pro' })).status).toBe(404)
    expect((await operator.request('PUT', '/admin/workspaces/x', { plan: 'pro' })).status).toBe(404)
  })

  test('that are suspended lock out their members, keys and links, until they are reinstated', async () => {
    const { browser, email, workspaceId } = await rig.user()
    const path = `/admin/workspaces/${workspaceId}`
    const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
    const link = { original_url: 'https://example.com/', custom_code: 'of-suspect' }
    await browser.succeed('POST', '/links', link)
    const signIn = (password: string) => rig.browser().request('POST', '/session', { email, password })
    expect((await rig.call('GET', '/of-suspect')).status).toBe(302)
    await operator.succeed('POST', `${path}/suspend`)
    const call = await rig.call('GET', '/api/links', { key })
    expect([call.status, call.body]).toEqual([403, SUSPENDED])
    expect((await browser.request('GET', '/session')).status).toBe(401)
    for (const public_ of ['/of-suspect', '/api/info/of-suspect', '/qr/of-suspect']) {
      const { status, body } = await rig.call('GET', public_)
      expect([public_, status, body]).toEqual([
        public_,
        410,
        refusal('link_blocked', 'This link has been blocked.'),
      ])
    }
    const right = await signIn(PASSWORD)
    expect([right.status, right.body]).toEqual([403, SUSPENDED])
    expect((await signIn('not it')).body).toEqual(invalid({ email: ['The email or password is incorrect.'] }))
    await operator.succeed('POST', `${path}/reinstate`)
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
    for (const public_ of ['/api/info/of-suspect', '/qr/of-suspect'])
      expect((await rig.call('GET', public_)).status).toBe(200)
    expect((await rig.call('GET', '/of-suspect')).status).toBe(302)
    expect((await signIn(PASSWORD)).status).toBe(200)
    for (const act of ['suspend', 'reinstate'])
      expect((await operator.request('POST', `/admin/workspaces/999999/${act}`)).status).toBe(404)
  })

  test('are suspended one by one: a user of two is locked out of one; that of the only operator is not', async () => {
    const { browser, workspaceId: first } = await rig.user()
    await browser.succeed('POST', '/workspaces', { name: 'Other one' })
    await operator.succeed('POST', `/admin/workspaces/${first}/suspend`)
    expect((await browser.request('GET', '/session')).status).toBe(200)
    await operator.succeed('POST', `/admin/workspaces/${first}/reinstate`)
    const own = (await operator.succeed('GET', '/session')).workspace.id
    const refused = await operator.request('POST', `/admin/workspaces/${own}/suspend`)
    expect([refused.status, refused.body]).toEqual([
      409,
      refusal('not_for_yourself', 'You cannot suspend your only workspace.'),
    ])
    const deps = { db: rig.store.db, clock: systemClock, redirectState: { changed: async () => {} } }
    await expect(suspendWorkspace(deps, COMMAND_LINE, own)).rejects.toThrow(LAST.message)
  })
})

test('one of several operators does not lock themselves out', async () => {
  const { browser, userId, workspaceId } = await rig.user()
  const users = rig.store.db.updateTable('users').where('id', '=', userId)
  await users.set({ role: 'admin' }).execute()
  const path = `/admin/workspaces/${workspaceId}/suspend`
  const refused = await browser.request('POST', path)
  expect([refused.status, refused.body]).toEqual([
    409,
    refusal('not_for_yourself', 'You cannot suspend your only workspace.'),
  ])
  expect((await browser.request('GET', '/links')).status).toBe(200)
  await browser.succeed('POST', '/workspaces', { name: 'Another one' })
  await browser.succeed('POST', path)
  expect((await browser.request('GET', '/session')).status).toBe(200)
  await users.set({ role: 'user' }).execute()
})

describe('domains', () => {
  const host = 'shared.example'
  const visit = (path: string) => rig.call('GET', path, { headers: { Host: host } })

  test('that the operator adds are for every workspace at once, and removed with their links kept', async () => {
    const { browser } = await rig.user()
    expect(await operator.succeed('GET', '/admin/domains')).toEqual([])
    const added = await operator.request('POST', '/admin/domains', { host: ' Shared.Example. ' })
    expect([added.status, added.body.data]).toEqual([201, { host }])
    expect(await operator.succeed('GET', '/admin/domains')).toEqual([
      {
        id: expect.any(Number),
        host,
        workspace: null,
        status: 'active',
        failure: null,
        verified_at: expect.any(String),
        checked_at: null,
        failing_since: null,
        case_insensitive: false,
        created_at: expect.any(String),
      },
    ])
    const link = { original_url: 'https://example.com/', custom_code: 'on-shared', domain: host }
    await browser.succeed('POST', '/links', link)
    expect((await visit('/on-shared')).status).toBe(302)
    await operator.succeed('DELETE', `/admin/domains/${host.toUpperCase()}`)
    expect((await visit('/on-shared')).status).toBe(404)
    expect((await operator.request('DELETE', `/admin/domains/${host}`)).status).toBe(404)
    const entries = await browser.succeed('GET', '/audit-log')
    expect(entries[0]).toMatchObject({ action: 'domain.removed', target: host, actor: 'User operator' })
    await operator.succeed('POST', '/admin/domains', { host })
    expect((await visit('/on-shared')).status).toBe(302)
    await operator.succeed('DELETE', `/admin/domains/${host}`)
  })

  test('of workspaces are listed, found by their name, and neither taken over nor removed', async () => {
    const { browser, name, workspaceId } = await rig.user({ email: 'dora.domain@example.com' })
    await browser.succeed('POST', '/domains', { host: 'dora.example' })
    const workspace = { id: workspaceId, name }
    for (const search of ['dora.exam', 'DORA.dom', ''])
      expect(await operator.succeed('GET', `/admin/domains?search=${search}`)).toMatchObject([
        { host: 'dora.example', workspace, status: 'pending', verified_at: null },
      ])
    expect(await operator.succeed('GET', '/admin/domains?search=nothing')).toEqual([])
    expect((await operator.request('DELETE', '/admin/domains/dora.example')).status).toBe(404)
    const { db } = rig.store
    await db
      .updateTable('domains')
      .set({ host: 'dora.example', verified_at: 1 })
      .where('name', '=', 'dora.example')
      .execute()
    const taken = await operator.request('POST', '/admin/domains', { host: 'dora.example' })
    expect([taken.status, taken.body]).toEqual([
      422,
      invalid({
        host: [`The workspace with the ID ${workspace.id} has verified the domain. Remove it there first.`],
      }),
    ])
    expect(await operator.succeed('GET', '/admin/domains')).toMatchObject([{ workspace, status: 'active' }])
  })

  test('of workspaces are checked and removed by the operator, which their audit log says', async () => {
    const { browser, workspaceId } = await rig.user()
    const own = `/admin/workspaces/${workspaceId}/domains/Erin.Example`
    await browser.succeed('POST', '/domains', { host: 'erin.example' })
    const { failure } = await operator.succeed('POST', `${own}/verify`)
    expect(failure).toBeString()
    expect((await browser.succeed('GET', '/domains')).at(-1)).toMatchObject({ host: 'erin.example', failure })
    const { id: stranger } = (await (await rig.user()).browser.succeed('GET', '/session')).workspace
    for (const [method, path] of [
      ['DELETE', `/admin/workspaces/${stranger}/domains/erin.example`],
      ['POST', `/admin/workspaces/${stranger}/domains/erin.example/verify`],
      ['DELETE', '/admin/workspaces/987654/domains/erin.example'],
    ] as const)
      expect([path, (await operator.request(method, path)).status]).toEqual([path, 404])
    await operator.succeed('DELETE', own)
    expect((await browser.succeed('GET', '/domains')).map((domain: any) => domain.host)).not.toContain(
      'erin.example',
    )
    expect((await browser.succeed('GET', '/audit-log'))[0]).toMatchObject({
      action: 'domain.removed',
      target: 'erin.example',
      actor: 'User operator',
    })
    expect((await operator.request('DELETE', own)).status).toBe(404)
  })

  test.each([
    [{}, 'The host field is required.'],
    [{ host: 7 }, 'The host must be a string.'],
    [{ host: 'https://go.example/' }, 'The host must be a domain name, for example go.example.com.'],
    [{ host: 'x'.repeat(256) }, 'The host may not be greater than 255 characters.'],
  ])('must be one: %j', async (input, sentence) => {
    const before = await operator.succeed('GET', '/admin/domains')
    const { status, body } = await operator.request('POST', '/admin/domains', input)
    expect([status, body]).toEqual([422, invalid({ host: [sentence] })])
    expect(await operator.succeed('GET', '/admin/domains')).toEqual(before)
  })
})

test('a workspace is known by its ID, with its members and links, and its new plan is in its audit log once', async () => {
  const { browser, name, workspaceId } = await rig.user()
  await browser.succeed('POST', '/links', { original_url: 'https://example.com/' })
  const { db } = rig.store
  for (let i = 0; i < 2; i++)
    await changeWorkspace({ db, clock: systemClock }, COMMAND_LINE, { workspaceId, plan: 'pro' })
  const shown = await workspaceById(db, workspaceId)
  expect(shown).toMatchObject({
    id: workspaceId,
    name,
    plan: 'pro',
    members: 1,
    links: 1,
    suspendedAtUs: null,
  })
  const { workspaces, total } = await browseWorkspaces(db, { page: 1, perPage: 1, search: '' })
  expect(workspaces).toEqual([shown])
  expect(total).toBeGreaterThan(1)
  const entries = await browser.succeed('GET', '/audit-log')
  expect(entries.filter(({ action }: { action: string }) => action === 'workspace.updated')).toMatchObject([
    { target: name, changes: { plan: { from: 'free', to: 'pro' } } },
  ])
})

const NOT_A_HOST = 'The host must be a host name or a URL.'

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
    const listed = await browser.succeed('GET', '/links?order=asc')
    expect(listed.map(({ status }: any) => status)).toEqual(['blocked', 'blocked', 'active'])
    expect((await browser.succeed('GET', '/links/evil-one')).status).toBe('blocked')
    await operator.succeed('DELETE', '/admin/blocked-hosts/evil.example')
    expect(await statuses()).toEqual([302, 302, 302])
    expect((await operator.request('DELETE', '/admin/blocked-hosts/evil.example')).status).toBe(404)
  })

  test('is still blocked after a restart', async () => {
    const dataDir = folders.make()
    const store = await openTestStore(dataDir)
    const deps = { db: store.db, clock: systemClock }
    const { workspaceId } = await addUser(deps, { name: 'Ann', email: 'ann@example.com' })
    const link = readNewLink(
      { url: 'https://later.example/', custom_code: 'later-on' },
      linkSchemas(destinationRulesOf(rig.config, { domains: new Domains(rig.config), blocks: new Blocks() })),
    )
    await createUnasked({ ...deps, ...UNHEARD }, ownerOf(workspaceId), [link])
    await blockHost(
      { ...deps, redirectState: { changed: async () => {} } },
      { host: 'later.example', reason: '' },
    )
    await store.close()
    const port = freePort()
    const service = await openService(
      { ...rig.config, ...(await testPlace(dataDir)), port },
      jsonLog('silent', 'redirect'),
    )
    expect((await documentedFetch(`http://127.0.0.1:${port}/later-on`)).status).toBe(410)
    await service.stop()
    folders.remove()
  })

  test.each([
    [{}, { host: ['The host field is required.'] }],
    [{ host: '' }, { host: ['The host field is required.'] }],
    [{ host: 'no host' }, { host: [NOT_A_HOST] }],
    [{ host: 'ftp://evil.example' }, { host: [NOT_A_HOST] }],
    [{ host: 'https://evil\n.example/' }, { host: [NOT_A_HOST] }],
    // The parser would find the host in it, but needs time with the square of its length for that.
    [{ host: `${'\u00ad'.repeat(1_100)}evil.example` }, { host: [NOT_A_HOST] }],
    [
      { host: 'evil.example', reason: 'x'.repeat(256) },
      { reason: ['The reason must be at most 255 characters, without control characters.'] },
    ],
  ])('must be one: %#', async (input, errors) => {
    const { status, body } = await operator.request('POST', '/admin/blocked-hosts', input)
    expect([status, body]).toEqual([422, invalid(errors as any)])
    expect(await operator.succeed('GET', '/admin/blocked-hosts')).toEqual([])
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

async function addOperator(): Promise<void> {
  operator = (await rig.user({ email: 'operator@example.com' })).browser
}
