import { afterEach, describe, expect, test } from 'bun:test'
import { accountByEmail } from '../../src/users/find-account.ts'
import { startSingleSignOnRig } from '../rigs/outside/oidc-server.ts'
import { newAccount, signInWith } from '../rigs/outside/provider-sign-in.ts'
import { useRig } from '../rigs/use-rig.ts'

// The provider of these tests puts claims into UserInfo only, unless it lies about the ID token.

const rig = useRig(() =>
  startSingleSignOnRig({
    scopes: ['groups'],
    group_roles: [{ group: 'staff', workspace: 'Staff', role: 'editor' }],
  }),
)
afterEach(() => Object.assign(rig.provider, { lie: undefined, discovery: undefined }))

describe('UserInfo is asked for what the ID token lacks', () => {
  test('groups', async () => {
    const owner = await rig.user()
    const { id } = await owner.browser.succeed('POST', '/workspaces', { name: 'Staff' })
    const account = newAccount({ groups: ['staff'] })
    sayInToken({ email: account.email, email_verified: true, name: account.name })
    expect(await signIn(account)).toBe(200)
    const { userId } = await accountByEmail(rig.store.db, account.email)
    const rows = await rig.store.db
      .selectFrom('members')
      .select('role')
      .where('workspace_id', '=', id)
      .where('user_id', '=', userId)
      .execute()
    expect(rows).toEqual([{ role: 'editor' }])
  })

  test('whether the email is verified', async () => {
    const account = newAccount()
    sayInToken({ email: account.email, email_verified: null })
    expect(await signIn(account)).toBe(200)
    const unverified = newAccount({ email_verified: false })
    sayInToken({ email: unverified.email })
    expect(await signIn(unverified)).toBe(403)
  })

  test('the name', async () => {
    const account = newAccount()
    sayInToken({ email: account.email, email_verified: true })
    expect(await signIn(account)).toBe(200)
    expect(await nameOf(account.email)).toBe(account.name as string)
  })

  test('the email that UserInfo says is verified is the one of UserInfo', async () => {
    const account = newAccount()
    sayInToken({ email: 'boss@example.com' })
    expect(await signIn(account)).toBe(200)
    expect(await nameOf(account.email)).toBe(account.name as string)
    expect(await nameOf('boss@example.com')).toBeUndefined()
  })

  test('what the ID token says stands', async () => {
    const account = newAccount({ email_verified: true })
    sayInToken({ email: account.email, email_verified: false })
    expect(await signIn(account)).toBe(403)
  })
})

describe.each([
  ['without an endpoint for UserInfo', withoutUserInfo],
  ['whose UserInfo fails', withBrokenUserInfo],
])('a provider %s', (_, prepare) => {
  test('signs in whose verified email is in the ID token, and nobody else', async () => {
    prepare()
    const account = newAccount()
    sayInToken({ email: account.email, email_verified: true })
    expect(await signIn(account)).toBe(200)
    expect(await nameOf(account.email)).toBe(account.email.split('@')[0])
    const other = newAccount()
    sayInToken({ email: other.email })
    expect([403, 422]).toContain(await signIn(other))
    expect(await nameOf(other.email)).toBeUndefined()
  })
})

test('where the issuer differs, the page says that the operator must change it, and names no URL', async () => {
  rig.provider.discovery = (document) => ({ ...document, issuer: `${rig.provider.issuer}/realms/a` })
  const { status, body } = await rig.browser().request('POST', '/session/provider', { provider: 'test' })
  expect({ status, message: body.message }).toEqual({
    status: 503,
    message:
      'Single sign-on with Test provider is not set up correctly. Ask the operator of this server, who finds the reason in the log.',
  })
})

function withoutUserInfo() {
  rig.provider.discovery = ({ userinfo_endpoint: _, ...document }) => document
}

/** An endpoint that answers 404. */
function withBrokenUserInfo() {
  rig.provider.discovery = (document) => ({ ...document, userinfo_endpoint: `${rig.provider.issuer}/gone` })
}

/** In the ID token. */
const sayInToken = (claims: object) => {
  rig.provider.lie = (others) => ({ ...others, ...claims })
}
const signIn = async (account: ReturnType<typeof newAccount>) =>
  (await signInWith(rig, rig.browser(), account)).status

const nameOf = async (email: string) =>
  (await rig.store.db.selectFrom('users').select('name').where('email', '=', email).execute())[0]?.name
