import { expect, test } from 'bun:test'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type Browser, memberOf, type TestUser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { EventStream } from '../rigs/http/event-stream.ts'
import { eventually } from '../rigs/eventually.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

const rig = useOwnDashboardRig()
const NO_WORKSPACE = refusal('workspace_not_found', 'Workspace not found.')
const NEEDS_OWNER = refusal('last_owner', 'A workspace needs an owner. Make somebody else its owner first.')

test('a new user is alone, in a workspace of their own', async () => {
  await rig.user()
  const user = await rig.user()
  const { workspace, workspaces, is_alone, can, needs_two_factor } = await me(user)
  expect(workspace).toEqual({
    id: expect.any(Number),
    name: user.name,
    role: 'owner',
    members: 1,
    requires_second_factor: false,
  })
  expect([workspaces, is_alone, needs_two_factor]).toEqual([[workspace], true, false])
  expect(can).toContain('workspace:own')
})

test('a user works in the workspace of the request, else in the chosen one, else in the first', async () => {
  const user = await rig.user()
  const first = user.workspaceId
  await user.browser.succeed('POST', '/links', { original_url: 'https://example.com/', custom_code: 'first' })
  const { id } = await user.browser.succeed('POST', '/workspaces', { name: ' Second ' })
  const codes = async (answer: Promise<{ body: { data: { short_code: string }[] } }>) =>
    (await answer).body.data.map(({ short_code: code }) => code)
  expect(await codes(user.browser.request('GET', '/links'))).toEqual(['first'])
  expect(await codes(within(user, id)('GET', '/links'))).toEqual([])
  expect(await codes(user.browser.request('GET', `/links?workspace=${id}`))).toEqual([])
  await user.browser.succeed('POST', `/workspaces/${id}/choose`)
  expect(await me(user)).toMatchObject({ workspace: { id, name: 'Second' }, is_alone: false })
  expect(await codes(user.browser.request('GET', '/links'))).toEqual([])
  expect(await codes(within(user, first)('GET', '/links'))).toEqual(['first'])
})

const signIn = (browser: Browser, { email }: TestUser) =>
  browser.succeed('POST', '/session', { email, password: PASSWORD })
const workspaceIn = async (browser: Browser): Promise<number> =>
  (await browser.succeed('GET', '/session')).workspace.id

test('a user who signs in again works in the workspace that they chose last, in any browser', async () => {
  const [user, stranger] = [await rig.user(), await rig.user()]
  const first = user.workspaceId
  const { id: second } = await user.browser.succeed('POST', '/workspaces', { name: 'Second' })
  await user.browser.succeed('POST', `/workspaces/${second}/choose`)
  await user.browser.succeed('DELETE', '/session')
  await signIn(user.browser, user)
  expect(await workspaceIn(user.browser)).toBe(second)
  const other = rig.browser()
  await signIn(other, user)
  expect(await workspaceIn(other)).toBe(second)
  // What one browser chooses later does not move the other.
  await user.browser.succeed('POST', `/workspaces/${first}/choose`)
  expect(await workspaceIn(other)).toBe(second)
  // Somebody else in the same browser.
  await user.browser.succeed('DELETE', '/session')
  await signIn(user.browser, stranger)
  expect(await workspaceIn(user.browser)).toBe(stranger.workspaceId)
})

test('a workspace that a user has left is not where they go on', async () => {
  const [owner, user] = [await rig.user(), await rig.user()]
  const { workspaceId: joined } = owner
  await join(owner, user, 'editor')
  await user.browser.succeed('POST', `/workspaces/${joined}/choose`)
  await user.browser.succeed('DELETE', '/session')
  await owner.browser.succeed('DELETE', `/members/${user.userId}`, { keep_keys: false })
  await signIn(user.browser, user)
  expect(await workspaceIn(user.browser)).toBe(user.workspaceId)
})

test('a foreign workspace is answered like one that does not exist', async () => {
  const [user, stranger] = [await rig.user(), await rig.user()]
  const foreign = stranger.workspaceId
  for (const id of [foreign, 4_000_000, '0', 'x', '1e3', '-1']) {
    for (const [method, path] of [
      ['GET', '/links'],
      ['GET', '/session'],
      ['DELETE', '/workspace'],
    ] as const) {
      const { status, body } = await within(user, id)(method, path)
      expect([id, path, status, body]).toEqual([id, path, 404, NO_WORKSPACE])
    }
  }
  const chosen = await user.browser.request('POST', `/workspaces/${foreign}/choose`)
  expect([chosen.status, chosen.body]).toEqual([404, NO_WORKSPACE])
})

test('a workspace has a name, and a user owns twenty at most', async () => {
  const user = await rig.user()
  const nameless = await user.browser.request('POST', '/workspaces', { name: ' ' })
  expect(nameless.body).toEqual(invalid({ name: ['The name field is required.'] }))
  for (let n = 2; n <= 20; n++) await user.browser.succeed('POST', '/workspaces', { name: `No. ${n}` })
  const tooMany = await user.browser.request('POST', '/workspaces', { name: 'One more' })
  expect([tooMany.status, tooMany.body]).toEqual([
    409,
    refusal('limit_reached', 'You own 20 workspaces already. Delete one first.'),
  ])
  await user.browser.succeed('PUT', '/workspace', { name: 'Renamed' })
  expect((await me(user)).workspace.name).toBe('Renamed')
})

test('the only owner can neither leave nor become less, and a transfer leaves an admin with a workspace of their own', async () => {
  const owner = await rig.user()
  const member = await memberOf(rig, owner, 'editor')
  const [ownerId, memberId, id] = [owner.userId, member.userId, owner.workspaceId]
  for (const [method, path, body] of [
    ['POST', '/workspace/leave', undefined],
    ['PUT', `/members/${ownerId}`, { role: 'admin' }],
  ] as const) {
    const { status, body: answer } = await owner.browser.request(method, path, body)
    expect([path, status, answer]).toEqual([path, 409, NEEDS_OWNER])
  }
  const wrong = await owner.browser.request('POST', '/workspace/transfer', {
    user_id: memberId,
    password: 'wrong',
  })
  expect(wrong.body).toEqual(invalid({ password: ['The password is incorrect.'] }))
  const nobody = { user_id: 4_000_000, password: PASSWORD }
  expect((await owner.browser.request('POST', '/workspace/transfer', nobody)).body).toEqual(
    refusal('member_not_found', 'Member not found.'),
  )
  await owner.browser.succeed('POST', '/workspace/transfer', { user_id: memberId, password: PASSWORD })
  expect((await me(member)).workspace).toMatchObject({ id, role: 'owner', members: 2 })
  const after = await me(owner)
  expect(after.workspaces.map((each: any) => [each.name, each.role, each.members])).toEqual([
    [owner.name, 'admin', 2],
    [owner.name, 'owner', 1],
  ])
  // An admin changes no owner, and leaves with a key revoked.
  expect((await owner.browser.request('PUT', `/members/${memberId}`, { role: 'viewer' })).status).toBe(403)
  expect((await owner.browser.request('DELETE', `/members/${memberId}`)).status).toBe(403)
  const { key } = await owner.browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
  await owner.browser.succeed('POST', '/workspace/leave')
  expect((await rig.call('GET', '/api/links', { key })).status).toBe(401)
  expect((await within(owner, id)('GET', '/links')).body).toEqual(NO_WORKSPACE)
  expect((await me(owner)).is_alone).toBe(true)
})

test('a removed member is out with the next request, live clicks included; kept keys go on', async () => {
  const owner = await rig.user()
  const member = await rig.user()
  const id = owner.workspaceId
  await join(owner, member, 'editor')
  const asMember = within(member, id)
  expect((await asMember('GET', '/links')).status).toBe(200)
  const stream = await EventStream.open(rig.url, member.browser, id)
  expect(stream.status).toBe(200)
  const scopes = { name: 'Key', scopes: ['links:read'] }
  const { key } = (await asMember('POST', '/keys', scopes)).body.data
  await asMember('POST', '/views', { name: 'Mine', query: '', is_shared: true })
  const memberId = member.userId
  const unclear = await owner.browser.request('DELETE', `/members/${memberId}`, { keep_keys: 'yes' })
  expect([unclear.status, unclear.body]).toEqual([
    422,
    invalid({ keep_keys: ['The keep keys field must be true or false.'] }),
  ])
  expect((await asMember('GET', '/links')).status).toBe(200)
  await owner.browser.succeed('DELETE', `/members/${memberId}`, { keep_keys: true })
  expect((await asMember('GET', '/links')).body).toEqual(NO_WORKSPACE)
  await stream.ended
  expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
  expect((await rig.call('GET', '/api/account', { key })).status).toBe(200)
  expect(await owner.browser.succeed('GET', '/views')).toEqual([])
  const again = await owner.browser.request('DELETE', `/members/${memberId}`)
  expect([again.status, again.body]).toEqual([404, refusal('member_not_found', 'Member not found.')])
})

test('a role applies with the next request; owners are made by owners only', async () => {
  const owner = await rig.user()
  const [admin, editor] = [await memberOf(rig, owner, 'admin'), await memberOf(rig, owner, 'editor')]
  const editorId = editor.userId
  const link = { original_url: 'https://example.com/' }
  expect((await editor.browser.request('POST', '/links', link)).status).toBe(201)
  await admin.browser.succeed('PUT', `/members/${editorId}`, { role: 'viewer' })
  expect((await editor.browser.request('POST', '/links', link)).status).toBe(403)
  expect((await me(editor)).can).toEqual(['links:read', 'analytics:read'])
  const promoted = await admin.browser.request('PUT', `/members/${editorId}`, { role: 'owner' })
  expect([promoted.status, promoted.body]).toEqual([
    403,
    refusal('owner_required', 'Insufficient permissions: only owners can do this.'),
  ])
  const unknown = await owner.browser.request('PUT', `/members/${editorId}`, { role: 'king' })
  expect(unknown.body).toEqual(invalid({ role: ['The role must be one of viewer, editor, admin, owner.'] }))
  await owner.browser.succeed('PUT', `/members/${editorId}`, { role: 'owner' })
  await owner.browser.succeed('POST', '/workspace/leave')
  const members = await editor.browser.succeed('GET', '/members')
  expect(members.map((each: any) => [each.id, each.role])).toContainEqual([editorId, 'owner'])
})

test('deleting a workspace asks for its name and the password, and everybody keeps one of their own', async () => {
  const owner = await rig.user()
  const member = await memberOf(rig, owner, 'admin')
  await owner.browser.succeed('POST', '/links', { original_url: 'https://example.com/', custom_code: 'gone' })
  const { key } = await member.browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
  const named = { name: owner.name, password: PASSWORD }
  expect((await member.browser.request('DELETE', '/workspace', named)).status).toBe(403)
  const mistyped = await owner.browser.request('DELETE', '/workspace', { ...named, name: 'Other' })
  expect(mistyped.body).toEqual(invalid({ name: ['Type the name of the workspace.'] }))
  const guessed = await owner.browser.request('DELETE', '/workspace', { ...named, password: 'wrong' })
  expect(guessed.body).toEqual(invalid({ password: ['The password is incorrect.'] }))
  expect((await rig.call('GET', '/gone')).status).toBe(302)
  await owner.browser.succeed('DELETE', '/workspace', named)
  await eventually(
    () => rig.call('GET', '/gone'),
    ({ status }) => status !== 302,
  )
  expect((await rig.call('GET', '/api/links', { key })).status).toBe(401)
  for (const user of [owner, member]) {
    expect(await me(user)).toMatchObject({ workspace: { name: user.name, role: 'owner' }, is_alone: true })
    expect(await user.browser.succeed('GET', '/links')).toEqual([])
  }
})

test('an account whose workspace has other members cannot be deleted', async () => {
  const owner = await rig.user()
  const member = await memberOf(rig, owner, 'editor')
  const { status, body } = await owner.browser.request('DELETE', '/account', { password: PASSWORD })
  expect([status, body]).toEqual([
    409,
    refusal(
      'workspace_shared',
      `The workspace “${owner.name}” has other members. Make one of them its owner, or delete the workspace first.`,
    ),
  ])
  await owner.browser.succeed('DELETE', `/members/${member.userId}`)
  await owner.browser.succeed('DELETE', '/account', { password: PASSWORD })
})

test('where a second factor is required, a member without one can only turn it on, leave, or work elsewhere', async () => {
  const owner = await rig.user()
  const member = await rig.user()
  const id = owner.workspaceId
  await join(owner, member, 'admin')
  const asMember = within(member, id)
  const own = { requires_second_factor: true }
  const hasNone = await owner.browser.request('PUT', '/workspace', own)
  expect([hasNone.status, hasNone.body]).toEqual([
    409,
    refusal('second_factor_first', 'Turn on two-factor sign-in for yourself first.'),
  ])
  const wrong = await owner.browser.request('PUT', '/workspace', { requires_second_factor: 1 })
  expect(wrong.body.errors).toEqual({
    requires_second_factor: ['The requires second factor field must be true or false.'],
  })
  const turnOn = (userId: number) =>
    rig.store.db.updateTable('users').set({ totp_enabled_at: 1 }).where('id', '=', userId).execute()
  await turnOn(owner.userId)
  await owner.browser.succeed('PUT', '/workspace', own)
  const refused = refusal(
    'second_factor_required',
    'This workspace requires two-factor sign-in. Turn it on in your account.',
  )
  for (const path of ['/links', '/overview', '/keys', '/members', '/export', '/tags', '/live'])
    expect([path, (await asMember('GET', path)).body]).toEqual([path, refused])
  const { body } = await asMember('GET', '/session')
  expect(body.data).toMatchObject({ needs_two_factor: true, can: [], workspace: { id, role: 'admin' } })
  expect((await asMember('POST', '/two-factor', { password: PASSWORD })).status).toBe(200)
  expect((await member.browser.request('GET', '/links')).status).toBe(200)
  await turnOn(member.userId)
  expect((await asMember('GET', '/links')).status).toBe(200)
})

test('what is done with a workspace and its members is in its audit log', async () => {
  const owner = await rig.user()
  const { id } = await owner.browser.succeed('POST', '/workspaces', { name: 'Logged' })
  const asOwner = within(owner, id)
  await asOwner('PUT', '/workspace', { name: 'Renamed' })
  const guest = await rig.user()
  await asOwner('POST', '/members/invitations', { emails: [guest.email], role: 'viewer' })
  const { token } = await rig.mailTo(guest.email)
  await guest.browser.succeed('POST', '/invitations/accept', { token })
  const guestId = guest.userId
  await asOwner('PUT', `/members/${guestId}`, { role: 'editor' })
  await asOwner('POST', '/workspace/transfer', { user_id: guestId, password: PASSWORD })
  await within(guest, id)('DELETE', `/members/${owner.userId}`)
  const entries = await rig.store.db
    .selectFrom('audit_log')
    .select(['action', 'actor', 'target', 'changes'])
    .where('workspace_id', '=', id)
    .orderBy('id')
    .execute()
  expect(
    entries.map((each) => [each.action, each.actor, each.target, JSON.parse(each.changes ?? 'null')]),
  ).toEqual([
    ['workspace.created', owner.name, 'Logged', null],
    ['workspace.updated', owner.name, 'Logged', { name: { from: 'Logged', to: 'Renamed' } }],
    [
      'invitation.sent',
      owner.name,
      guest.email,
      { role: { from: null, to: 'viewer' }, link: { from: null, to: 'mailed' } },
    ],
    ['member.joined', guest.name, guest.email, { role: { from: null, to: 'viewer' } }],
    ['member.updated', owner.name, guest.email, { role: { from: 'viewer', to: 'editor' } }],
    ['workspace.transferred', owner.name, guest.email, { owner: { from: owner.email, to: guest.email } }],
    ['member.removed', guest.name, owner.email, { role: { from: 'admin', to: null } }],
  ])
})

async function join(owner: TestUser, member: TestUser, role: string): Promise<void> {
  const joined = { workspace_id: owner.workspaceId, user_id: member.userId, role, joined_at: 9e15 }
  await rig.store.db.insertInto('members').values(joined).execute()
}

const me = ({ browser }: TestUser) => browser.succeed('GET', '/session')

/** A request to the dashboard in the named workspace. */
const within = ({ browser }: TestUser, workspaceId: number | string) => {
  return (method: string, path: string, body?: unknown) =>
    browser.request(method, path, body, { 'X-Workspace': `${workspaceId}` })
}
