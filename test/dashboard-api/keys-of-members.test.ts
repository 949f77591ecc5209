import { beforeAll, describe, expect, test } from 'bun:test'
import type { MemberRole } from '../../src/access/roles-and-scopes.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { memberOf, type TestUser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
const LINK = { original_url: 'https://example.com/' }
let owner: TestUser
let codes = 0

beforeAll(async () => {
  await rig.user()
  owner = await rig.user()
})

test('a key that is kept goes on working and remembers who made it', async () => {
  const editor = await memberAs('editor')
  const kept = await makeKey(editor, 'Kept', ['links:read', 'links:write'])
  await shorten(kept.key)
  const code = `made-${codes}`
  await remove(editor, true)
  const by = { id: editor.userId, name: editor.name }
  const changed = { key: kept.key, body: { title: 'Changed' } }
  expect((await rig.call('PUT', `/api/links/${code}`, changed)).status).toBe(200)
  const { body } = await rig.call('GET', `/api/links/${code}/versions`, { key: kept.key })
  expect(body.data[0]).toMatchObject({ changed_by: by, api_key: { id: kept.id, name: 'Kept' } })
  const listed = await owner.browser.succeed('GET', '/keys')
  expect(listed).toContainEqual(expect.objectContaining({ id: kept.id, created_by: by, is_revoked: false }))
  const seen = await rig.call('GET', '/api/account/api-keys', { key: kept.key })
  expect(seen.body.data).toMatchObject([{ id: kept.id, created_by: by }])
  const account = await rig.call('GET', '/api/account', { key: kept.key })
  expect(account.body.data.user).toMatchObject({ email: owner.email })
})

test('suspending or deleting the user who made it does not stop a key that was kept', async () => {
  const editor = await memberAs('editor')
  const { key } = await makeKey(editor, 'Kept', ['links:create'])
  await remove(editor, true)
  const users = rig.store.db.updateTable('users').where('id', '=', editor.userId)
  await users.set({ suspended_at: 1 }).execute()
  expect((await shorten(key)).status).toBe(201)
  await users.set({ suspended_at: null }).execute()
  await editor.browser.succeed('DELETE', '/account', { password: PASSWORD })
  expect((await shorten(key)).status).toBe(201)
})

test('a key that is kept does not get back what its user had lost', async () => {
  const admin = await memberAs('admin')
  const wide = await makeKey(admin, 'Wide', ['links:read', 'links:write', 'audit:read'])
  const narrow = await makeKey(admin, 'Narrow', ['links:write'])
  await owner.browser.succeed('PUT', `/members/${admin.userId}`, { role: 'viewer' })
  const audit = () => rig.call('GET', '/api/audit-log', { key: wide.key })
  expect((await audit()).body).toEqual(
    refusal(
      'role_insufficient',
      'Insufficient permissions: the role of the user who made this key does not allow audit:read.',
    ),
  )
  const logged = await loggedSince(() => remove(admin, true))
  expect((await audit()).body).toEqual(LACKING('audit:read'))
  expect((await shorten(wide.key)).body).toEqual(LACKING('links:create'))
  expect((await rig.call('GET', '/api/links', { key: wide.key })).status).toBe(200)
  expect((await rig.call('GET', '/api/links', { key: narrow.key })).status).toBe(401)
  expect(logged).toEqual([
    {
      action: 'key.kept',
      actor: owner.name,
      target: 'Wide',
      changes: { scopes: { from: ['links:read', 'links:write', 'audit:read'], to: ['links:read'] } },
    },
    {
      action: 'key.revoked',
      actor: owner.name,
      target: 'Narrow',
      changes: { key: { from: hintOf(narrow), to: null } },
    },
    {
      action: 'member.removed',
      actor: owner.name,
      target: admin.email,
      changes: { role: { from: 'viewer', to: null }, keys: { from: null, to: 'kept' } },
    },
  ])
})

test('a user who comes back has no part in the key that was kept', async () => {
  const editor = await memberAs('editor')
  const { id, key } = await makeKey(editor, 'Kept', ['links:create'])
  await remove(editor, true)
  const joined = { workspace_id: owner.workspaceId, user_id: editor.userId, role: 'viewer', joined_at: 1 }
  await rig.store.db.insertInto('members').values(joined).execute()
  editor.browser.cookies.clear()
  await editor.browser.succeed('POST', '/session', { email: editor.email, password: PASSWORD })
  await editor.browser.succeed('POST', `/workspaces/${owner.workspaceId}/choose`)
  expect(await editor.browser.succeed('GET', '/keys')).toEqual([])
  expect((await editor.browser.request('DELETE', `/keys/${id}`)).status).toBe(404)
  const members = await owner.browser.succeed('GET', '/members')
  expect(members).toContainEqual(expect.objectContaining({ id: editor.userId, keys: 0 }))
  await remove(editor, false)
  expect((await shorten(key)).status).toBe(201)
})

test('a key whose user is no member is unknown, unless it was kept', async () => {
  const editor = await memberAs('editor')
  const { key } = await makeKey(editor, 'Key', ['links:read'])
  await rig.store.db.deleteFrom('members').where('user_id', '=', editor.userId).execute()
  const { status, body } = await rig.call('GET', '/api/links', { key })
  expect([status, body]).toEqual([401, refusal('api_key_invalid', 'The API key is not valid.')])
})

describe('the audit log', () => {
  test('has the keys that were revoked with a membership', async () => {
    const [removed, left] = [await memberAs('editor'), await memberAs('viewer')]
    const [one, other] = [
      await makeKey(removed, 'One', ['links:read']),
      await makeKey(left, 'Other', ['links:read']),
    ]
    const revoked = (key: NewKey, target: string, actor: string) => ({
      action: 'key.revoked',
      actor,
      target,
      changes: { key: { from: hintOf(key), to: null } },
    })
    const keys = { from: null, to: 'revoked' }
    expect(await loggedSince(() => remove(removed, false))).toEqual([
      revoked(one, 'One', owner.name),
      {
        action: 'member.removed',
        actor: owner.name,
        target: removed.email,
        changes: { role: { from: 'editor', to: null }, keys },
      },
    ])
    expect(await loggedSince(() => left.browser.succeed('POST', '/workspace/leave'))).toEqual([
      revoked(other, 'Other', left.name),
      {
        action: 'member.left',
        actor: left.name,
        target: left.email,
        changes: { role: { from: 'viewer', to: null }, keys },
      },
    ])
  })

  test('has those of a user who has deleted their account', async () => {
    const editor = await memberAs('editor')
    const key = await makeKey(editor, 'Key', ['links:read'])
    const deletion = () => editor.browser.succeed('DELETE', '/account', { password: PASSWORD })
    expect(await loggedSince(deletion)).toContainEqual({
      action: 'key.revoked',
      actor: editor.name,
      target: 'Key',
      changes: { key: { from: hintOf(key), to: null } },
    })
  })

  test('has the restrictions of a key, and how an invitation was passed on', async () => {
    const restrictions = { code_prefix: 'shop-' }
    const key = { name: 'Public', scopes: ['links:create'], restrictions }
    expect(await loggedSince(() => owner.browser.succeed('POST', '/keys', key))).toMatchObject([
      { action: 'key.created', changes: { restrictions: { from: null, to: restrictions } } },
    ])
    const emails = ['logged@example.com']
    await owner.browser.succeed('POST', '/members/invitations', { emails, role: 'viewer' })
    const [{ id }] = await owner.browser.succeed('GET', '/members/invitations')
    const sent = (link: string) => [
      { action: 'invitation.sent', changes: { link: { from: null, to: link } } },
    ]
    const ask = (what: string) => () => owner.browser.succeed('POST', `/members/invitations/${id}/${what}`)
    expect(await loggedSince(ask('link'))).toMatchObject(sent('copied'))
    expect(await loggedSince(ask('send'))).toMatchObject(sent('mailed'))
  })
})

test('where two-factor sign-in is required, keys of members without it are refused', async () => {
  const editor = await memberAs('editor')
  const gone = await memberAs('editor')
  const [{ key }, kept] = [
    await makeKey(editor, 'Key', ['links:create']),
    await makeKey(gone, 'Kept', ['links:create']),
  ]
  await remove(gone, true)
  const workspace = rig.store.db.updateTable('workspaces').where('id', '=', owner.workspaceId)
  await workspace.set({ requires_second_factor: 1 }).execute()
  const { status, body } = await shorten(key)
  expect([status, body]).toEqual([
    403,
    refusal(
      'second_factor_required',
      'This workspace requires two-factor sign-in, and the user who made this key has not turned it on.',
    ),
  ])
  expect((await shorten(kept.key)).status).toBe(201)
  const user = rig.store.db.updateTable('users').where('id', '=', editor.userId)
  await user.set({ totp_enabled_at: 1, totp_secret: 'A' }).execute()
  expect((await shorten(key)).status).toBe(201)
  await workspace.set({ requires_second_factor: 0 }).execute()
})

test('nobody becomes an owner who could not act as one', async () => {
  const editor = await memberAs('editor')
  const user = rig.store.db.updateTable('users').where('id', '=', editor.userId)
  const transfer = () =>
    owner.browser.request('POST', '/workspace/transfer', { user_id: editor.userId, password: PASSWORD })
  const promote = () => owner.browser.request('PUT', `/members/${editor.userId}`, { role: 'owner' })
  for (const [columns, sentence] of [
    [{ suspended_at: 1 }, 'The operator has suspended this user, so they cannot become an owner.'],
    [
      { suspended_at: null, email_verified_at: null },
      'This user must verify their email address before they can become an owner.',
    ],
  ] as const) {
    await user.set(columns).execute()
    for (const ask of [transfer, promote]) {
      const { status, body } = await ask()
      expect([status, body]).toEqual([409, refusal('member_ineligible', sentence)])
    }
  }
  await user.set({ email_verified_at: 1 }).execute()
  expect((await promote()).status).toBe(200)
})

test('a key for a domain on which no links can be created is refused', async () => {
  const restricted = (domain: string) =>
    owner.browser.request('POST', '/keys', {
      name: 'Public',
      scopes: ['links:create'],
      restrictions: { domain },
    })
  const stranger = await rig.user()
  const foreign = { workspace_id: stranger.workspaceId }
  const row = { created_at: 1, verified_at: 1, verification_token: 't', is_shared: 0 }
  const own = { ...row, workspace_id: owner.workspaceId }
  await rig.store.db
    .insertInto('domains')
    .values([
      { ...own, name: 'own.example', host: 'own.example' },
      { ...own, name: 'unverified.example', host: null, verified_at: null },
      { ...row, ...foreign, name: 'foreign.example', host: 'foreign.example' },
      { ...row, workspace_id: null, is_shared: 1, name: 'shared.example', host: 'shared.example' },
    ])
    .execute()
  for (const domain of ['nope.example', 'unverified.example', 'foreign.example']) {
    const { body } = await restricted(domain)
    const sentence = `Links cannot be created on ${domain}: add and verify the domain first.`
    expect(body).toEqual(invalid({ 'restrictions.domain': [sentence] }))
  }
  for (const domain of ['own.example', 'shared.example']) expect((await restricted(domain)).status).toBe(201)
})

const LACKING = (scope: string) =>
  refusal('scope_missing', `Insufficient permissions: this key lacks the scope ${scope}.`)

const memberAs = (role: MemberRole) => memberOf(rig, owner, role)

type NewKey = { id: number; key: string }
const makeKey = ({ browser }: TestUser, name: string, scopes: string[]): Promise<NewKey> =>
  browser.succeed('POST', '/keys', { name, scopes })

const remove = ({ userId }: TestUser, keepsKeys: boolean) =>
  owner.browser.succeed('DELETE', `/members/${userId}`, { keep_keys: keepsKeys })

const shorten = (key: string) =>
  rig.call('POST', '/api/links', { key, body: { ...LINK, custom_code: `made-${++codes}` } })

async function loggedSince(work: () => Promise<unknown>) {
  const log = rig.store.db.selectFrom('audit_log').where('workspace_id', '=', owner.workspaceId)
  const { last } = await log.select((eb) => eb.fn.max('id').as('last')).executeTakeFirstOrThrow()
  await work()
  const entries = await log
    .select(['action', 'actor', 'target', 'changes'])
    .where('id', '>', Number(last))
    .orderBy('id')
    .execute()
  return entries.map(({ changes, ...entry }) => ({ ...entry, changes: JSON.parse(changes ?? 'null') }))
}

const hintOf = ({ key }: NewKey) => `tern_…${key.slice(-4)}`
