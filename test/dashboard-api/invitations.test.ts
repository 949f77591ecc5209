import { beforeAll, describe, expect, test } from 'bun:test'
import { dayOf, systemClock } from '../../src/runtime/clock.ts'
import { addUser, PASSWORD } from '../rigs/service/add-user.ts'
import {
  memberOf,
  type TestUser,
  useOwnDashboardRig,
  useDashboardRig,
} from '../rigs/service/dashboard-rig.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
const closed = useOwnDashboardRig({ SIGNUP: 'closed' })
const SPENT = invalid({
  token: ['This invitation was already used or has expired. Ask for a new one.'],
})
let owner: TestUser
let number = 0

beforeAll(addOperator)

test('an invitation is mailed, says where it leads, and makes a user a member once', async () => {
  const user = await rig.user()
  const token = await inviteByMail(user.email, 'viewer', ` ${user.email.toUpperCase()}`)
  expect(await pendingOf(user.email)).toEqual({
    id: expect.any(Number),
    email: user.email,
    role: 'viewer',
    invited_by: owner.name,
    created_at: expect.any(String),
    expires_at: expect.any(String),
  })
  const stored = await rig.store.db.selectFrom('workspace_invitations').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(token)
  expect(await rig.browser().succeed('POST', '/invitations/read', { token })).toEqual({
    email: user.email,
    workspace: { name: owner.name, role: 'viewer', invited_by: owner.name },
  })
  const joined = await user.browser.succeed('POST', '/invitations/accept', { token })
  expect(joined).toEqual({ workspace_id: owner.workspaceId })
  const { workspaces, is_alone } = await user.browser.succeed('GET', '/session')
  expect(workspaces.map((each: any) => [each.id === owner.workspaceId, each.role])).toEqual([
    [false, 'owner'],
    [true, 'viewer'],
  ])
  expect(is_alone).toBe(false)
  const again = await user.browser.request('POST', '/invitations/accept', { token })
  expect([again.status, again.body]).toEqual([422, SPENT])
  expect(await pendingOf(user.email)).toBeUndefined()
})

test('an invitation is for its address only', async () => {
  const [invited, other] = [await rig.user(), await rig.user()]
  const token = await inviteByMail(invited.email)
  const refused = await other.browser.request('POST', '/invitations/accept', { token })
  expect(refused.body).toEqual(
    invalid({ token: [`This invitation is for ${invited.email}, and you are signed in as ${other.email}.`] }),
  )
  const elsewhere = await signUpWith(token, newEmail())
  expect(elsewhere.body).toEqual(invalid({ email: ['This invitation is for another email address.'] }))
  await invited.browser.succeed('POST', '/invitations/accept', { token })
})

test('each address is answered for itself, and nobody is invited twice', async () => {
  const [fresh, pending] = [newEmail(), newEmail()]
  await inviteByMail(pending)
  const sent = { emails: [owner.email, pending, fresh, fresh], role: 'admin' }
  expect(await owner.browser.succeed('POST', '/members/invitations', sent)).toEqual([
    { email: owner.email, outcome: 'member' },
    { email: pending, outcome: 'pending' },
    { email: fresh, outcome: 'invited' },
  ])
  expect((await pendingOf(pending)).role).toBe('editor')
})

test('wrong input is refused field by field, and nobody is invited as an owner', async () => {
  const invite = async (body: object) =>
    (await owner.browser.request('POST', '/members/invitations', body)).body.errors
  const role = ['The role must be one of viewer, editor, admin.']
  expect(await invite({})).toEqual({ emails: ['The emails field is required.'], role })
  expect(await invite({ emails: ['a@example.com', 'nobody'], role: 'owner' })).toEqual({
    'emails.1': ['The email must be a valid email address.'],
    role,
  })
  const many = Array.from({ length: 51 }, (_, i) => `many${i}@example.com`)
  expect(await invite({ emails: many, role: 'viewer' })).toEqual({
    emails: ['The emails may not have more than 50 items.'],
  })
})

test('a copied link and a new email each replace the link before', async () => {
  const user = await rig.user()
  const first = await inviteByMail(user.email)
  const { id } = await pendingOf(user.email)
  const { link } = await owner.browser.succeed('POST', `/members/invitations/${id}/link`)
  const copied = link.split('#')[1]
  await owner.browser.succeed('POST', `/members/invitations/${id}/send`)
  const sent = (await rig.mailTo(user.email)).token
  for (const token of [first, copied, '', 7, undefined]) {
    const { body } = await user.browser.request('POST', '/invitations/accept', { token })
    expect(body).toEqual(SPENT)
  }
  await user.browser.succeed('POST', '/invitations/accept', { token: sent })
})

test('what is withdrawn, expired, or was sent by somebody who may not invite any more lets nobody in', async () => {
  const user = await rig.user()
  const admin = await memberOf(rig, owner, 'admin')
  const accept = async (token: string) =>
    (await user.browser.request('POST', '/invitations/accept', { token })).body
  const withdrawn = await inviteByMail(user.email)
  const { id } = await pendingOf(user.email)
  await owner.browser.succeed('DELETE', `/members/invitations/${id}`)
  expect(await accept(withdrawn)).toEqual(SPENT)
  const late = await rig.user()
  const expired = await inviteByMail(late.email)
  const past = rig.store.db.updateTable('workspace_invitations').set({ expires_at: 1 })
  await past.where('email', '=', late.email).execute()
  const missed = await late.browser.request('POST', '/invitations/accept', { token: expired })
  expect(missed.body).toEqual(SPENT)
  await admin.browser.succeed('POST', '/members/invitations', { emails: [user.email], role: 'admin' })
  const { token } = await rig.mailTo(user.email)
  const members = await owner.browser.succeed('GET', '/members')
  const { id: adminId } = members.find((each: { email: string }) => each.email === admin.email)
  await owner.browser.succeed('PUT', `/members/${adminId}`, { role: 'editor' })
  expect(await accept(token)).toEqual(SPENT)
})

describe('signing up', () => {
  test('with a mailed link joins at once, with a verified email', async () => {
    const email = newEmail()
    const browser = rig.browser()
    const token = await inviteByMail(email)
    const signUp = { name: 'New', email, password: PASSWORD, invitation: token }
    expect(await browser.succeed('POST', '/sign-up', signUp)).toEqual({ is_signed_in: true })
    const { workspaces, is_verified } = await browser.succeed('GET', '/session')
    expect([workspaces.map((each: any) => each.role), is_verified]).toEqual([['owner', 'editor'], true])
  })

  test('with a copied link joins too, but the email must be confirmed first: the link may be in other hands', async () => {
    const email = newEmail()
    const token = await inviteByLink(email)
    const answer = await signUpWith(token, email)
    expect(answer.body.data).toEqual({ is_signed_in: false })
    const browser = rig.browser()
    await browser.succeed('POST', '/session', { email, password: PASSWORD })
    const asMember = { 'X-Workspace': `${owner.workspaceId}` }
    expect((await browser.request('GET', '/links', undefined, asMember)).body).toEqual(
      refusal('email_unverified', 'The email address of this account is not verified.'),
    )
    await browser.succeed('POST', '/verify-email', { token: (await rig.mailTo(email)).token })
    expect((await browser.request('GET', '/links', undefined, asMember)).status).toBe(200)
    expect((await signUpWith(token, email)).status).toBe(422)
  })

  test('where it is closed, an invitation lets its address in, and no other', async () => {
    const first = await createFirst()
    const email = newEmail()
    await first.succeed('POST', '/members/invitations', { emails: [email], role: 'viewer' })
    const { token } = await closed.mailTo(email)
    const signUp = (invitation: unknown, to: string) =>
      closed.browser().request('POST', '/sign-up', { name: 'New', email: to, password: PASSWORD, invitation })
    for (const [invitation, to] of [
      [undefined, email],
      ['x', email],
    ]) {
      const { status, body } = await signUp(invitation, to!)
      expect([status, body]).toEqual([
        403,
        refusal('sign_up_closed', 'Sign-up is closed. Ask the operator of this server for an invitation.'),
      ])
    }
    expect((await signUp(token, newEmail())).status).toBe(422)
    expect((await signUp(token, email)).body.data).toEqual({ is_signed_in: true })
  })
})

/** Where sign-up is closed, the operator is made on the command line. */
async function createFirst() {
  const operator = { name: 'Op', email: 'op@example.com' }
  await addUser({ db: closed.store.db, clock: systemClock }, operator)
  const browser = closed.browser()
  await browser.succeed('POST', '/session', { email: operator.email, password: PASSWORD })
  return browser
}

describe('a day has 200 invitations of a workspace', () => {
  const DAY_LIMIT = refusal(
    'daily_limit_reached',
    'A workspace may send 200 invitations a day (UTC). Try again tomorrow.',
  )

  const today = () => dayOf(systemClock.nowUs())

  /** Runs again if midnight (UTC) was in between. */
  async function withinOneDay(work: (day: number) => Promise<void>): Promise<void> {
    const day = today()
    try {
      await work(day)
    } catch (error) {
      if (today() === day) throw error
      await work(today())
    }
  }

  /** A workspace that has sent this number of invitations on a day. */
  async function withSent(count: number, day: number) {
    const user = await rig.user()
    const own = rig.store.db.updateTable('workspaces').where('id', '=', user.workspaceId)
    await own.set({ invitations_day: day, invitations_of_day: count }).execute()
    const sent = async () =>
      (
        await rig.store.db
          .selectFrom('workspaces')
          .select('invitations_of_day')
          .where('id', '=', user.workspaceId)
          .executeTakeFirstOrThrow()
      ).invitations_of_day
    const invite = (...emails: string[]) =>
      user.browser.request('POST', '/members/invitations', { emails, role: 'viewer' })
    return { user, sent, invite }
  }

  const sendTwoHundred = async (day: number) => {
    const { user, sent, invite } = await withSent(198, day)
    const refused = await invite(newEmail(), newEmail(), newEmail())
    expect([refused.status, refused.body]).toEqual([429, DAY_LIMIT])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
    expect(await user.browser.succeed('GET', '/members/invitations')).toEqual([])

    const first = newEmail()
    expect((await invite(first, user.email)).status).toBe(201)
    expect(await sent()).toBe(199)
    const { token } = await rig.mailTo(first)
    const [{ id }] = await user.browser.succeed('GET', '/members/invitations')
    const again = () => user.browser.request('POST', `/members/invitations/${id}/send`)
    expect((await again()).status).toBe(200)
    const { token: renewed } = await rig.mailTo(first)
    expect(await sent()).toBe(200)
    const over = await again()
    expect([over.status, over.body]).toEqual([429, DAY_LIMIT])
    expect((await invite(newEmail())).status).toBe(429)
    // The refused request has not replaced the link.
    expect((await rig.browser().request('POST', '/invitations/read', { token })).status).toBe(422)
    await rig.browser().succeed('POST', '/invitations/read', { token: renewed })
    await user.browser.succeed('POST', `/members/invitations/${id}/link`)
    expect(await sent()).toBe(200)
  }

  test('and those beyond are refused together, with the time to wait; sending again counts too', () =>
    withinOneDay(sendTwoHundred))

  test('and the next day begins with none', async () => {
    const { sent, invite } = await withSent(200, today() - 1)
    expect((await invite(newEmail(), newEmail())).status).toBe(201)
    expect(await sent()).toBe(2)
  })
})

async function addOperator(): Promise<void> {
  await rig.user()
  owner = await rig.user()
}

const newEmail = () => `invited${++number}@example.com`

async function inviteByMail(email: string, role = 'editor', typed = email): Promise<string> {
  await owner.browser.succeed('POST', '/members/invitations', { emails: [typed], role })
  return (await rig.mailTo(email)).token
}

async function inviteByLink(email: string, role = 'editor'): Promise<string> {
  await inviteByMail(email, role)
  const { id } = await pendingOf(email)
  const { link } = await owner.browser.succeed('POST', `/members/invitations/${id}/link`)
  expect(link).toStartWith(`${rig.config.baseUrl}/dashboard/invitation#`)
  return link.split('#')[1]
}

const pendingOf = async (email: string) => {
  const pending = await owner.browser.succeed('GET', '/members/invitations')
  return pending.find((each: { email: string }) => each.email === email)
}

const signUpWith = (token: string, email: string) =>
  rig.browser().request('POST', '/sign-up', { name: 'New', email, password: PASSWORD, invitation: token })
