import { beforeAll, describe, expect, test } from 'bun:test'
import { hintOf } from '../../src/api-keys/key-format.ts'
import type { AuditEntryView } from '../../src/http/endpoints/audit-endpoints.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import {
  type Browser,
  SAFARI_ON_IPHONE,
  type TestUser,
  useOwnDashboardRig,
  useUser,
} from '../rigs/service/dashboard-rig.ts'
import { refusal } from '../specification/contract-rig.ts'

const rig = useOwnDashboardRig()
let operator: Browser
beforeAll(async () => {
  operator = (await rig.user({ email: 'operator@example.com' })).browser
})
const owner = useUser(rig)

describe('the audit log in the dashboard', () => {
  test('names the user and the browser', async () => {
    const user = await rig.user({ userAgent: SAFARI_ON_IPHONE })
    await user.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: 'from-phone',
    })
    expect(await entries(user)).toMatchObject([
      {
        actor: user.name,
        client: 'Safari on iOS',
        api_key_id: null,
        action: 'link.created',
        target: 'from-phone',
      },
    ])
    expect(await entries(user, 'client=dashboard')).toHaveLength(1)
    expect(await entries(user, 'client=api')).toHaveLength(0)
  })

  test('has a changed name and email in every workspace of the user, and that they closed their account', async () => {
    const [host, user] = [await rig.user(), await rig.user()]
    const { userId, workspaceId } = user
    const membership = { workspace_id: host.workspaceId, user_id: userId, role: 'editor' }
    const joined = { ...membership, joined_at: Date.now() * 1000 }
    await rig.store.db.insertInto('members').values(joined).execute()

    await user.browser.succeed('PUT', '/account', { name: ' Ann Example ' })
    await user.browser.succeed('PUT', '/account', { name: 'Ann Example' })
    const email = 'ann.example@example.com'
    await user.browser.succeed('POST', '/account/email', { email, password: PASSWORD })
    const { token } = await rig.mailTo(email)
    const elsewhere = rig.browser({ userAgent: SAFARI_ON_IPHONE })
    await elsewhere.succeed('POST', '/confirm-email', { token })
    const changed = [
      ['member.updated', email, { email: { from: user.email, to: email } }],
      ['member.updated', user.email, { name: { from: user.name, to: 'Ann Example' } }],
    ]
    expect(await said(host)).toEqual(changed)
    expect(await said(user)).toEqual(changed)
    expect(await entries(host)).toMatchObject([
      { actor: 'Ann Example', client: 'Safari on iOS', user_id: userId, target_id: userId },
      { actor: user.name, client: 'Firefox on Linux', user_id: userId, target_id: userId },
    ])

    await user.browser.succeed('DELETE', '/account', { password: PASSWORD })
    expect(await said(host)).toEqual([['member.left', email, null], ...changed])
    const ownLog = rig.store.db
      .selectFrom('audit_log')
      .select('action')
      .where('workspace_id', '=', workspaceId)
    expect(await ownLog.where('action', '=', 'member.left').execute()).toEqual([])
  })

  test('knows the version that a link had before a change', async () => {
    const user = await rig.user()
    const { browser } = user
    const make = (code: string, more = {}) =>
      browser.succeed('POST', '/links', { original_url: 'https://example.com/', custom_code: code, ...more })
    const before = async (query: string, who = user) => {
      const [entry] = await entries(user, query)
      return (await who.browser.succeed('GET', `/audit-log/${entry!.id}/version-before`)).restorable
    }
    await make('versioned', { title: 'One' })
    await make('other')
    expect(await before('target=versioned')).toBeNull()
    await browser.succeed('PUT', '/links/versioned', { title: 'Two' })
    await browser.succeed('PUT', '/links/versioned', { title: 'Three', notes: 'For us' })
    const { host } = new URL(rig.config.baseUrl)
    const place = { short_code: 'versioned', domain: host, current_version: 3 }
    expect(await before('search=Two&per_page=1&page=2')).toEqual({ ...place, version: 1 })
    expect(await before('search=Three')).toEqual({ ...place, version: 2 })
    await browser.succeed('POST', '/links/versioned/versions/1/restore')
    expect((await browser.succeed('GET', '/links/versioned')).title).toBe('One')
    expect(await before('action=link.version_restored')).toMatchObject({ version: 3, current_version: 4 })

    await browser.succeed('PUT', '/links/versioned', { notes: 'Nothing that visitors meet' })
    expect(await before('search=Nothing')).toBeNull()
    const both = { short_codes: ['versioned', 'other'], set: { is_active: false } }
    await browser.succeed('POST', '/links/bulk-update', both)
    expect(await before('search=2 links')).toBeNull()
    const [{ id }] = (await entries(user, 'search=Three')) as [AuditEntryView]
    const stranger = await owner.browser.request('GET', `/audit-log/${id}/version-before`)
    expect([stranger.status, stranger.body]).toEqual([
      404,
      refusal('audit_entry_not_found', 'Entry not found.'),
    ])
    await browser.succeed('DELETE', '/links/versioned')
    expect(await before('search=Three')).toBeNull()
  })

  test('has keys by their hints, from their creation to the end', async () => {
    const user = await rig.user()
    const { id, key } = await user.browser.succeed('POST', '/keys', { name: 'Shop', scopes: ['links:read'] })
    await user.browser.succeed('DELETE', `/keys/${id}`)
    expect(await said(user)).toEqual([
      ['key.revoked', 'Shop', { key: { from: hintOf(key), to: null } }],
      [
        'key.created',
        'Shop',
        { key: { from: null, to: hintOf(key) }, scopes: { from: null, to: ['links:read'] } },
      ],
    ])
    expect(JSON.stringify(await entries(user))).not.toContain(key)
  })

  test('can be narrowed to each member and each key', async () => {
    const user = await rig.user()
    const { id } = await user.browser.succeed('POST', '/keys', { name: 'Shop', scopes: ['links:read'] })
    const me = await user.browser.succeed('GET', '/session')
    expect(await user.browser.succeed('GET', '/audit-log/actors')).toEqual({
      users: [{ id: me.id, name: user.name }],
      api_keys: [{ id, name: 'Shop' }],
    })
    expect(await entries(user, `user=${me.id}`)).toHaveLength(1)
    expect(await entries(user, `key=${id}`)).toEqual([])
  })

  test('has settings, and views as long as others see them', async () => {
    const user = await rig.user()
    const { browser } = user
    await browser.succeed('PUT', '/workspace/settings', { timezone: 'Asia/Kolkata', preview_pages: true })
    const { id } = await browser.succeed('POST', '/views', { name: 'Mine', query: 'tag=1' })
    await browser.succeed('PUT', `/views/${id}`, { query: 'tag=2' })
    await browser.succeed('PUT', `/views/${id}`, { is_shared: true })
    await browser.succeed('PUT', `/views/${id}`, { name: 'Ours' })
    await browser.succeed('DELETE', `/views/${id}`)
    const own = await browser.succeed('POST', '/views', { name: 'Mine', query: '' })
    await browser.succeed('DELETE', `/views/${own.id}`)
    expect(await said(user)).toEqual([
      ['view.deleted', 'Ours', null],
      ['view.updated', 'Mine', { name: { from: 'Mine', to: 'Ours' } }],
      ['view.shared', 'Mine', { is_shared: { from: false, to: true } }],
      ['settings.updated', 'timezone', { timezone: { from: null, to: 'Asia/Kolkata' } }],
    ])
  })

  test('has what the operator does to the workspace and its links', async () => {
    const user = await rig.user()
    const workspace = `/admin/workspaces/${user.workspaceId}`
    await operator.succeed('PUT', workspace, { plan: 'pro' })
    await operator.succeed('PUT', workspace, { plan: 'pro', rate_limit: 7 })
    await operator.succeed('POST', `${workspace}/suspend`)
    await operator.succeed('POST', `${workspace}/suspend`)
    await operator.succeed('POST', `${workspace}/reinstate`)
    const { email } = user
    await user.browser.succeed('POST', '/session', { email, password: PASSWORD })
    const found = await entries(user)
    expect(found.map(({ action, changes }) => [action, changes])).toEqual([
      ['workspace.reinstated', null],
      ['workspace.suspended', null],
      ['workspace.updated', { rate_limit: { from: null, to: 7 } }],
      ['workspace.updated', { plan: { from: 'free', to: 'pro' } }],
    ])
    for (const entry of found)
      expect(entry).toMatchObject({
        actor: 'User operator',
        client: 'Firefox on Linux',
        target_id: expect.any(Number),
      })
  })
})

const entries = (who: TestUser = owner, query = ''): Promise<AuditEntryView[]> =>
  who.browser.succeed('GET', `/audit-log?${query}`)
const said = async (who?: TestUser) =>
  (await entries(who)).map(({ action, target, changes }) => [action, target, changes])
