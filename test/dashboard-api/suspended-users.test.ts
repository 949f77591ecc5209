import { beforeAll, describe, expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/access/caller.ts'
import { suspendUser, userByEmail } from '../../src/operator/manage-users.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Authenticator } from '../rigs/outside/authenticator.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { memberOf, type TestUser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

const SUSPENDED = refusal('account_suspended', 'The operator has suspended this account.')
const ONLY_OPERATOR = 'This is the only operator account. Make another account an operator first.'

const rig = useOwnDashboardRig()
let operator: TestUser

beforeAll(async () => {
  operator = await rig.user()
})

describe('a user who is suspended', () => {
  test('is signed out and kept out, and their keys are refused, while their links go on working', async () => {
    const { browser, email } = await rig.user()
    const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
    const link = { original_url: 'https://example.com/', custom_code: 'outlives' }
    await browser.succeed('POST', '/links', link)
    await suspend(email)
    expect((await browser.request('GET', '/session')).status).toBe(401)
    expect(await signIn(email)).toEqual({ status: 403, body: SUSPENDED })
    expect((await signIn(email, 'not it')).body).toEqual(
      invalid({ email: ['The email or password is incorrect.'] }),
    )
    const call = await rig.call('GET', '/api/links', { key })
    expect([call.status, call.body]).toEqual([403, SUSPENDED])
    expect((await rig.call('GET', '/outlives')).status).toBe(302)
    const listed = await operator.browser.succeed('GET', `/admin/users?search=${email}`)
    expect(listed).toMatchObject([{ is_suspended: true }])
    await reinstate(email)
    expect((await browser.request('GET', '/session')).status).toBe(401)
    expect((await signIn(email)).status).toBe(200)
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
  })

  test('has no session, even one that began at the same moment', async () => {
    const { browser, email } = await rig.user()
    const suspended = (at: number | null) =>
      rig.store.db.updateTable('users').set({ suspended_at: at }).where('email', '=', email).execute()
    await suspended(1)
    expect((await browser.request('GET', '/session')).status).toBe(401)
    await suspended(null)
    expect((await browser.request('GET', '/session')).status).toBe(200)
  })

  test('cannot sign in with a passkey', async () => {
    const { browser, email } = await rig.user()
    const authenticator = new Authenticator({ origin: rig.config.baseUrl })
    const options = await browser.succeed('POST', '/passkeys/options', { password: PASSWORD })
    await browser.succeed('POST', '/passkeys', { name: 'Phone', response: authenticator.create(options) })
    const bySignature = async () => {
      const other = rig.browser()
      const asked = await other.succeed('POST', '/session/passkey/options')
      return other.request('POST', '/session/passkey', { response: authenticator.get(asked) })
    }
    await suspend(email)
    const { status, body } = await bySignature()
    expect({ status, body }).toEqual({ status: 403, body: SUSPENDED })
    await reinstate(email)
    expect((await bySignature()).status).toBe(200)
  })

  test('stays a member, and the audit log of each workspace says what happened, once', async () => {
    const owner = await rig.user()
    const member = await memberOf(rig, owner, 'editor')
    for (let i = 0; i < 2; i++) await suspend(member.email)
    expect((await owner.browser.request('GET', '/session')).status).toBe(200)
    for (let i = 0; i < 2; i++) await reinstate(member.email)
    const entries = await owner.browser.succeed('GET', '/audit-log')
    expect(entries).toMatchObject(
      ['member.reinstated', 'member.suspended'].map((action) => ({ action, target: member.email })),
    )
    expect((await signIn(member.email)).status).toBe(200)
  })
})

test('neither the only operator nor oneself is suspended, and nobody who does not exist', async () => {
  const deps = { db: rig.store.db, clock: systemClock }
  const suspendBy = async (email: string, by = COMMAND_LINE) => suspendUser(deps, by, await idOf(email))
  await expect(suspendBy(operator.email)).rejects.toThrow(ONLY_OPERATOR)
  const { email } = await rig.user()
  const userId = await idOf(email)
  await rig.store.db.updateTable('users').set({ role: 'admin' }).where('id', '=', userId).execute()
  await expect(suspendBy(email, { ...COMMAND_LINE, userId })).rejects.toThrow('You cannot suspend yourself.')
  await suspend(email)
  await expect(suspendBy(operator.email)).rejects.toThrow(ONLY_OPERATOR)
  await reinstate(email)
  await suspendBy(operator.email)
  await expect(suspendUser(deps, COMMAND_LINE, 999_999)).rejects.toThrow('User not found.')
  await expect(idOf('no@b.cd')).rejects.toThrow('There is no user with the email no@b.cd.')
})

const idOf = async (email: string): Promise<number> => (await userByEmail(rig.store.db, email)).id
const act = async (email: string, what: 'suspend' | 'reinstate') =>
  operator.browser.succeed('POST', `/admin/users/${await idOf(email)}/${what}`)
const suspend = (email: string) => act(email, 'suspend')
const reinstate = (email: string) => act(email, 'reinstate')
const signIn = async (email: string, password = PASSWORD) => {
  const { status, body } = await rig.browser().request('POST', '/session', { email, password })
  return { status, body }
}
