import { Secret, TOTP } from 'otpauth'
import { afterEach, describe, expect, test } from 'bun:test'
import { accountByEmail } from '../../src/users/find-account.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type Browser } from '../rigs/service/dashboard-rig.ts'
import {
  type ProviderAccount,
  signInAtProvider,
  type SingleSignOnRig as Rig,
  startSingleSignOnRig,
} from '../rigs/outside/oidc-server.ts'
import {
  comeBack,
  finish,
  link,
  newAccount,
  signInWith,
  startLink,
} from '../rigs/outside/provider-sign-in.ts'
import { useRig } from '../rigs/use-rig.ts'

describe('signing in at a provider', () => {
  const rig = useRig(() => startSingleSignOnRig())
  resetAfterEach(rig)

  test('the instance names the providers, and none of their secrets', async () => {
    expect(await rig.browser().succeed('GET', '/instance')).toMatchObject({
      providers: [{ id: 'test', name: 'Test provider' }],
      providers_only: false,
    })
  })

  test('a new user is created, with a verified email and no password, and comes in again', async () => {
    const [browser, account] = [rig.browser(), newAccount()]
    const { status, body } = await signInWith(rig, browser, account)
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, message: 'Signed in.', data: { outcome: 'signed-in' } },
    })
    const me = await browser.succeed('GET', '/session')
    expect(me).toMatchObject({ email: account.email, name: account.name, is_verified: true })
    expect(await usersOf(rig, account.email)).toMatchObject([{ password_hash: '' }])

    const other = rig.browser()
    await signInWith(rig, other, { ...account, email: 'renamed@example.com' })
    expect((await other.succeed('GET', '/session')).id).toBe(me.id)
    expect(await other.succeed('GET', '/identities')).toMatchObject({
      identities: [{ name: 'Test provider', issuer: rig.provider.issuer, email: 'renamed@example.com' }],
      linkable: [],
    })
  })

  test('the request carries PKCE, state and nonce, and the secret goes in the header', async () => {
    const browser = rig.browser()
    rig.provider.account = newAccount()
    const { url } = await browser.succeed('POST', '/session/provider', { provider: 'test' })
    const sent = new URL(url).searchParams
    expect(sent.get('code_challenge_method')).toBe('S256')
    expect(sent.get('scope')).toBe('openid email profile')
    for (const name of ['code_challenge', 'state', 'nonce']) expect(sent.get(name)).toMatch(/^[\w-]{43}$/)
    const token = browser.cookies.get('sign-in')!
    expect(url).not.toContain(token)
    expect((await finish(browser, (await signInAtProvider(url)).search)).status).toBe(200)
    const request = rig.provider.tokenRequests.at(-1)!
    expect(request.form.get('code_verifier')).toMatch(/^[\w-]{43}$/)
    expect(request.form.has('client_secret')).toBe(false)
    expect(request.authorization).toStartWith('Basic ')
    expect(browser.cookies.has('sign-in')).toBe(false)
  })

  test('after a change of keys the new ones count at once', async () => {
    const [browser, account] = [rig.browser(), newAccount()]
    await signInWith(rig, browser, account)
    rig.provider.rotateKeys()
    expect((await signInWith(rig, rig.browser(), account)).status).toBe(200)
  })

  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const LIES: [what: string, lie: (claims: Record<string, unknown>) => Record<string, unknown>][] = [
    ['nonce', (claims) => ({ ...claims, nonce: 'of another flow' })],
    ['missing nonce', ({ nonce: _, ...claims }) => claims],
    ['issuer', (claims) => ({ ...claims, iss: 'https://other.example' })],
    ['audience', (claims) => ({ ...claims, aud: 'another client' })],
    ['expired token', (claims) => ({ ...claims, exp: nowSeconds() - 120, iat: nowSeconds() - 240 })],
    ['missing end', ({ exp: _, ...claims }) => claims],
  ]
  test.each(LIES)('a wrong %s is refused, and nobody is created', async (_, lie) => {
    const [browser, account] = [rig.browser(), newAccount()]
    rig.provider.lie = lie
    await expectUnverified(browser, account)
  })

  test('a token signed with a key that the provider does not have is refused', async () => {
    rig.provider.isForged = true
    await expectUnverified(rig.browser(), newAccount())
  })

  async function expectUnverified(browser: Browser, account: ProviderAccount & { email: string }) {
    const { status, body } = await signInWith(rig, browser, account)
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: {
        provider: ['The answer of Test provider could not be verified. Try again, or ask the operator.'],
      },
    })
    expect(browser.isSignedIn).toBe(false)
    expect(await usersOf(rig, account.email)).toEqual([])
  }

  test.each([
    ['state', (query: URLSearchParams) => query.set('state', 'x'.repeat(43))],
    ['missing state', (query: URLSearchParams) => query.delete('state')],
    ['issuer in the URL', (query: URLSearchParams) => query.set('iss', 'https://other.example')],
    ['code', (query: URLSearchParams) => query.set('code', 'y'.repeat(43))],
  ])('a wrong %s is refused', async (_, change) => {
    const browser = rig.browser()
    const query = new URLSearchParams(await comeBack(rig, browser, newAccount()))
    change(query)
    expect((await finish(browser, `?${query}`)).status).toBe(422)
    expect(browser.isSignedIn).toBe(false)
  })

  const SPENT = {
    query: ['This sign-in was already used, has expired, or began in another browser. Try again.'],
  }

  test('what came back works once', async () => {
    const browser = rig.browser()
    const query = await comeBack(rig, browser, newAccount())
    const cookie = browser.cookies.get('sign-in')!
    expect((await finish(browser, query)).status).toBe(200)
    browser.cookies.set('sign-in', cookie)
    expect((await finish(browser, query)).body.errors).toEqual(SPENT)
  })

  test('a code that was used is refused in a new flow too', async () => {
    const browser = rig.browser()
    const first = new URLSearchParams(await comeBack(rig, browser, newAccount()))
    expect((await finish(browser, `?${first}`)).status).toBe(200)
    const other = rig.browser()
    const second = new URLSearchParams(await comeBack(rig, other))
    second.set('code', first.get('code')!)
    expect((await finish(other, `?${second}`)).status).toBe(422)
    expect(other.isSignedIn).toBe(false)
  })

  test('another browser cannot use what came back, with a flow of its own or without', async () => {
    const query = await comeBack(rig, rig.browser(), newAccount())
    const stranger = rig.browser()
    expect((await finish(stranger, query)).body.errors).toEqual(SPENT)
    await stranger.succeed('POST', '/session/provider', { provider: 'test' })
    expect((await finish(stranger, query)).status).toBe(422)
    expect(stranger.isSignedIn).toBe(false)
  })

  test.each([[{ email_verified: false }], [{ email_verified: undefined }], [{ email: undefined }]])(
    'without a verified email nobody comes in: %j',
    async (more) => {
      const [browser, account] = [rig.browser(), newAccount(more)]
      const { status, body } = await signInWith(rig, browser, account)
      expect({ status, message: body.message }).toEqual({
        status: 403,
        message: 'Test provider has not verified your email address.',
      })
      expect(browser.isSignedIn).toBe(false)
      expect((await identities(rig)).map(({ subject }) => subject)).not.toContain(account.sub)
    },
  )

  test('a user with that email is not taken over: they link the identity in their account first', async () => {
    const user = await rig.user()
    const account = newAccount({ email: user.email })
    const stranger = rig.browser()
    const { status, body } = await signInWith(rig, stranger, account)
    expect({ status, message: body.message }).toEqual({
      status: 409,
      message:
        `${user.email} has an account here that is not linked to Test provider. Sign in to it with your password or ` +
        'passkey, then link Test provider under Account, Security.',
    })
    expect(stranger.isSignedIn).toBe(false)
    expect((await identities(rig)).map(({ subject }) => subject)).not.toContain(account.sub)

    expect((await link(rig, user, account)).body.data).toEqual({ outcome: 'linked' })
    expect((await rig.mailTo(user.email)).subject).toContain('was linked to Test provider')
    const other = rig.browser()
    expect((await signInWith(rig, other, account)).body.data).toEqual({ outcome: 'signed-in' })
    expect((await other.succeed('GET', '/session')).email).toBe(user.email)
  })

  test('linking and unlinking ask for the password', async () => {
    const user = await rig.user()
    const { browser } = user
    const wrong = { provider: 'test', password: 'a wrong password' }
    expect((await browser.request('POST', '/identities', wrong)).status).toBe(422)
    expect((await rig.browser().request('POST', '/identities', wrong)).status).toBe(401)
    await link(rig, user, newAccount())
    const { issuer } = rig.provider
    const refused = await browser.request('DELETE', '/identities', { issuer, password: '' })
    expect(refused.body.errors).toEqual({ password: ['Enter your password.'] })
    const other = await rig.user()
    const foreign = await other.browser.request('DELETE', '/identities', { issuer, password: PASSWORD })
    expect({ status: foreign.status, message: foreign.body.message }).toEqual({
      status: 404,
      message: 'Identity not found.',
    })
    await browser.succeed('DELETE', '/identities', { issuer, password: PASSWORD })
    expect(await browser.succeed('GET', '/identities')).toEqual({
      identities: [],
      linkable: [{ id: 'test', name: 'Test provider' }],
    })
  })

  test('the export of a user has the linked identities, and only theirs', async () => {
    const user = await rig.user()
    const account = newAccount({ email: 'ann@provider.example' })
    await link(rig, user, account)
    const { text } = await user.browser.request('GET', '/export')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(lines.filter(({ type }) => type === 'identity')).toEqual([
      {
        type: 'identity',
        issuer: rig.provider.issuer,
        subject: account.sub,
        email: account.email,
        linked_at: at,
        last_used_at: at,
      },
    ])
    expect(lines[0]).toMatchObject({ type: 'account', has_password: true })
  })

  test('an identity has one user, and a user one identity at a provider', async () => {
    const [user, other, account] = [await rig.user(), await rig.user(), newAccount()]
    await link(rig, user, account)
    const taken = await link(rig, other, account)
    expect(taken.body.message).toBe('This Test provider account is linked to another user.')
    const second = await link(rig, user, newAccount())
    expect(second.body.message).toBe('Your account is already linked to Test provider.')
  })

  test('what a user began is of no use after a change of the password', async () => {
    const user = await rig.user()
    const account = newAccount()
    const query = await startLink(rig, user, account)
    const change = { password: PASSWORD, new_password: 'another battery staple horse' }
    await user.browser.succeed('POST', '/account/password', change)
    expect((await finish(user.browser, query)).body.errors).toEqual(SPENT)
  })

  test('the provider does not take the place of the second factor', async () => {
    const user = await rig.user()
    const { secret } = await user.browser.succeed('POST', '/two-factor', { password: PASSWORD })
    const codeOf = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
    await user.browser.succeed('POST', '/two-factor/confirm', { code: codeOf(0) })
    const account = newAccount()
    await link(rig, user, account)

    const browser = rig.browser()
    expect((await signInWith(rig, browser, account)).body.data).toEqual({ outcome: 'needs-code' })
    expect(browser.isSignedIn).toBe(false)
    const enter = (own: Browser, code: string) => own.request('POST', '/session/provider/code', { code })
    expect((await enter(browser, '000000')).body.errors).toEqual({
      code: ['The code is wrong or was already used.'],
    })
    expect((await enter(rig.browser(), codeOf(1))).body.errors).toEqual({
      code: ['This sign-in has expired. Sign in again.'],
    })
    await browser.succeed('POST', '/session/provider/code', { code: codeOf(1) })
    expect((await browser.succeed('GET', '/session')).email).toBe(user.email)
  })

  test('a suspended and a closed user do not come in', async () => {
    const [browser, account] = [rig.browser(), newAccount()]
    await signInWith(rig, browser, account)
    const { workspaceId } = await accountByEmail(rig.store.db, account.email)
    const suspend = (at: number | null) =>
      rig.store.db.updateTable('workspaces').set({ suspended_at: at }).where('id', '=', workspaceId).execute()
    await suspend(1)
    expect((await signInWith(rig, rig.browser(), account)).body.message).toBe(
      'The operator has suspended this account.',
    )
    await suspend(null)
    const suspendUser = (at: number | null) =>
      rig.store.db.updateTable('users').set({ suspended_at: at }).where('email', '=', account.email).execute()
    await suspendUser(1)
    const { status, body } = await signInWith(rig, rig.browser(), account)
    expect([status, body.message]).toEqual([403, 'The operator has suspended this account.'])
    await suspendUser(null)
    expect((await signInWith(rig, rig.browser(), account)).status).toBe(200)
    const user = await rig.user()
    const linked = newAccount()
    await link(rig, user, linked)
    await user.browser.succeed('DELETE', '/account', { password: PASSWORD })
    expect((await identities(rig)).map(({ subject }) => subject)).not.toContain(linked.sub)
  })

  test('what is no provider, and what the user did not allow, are named', async () => {
    const browser = rig.browser()
    const unknown = await browser.request('POST', '/session/provider', { provider: 'other' })
    expect({ status: unknown.status, message: unknown.body.message }).toEqual({
      status: 404,
      message: 'Provider not found.',
    })
    const query = new URLSearchParams(await comeBack(rig, browser, newAccount()))
    query.delete('code')
    query.set('error', 'access_denied')
    expect((await finish(browser, `?${query}`)).body.errors).toEqual({
      provider: ['Test provider did not allow it.'],
    })
    expect((await finish(browser, 'x'.repeat(8_193))).body.errors).toEqual({
      query: ['The query is too long.'],
    })
  })
})

const usersOf = (rig: Rig, email: string) =>
  rig.store.db.selectFrom('users').selectAll().where('email', '=', email).execute()

const identities = (rig: Rig) => rig.store.db.selectFrom('user_identities').selectAll().execute()

function resetAfterEach(rig: Rig): void {
  afterEach(() => {
    rig.provider.lie = undefined
    rig.provider.isForged = false
  })
}
