import { beforeAll, describe, expect, test } from 'bun:test'
import type { MemberRole } from '../../src/access/roles-and-scopes.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { memberOf, type TestUser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
const LINK = { original_url: 'https://example.com/' }
let owner: TestUser

beforeAll(async () => {
  await rig.user()
  owner = await rig.user()
  await owner.browser.succeed('POST', '/links', { ...LINK, custom_code: 'shared' })
})

describe('a viewer', () => {
  test('sees who created each link, and the names of those who can, but no more of them', async () => {
    const team = await rig.user()
    const viewer = await memberOf(rig, team, 'viewer')
    const { browser } = viewer
    const [maker, gone] = [await memberOf(rig, team, 'editor'), await memberOf(rig, team, 'editor')]
    await maker.browser.succeed('POST', '/links', { ...LINK, custom_code: 'by-maker' })
    await gone.browser.succeed('POST', '/links', { ...LINK, custom_code: 'by-gone' })
    const [id, makerId, goneId] = [viewer, maker, gone].map(({ userId }) => userId)
    await team.browser.succeed('DELETE', `/members/${goneId}`)
    const listed = await browser.succeed('GET', '/links?include=created_by')
    const creatorOf = (code: string) => listed.find((link: any) => link.short_code === code).created_by
    expect([creatorOf('by-maker').id, creatorOf('by-gone').id]).toEqual([makerId, goneId])
    const names = await browser.succeed('GET', '/members/names')
    expect(names.map((each: object) => Object.keys(each))).toEqual(names.map(() => ['id', 'name']))
    const ids = names.map((each: { id: number }) => each.id)
    expect(ids).toContain(id)
    expect(ids).toContain(makerId)
    expect(ids).not.toContain(goneId)
    expect((await browser.request('GET', '/members')).status).toBe(403)
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
  const { browser, email, userId, workspaceId } = await memberAs('editor')
  const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:create'] })
  const { data } = (await rig.call('GET', '/api/account', { key })).body
  expect(data.user).toMatchObject({ id: userId, email })
  const made = await rig.call('POST', '/api/links', { key, body: { ...LINK, custom_code: 'by-editor' } })
  expect(made.status).toBe(201)
  const link = await rig.store.db
    .selectFrom('links')
    .select('workspace_id')
    .where('code', '=', 'by-editor')
    .executeTakeFirstOrThrow()
  expect(link.workspace_id).toBe(workspaceId)
})

test('a member who deletes their account leaves the workspace as it is, and their keys are revoked', async () => {
  const { browser, userId } = await memberAs('editor')
  const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:create'] })
  await browser.succeed('DELETE', '/account', { password: PASSWORD })
  expect((await rig.call('POST', '/api/links', { key, body: LINK })).status).toBe(401)
  expect((await owner.browser.succeed('GET', '/links/shared')).short_code).toBe('shared')
  const left = await rig.store.db.selectFrom('members').selectAll().where('user_id', '=', userId).execute()
  expect(left).toEqual([])
})

test('an edit is refused while it would overwrite what another member has done since the editor was opened', async () => {
  const editor = (await memberAs('editor')).browser
  await owner.browser.succeed('POST', '/links', { ...LINK, custom_code: 'edited-by-two' })
  const put = (input: object, by = owner.browser) => by.request('PUT', '/links/edited-by-two', input)
  const seen = async () =>
    (await owner.browser.succeed('GET', '/links/edited-by-two?include=version')).version
  expect(await seen()).toBe(1)
  expect((await put({ title: 'Theirs', seen_version: 1 }, editor)).status).toBe(200)
  const refused = await put({ title: 'Mine', seen_version: 1 })
  expect([refused.status, refused.body]).toEqual([
    409,
    refusal('version_conflict', 'Somebody else has changed this link since you opened it.'),
  ])
  expect(await owner.browser.succeed('GET', '/links/edited-by-two?include=version')).toMatchObject({
    title: 'Theirs',
    version: 2,
  })
  expect((await put({ title: 'Mine', seen_version: 2 })).status).toBe(200)
  // What the same user did elsewhere is no surprise, and who says nothing overwrites.
  expect((await put({ title: 'Mine again', seen_version: 2 })).status).toBe(200)
  expect((await put({ title: 'Anything' }, editor)).status).toBe(200)
  for (const seen_version of [0, 1.5, '2', {}])
    expect([(await put({ title: 'Mine', seen_version })).status]).toEqual([422])
  const both = await put({ title: 7, seen_version: 'x' })
  expect(both.body.errors).toEqual({
    title: ['The title must be a string.'],
    seen_version: ['The seen version must be a whole number.'],
  })
  const [listed] = await owner.browser.succeed('GET', '/links?search=edited-by-two&include=version')
  expect([listed.title, listed.version, await seen()]).toEqual(['Anything', 5, 5])
})

const memberAs = (role: MemberRole) => memberOf(rig, owner, role)
