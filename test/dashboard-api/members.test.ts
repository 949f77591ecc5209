import { beforeAll, describe, expect, test } from 'bun:test'
import type { MemberRole } from '../../src/access/caller.ts'
import { accountByEmail } from '../../src/users/find-account.ts'
import { PASSWORD, type TestUser, useDashboardRig } from '../rigs/dashboard-rig.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
const ROLE_MISSING = refusal('Insufficient permissions: your role in this workspace does not allow it.')
const LINK = { original_url: 'https://example.com/' }
let owner: TestUser

beforeAll(async () => {
  await rig.user()
  owner = await rig.user()
})

/** A user who works in the owner's workspace, and has no own. */
async function memberAs(role: MemberRole): Promise<TestUser> {
  const member = await rig.user()
  const { userId, workspaceId: own } = await accountByEmail(rig.store.db, member.email)
  const { workspaceId } = await accountByEmail(rig.store.db, owner.email)
  await rig.store.db.deleteFrom('members').where('workspace_id', '=', own).execute()
  await rig.store.db
    .insertInto('members')
    .values({ workspace_id: workspaceId, user_id: userId, role, joined_at: 1 })
    .execute()
  return member
}

describe('a viewer', () => {
  test('sees the links and clicks of the workspace, and changes none', async () => {
    await owner.browser.succeed('POST', '/links', { ...LINK, custom_code: 'shared' })
    const { browser } = await memberAs('viewer')
    expect(await browser.succeed('GET', '/links/shared')).toMatchObject({ short_code: 'shared' })
    expect((await browser.succeed('GET', '/overview')).overview.total_links).toBe(1)
    for (const [method, path, body] of [
      ['POST', '/links', LINK],
      ['POST', '/bulk-shorten', { links: [LINK] }],
      ['PUT', '/links/shared', { title: 'Changed' }],
      ['POST', '/links/shared/toggle', undefined],
      ['DELETE', '/links/shared', undefined],
      ['POST', '/links/shared/restore', {}],
      ['POST', '/links/check', { links: [LINK] }],
      ['GET', '/codes/other', undefined],
    ] as const) {
      const { status, body: answer } = await browser.request(method, path, body)
      expect([method, path, status, answer]).toEqual([method, path, 403, ROLE_MISSING])
    }
    expect(await owner.browser.succeed('GET', '/links/shared')).toMatchObject({ title: '', is_active: true })
  })

  test('makes keys within the role, and sees and revokes no other', async () => {
    const { browser } = await memberAs('viewer')
    const others = await owner.browser.succeed('POST', '/keys', {
      name: 'Of the owner',
      scopes: ['links:read'],
    })
    const tooMuch = await browser.request('POST', '/keys', {
      name: 'Key',
      scopes: ['links:read', 'links:write'],
    })
    expect(tooMuch.body).toEqual(
      invalid({ scopes: ['Your role in this workspace does not allow all of these scopes.'] }),
    )
    const { id, key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
    expect((await browser.succeed('GET', '/keys')).map((each: { id: number }) => each.id)).toEqual([id])
    expect((await rig.call('GET', '/api/links', { key })).body.data).toHaveLength(1)
    expect((await browser.request('DELETE', `/keys/${others.id}`)).status).toBe(404)
    expect((await rig.call('GET', '/api/links', { key: others.key })).status).toBe(200)
    await owner.browser.succeed('DELETE', `/keys/${id}`)
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(401)
  })
})

test('a key speaks for its workspace and for the user who made it', async () => {
  const { browser, email } = await memberAs('editor')
  const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:create'] })
  const { userId, workspaceId } = await accountOfMember(email)
  const { data } = (await rig.call('GET', '/api/account', { key })).body
  expect(data.user).toMatchObject({ id: userId, email })
  const made = await rig.call('POST', '/api/links', { key, body: { ...LINK, custom_code: 'by-editor' } })
  expect(made.status).toBe(201)
  const link = await rig.store.db
    .selectFrom('links')
    .select('account_id')
    .where('code', '=', 'by-editor')
    .executeTakeFirstOrThrow()
  expect(link.account_id).toBe(workspaceId)
})

test('a member who deletes their account leaves the workspace as it is, and their keys are revoked', async () => {
  const { browser, email } = await memberAs('editor')
  const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:create'] })
  const { userId } = await accountOfMember(email)
  await browser.succeed('DELETE', '/account', { password: PASSWORD })
  expect((await rig.call('POST', '/api/links', { key, body: LINK })).status).toBe(401)
  expect((await owner.browser.succeed('GET', '/links/shared')).short_code).toBe('shared')
  const left = await rig.store.db.selectFrom('members').selectAll().where('user_id', '=', userId).execute()
  expect(left).toEqual([])
})

async function accountOfMember(email: string): Promise<{ userId: number; workspaceId: number }> {
  const row = await rig.store.db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .select(['users.id as userId', 'members.workspace_id as workspaceId'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return row
}
