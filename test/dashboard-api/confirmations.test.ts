import { afterEach, beforeAll, expect, test } from 'bun:test'
import { Authenticator } from '../rigs/outside/authenticator.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type Browser } from '../rigs/service/dashboard-rig.ts'
import {
  type ProviderAccount,
  signInAtProvider,
  type SingleSignOnRig,
  startSingleSignOnRig,
} from '../rigs/outside/oidc-server.ts'
import { comeBack, link, newAccount, signInWith } from '../rigs/outside/provider-sign-in.ts'
import { useRig } from '../rigs/use-rig.ts'

const rig = useRig(() => startSingleSignOnRig())

beforeAll(async () => {
  // The first user is the operator.
  await rig.user()
})
afterEach(() => {
  rig.provider.lie = undefined
})

test('a user without a password confirms at the provider, and is asked for nothing else', async () => {
  const { browser, account } = await provided()
  // None of them counts as a wrong attempt, which would delay the next ones.
  for (const [method, path, input] of [...SENSITIVE, ...OTHERS])
    await expectUnconfirmed(browser, [method, path, input])
  expect(await securityOf(browser)).toMatchObject({ has_password: false, confirmed_until: null })
  const { status, body } = await confirm(browser, account)
  expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Confirmed.' } })
  const until = Date.parse((await securityOf(browser)).confirmed_until)
  expect(until).toBeGreaterThan(Date.now())
  expect(until).toBeLessThanOrEqual(Date.now() + 600_000)
  for (const [method, path, input, expected] of OTHERS) {
    const answer = await browser.request(method, path, input)
    expect({ path, status: answer.status }).toEqual({ path, status: expected })
    expect(answer.body.errors?.password).toBeUndefined()
  }
  for (const [method, path, input] of SENSITIVE) await browser.succeed(method, path, input)
})

test('a confirmation counts in its browser only, and for ten minutes', async () => {
  const { browser, account } = await provided()
  const other = rig.browser()
  await signInWith(rig, other, account)
  await confirm(browser, account)
  await expectUnconfirmed(other, ['POST', '/two-factor', {}])
  await browser.succeed('POST', '/two-factor', {})
  const sessions = rig.store.db.updateTable('sessions').where('confirmed_at', 'is not', null)
  await sessions.set((eb) => ({ confirmed_at: eb('confirmed_at', '-', 600_000_000) })).execute()
  await expectUnconfirmed(browser, ['POST', '/two-factor', {}])
  expect((await securityOf(browser)).confirmed_until).toBeNull()
})

test('the provider is asked for a new sign-in, and one of before is refused', async () => {
  const { browser, account } = await provided()
  const { url } = await browser.succeed('POST', '/session/confirm/provider', { provider: 'test' })
  expect(new URL(url).searchParams.get('max_age')).toBe('0')
  const before = Math.floor(Date.now() / 1000)
  for (const seconds of [3600, 120]) {
    rig.provider.lie = (claims) => ({ ...claims, auth_time: before - seconds })
    const { status, body } = await confirm(browser, account)
    expect({ seconds, status, message: body.message }).toEqual({
      seconds,
      status: 403,
      message: 'Test provider did not ask you to sign in. Sign out there, and try again.',
    })
  }
  await expectUnconfirmed(browser, ['POST', '/two-factor', {}])
  // The clocks may differ.
  rig.provider.lie = (claims) => ({ ...claims, auth_time: (claims.auth_time as number) - 30 })
  expect((await confirm(browser, account)).status).toBe(200)
  // Some providers never say when.
  rig.provider.lie = ({ auth_time: _, ...claims }) => claims
  expect((await confirm(browser, account)).status).toBe(200)
  const signIn = await rig.browser().succeed('POST', '/session/provider', { provider: 'test' })
  expect(new URL(signIn.url).searchParams.has('max_age')).toBe(false)
})

test('nobody confirms with another identity, for another user, or with a sign-in', async () => {
  const { browser, account } = await provided()
  const other = await provided()
  const foreign = await confirm(browser, other.account)
  expect({ status: foreign.status, message: foreign.body.message }).toEqual({
    status: 403,
    message: 'This Test provider account is not linked to your account.',
  })
  expect((await confirm(browser, newAccount())).status).toBe(403)

  const query = await startConfirmation(other.browser, account)
  browser.cookies.set('sign-in', other.browser.cookies.get('sign-in')!)
  expect((await finishConfirmation(browser, query)).status).toBe(422)
  const signedIn = await comeBack(rig, browser, account)
  expect((await finishConfirmation(browser, signedIn)).status).toBe(422)
  const confirmed = await startConfirmation(browser, account)
  const asSignIn = { provider: 'test', query: confirmed }
  expect((await browser.request('POST', '/session/provider/return', asSignIn)).status).toBe(422)
  await expectUnconfirmed(browser, ['POST', '/two-factor', {}])
  expect(
    (await rig.browser().request('POST', '/session/confirm/provider', { provider: 'test' })).status,
  ).toBe(401)
})

async function addPasskey(browser: Browser): Promise<Authenticator> {
  const authenticator = new Authenticator({ origin: new URL(rig.config.baseUrl).origin })
  const options = await browser.succeed('POST', '/passkeys/options', {})
  await browser.succeed('POST', '/passkeys', { name: 'Phone', response: authenticator.create(options) })
  return authenticator
}

async function confirmByPasskey(browser: Browser, authenticator: Authenticator) {
  const options = await browser.succeed('POST', '/session/passkey/options')
  return browser.request('POST', '/session/confirm/passkey', { response: authenticator.get(options) })
}

test('a passkey of the user confirms too, and that of another user does not', async () => {
  const { browser, account } = await provided()
  await confirm(browser, account)
  const passkey = await addPasskey(browser)
  const other = await provided()
  await confirm(other.browser, other.account)
  const foreign = await addPasskey(other.browser)

  const again = rig.browser()
  await signInWith(rig, again, account)
  const refused = await confirmByPasskey(again, foreign)
  expect({ status: refused.status, errors: refused.body.errors }).toEqual({
    status: 422,
    errors: { response: ['This passkey belongs to another account.'] },
  })
  const garbage = await again.request('POST', '/session/confirm/passkey', { response: {} })
  expect(garbage.status).toBe(422)
  await expectUnconfirmed(again, ['POST', '/two-factor', {}])
  expect((await confirmByPasskey(again, passkey)).status).toBe(200)
  await again.succeed('POST', '/two-factor', {})
})

test('the first password is set after a confirmation, and asked for from then on', async () => {
  const { browser, account } = await provided()
  await expectUnconfirmed(browser, ['POST', '/account/password', { new_password: PASSWORD }])
  await confirm(browser, account)
  await browser.succeed('POST', '/account/password', { new_password: PASSWORD })
  expect((await rig.mailTo(account.email)).subject).toContain('password')
  expect(await securityOf(browser)).toMatchObject({ has_password: true, confirmed_until: null })
  await confirm(browser, account)
  const refused = await browser.request('POST', '/two-factor', {})
  expect(refused.body.errors).toEqual({ password: ['Enter your password.'] })
  await browser.succeed('POST', '/two-factor', { password: PASSWORD })
})

const LAST_WAY = {
  status: 409,
  message: 'You could not sign in any more. Link another account, add a passkey or set a password first.',
}

test('a user without a password unlinks an identity or removes a passkey, and the last of them stays', async () => {
  const { issuer } = rig.provider
  const { browser, account } = await provided()
  await confirm(browser, account)
  const unlink = () => browser.request('DELETE', '/identities', { issuer })
  const refused = await unlink()
  expect({ status: refused.status, message: refused.body.message }).toEqual(LAST_WAY)
  expect((await signInWith(rig, rig.browser(), account)).status).toBe(200)

  await addPasskey(browser)
  await addPasskey(browser)
  expect((await unlink()).status).toBe(200)
  expect((await browser.succeed('GET', '/identities')).identities).toEqual([])
  const [first, second] = await browser.succeed('GET', '/passkeys')
  await browser.succeed('DELETE', `/passkeys/${first.id}`, {})
  const last = await browser.request('DELETE', `/passkeys/${second.id}`, {})
  expect({ status: last.status, message: last.body.message }).toEqual(LAST_WAY)
  expect(await browser.succeed('GET', '/passkeys')).toMatchObject([{ id: second.id }])
})

test('an identity at a provider that is not set any more is no way in', async () => {
  const { browser, account } = await provided()
  await confirm(browser, account)
  const { id: userId } = await browser.succeed('GET', '/session')
  const gone = { issuer: 'https://gone.example', subject: account.sub, user_id: userId }
  await rig.store.db
    .insertInto('user_identities')
    .values({ ...gone, email: account.email, created_at: 1, last_used_at: 1 })
    .execute()
  expect((await browser.request('DELETE', '/identities', { issuer: rig.provider.issuer })).status).toBe(409)
  await browser.succeed('DELETE', '/identities', { issuer: gone.issuer })
})

test('a user with a password unlinks the only identity', async () => {
  const user = await rig.user()
  await link(rig, user, newAccount())
  const { issuer } = rig.provider
  await user.browser.succeed('DELETE', '/identities', { issuer, password: PASSWORD })
})

test('an operator without a password confirms before a reset link, and before a user becomes an operator', async () => {
  const own = await startSingleSignOnRig({}, { SMTP_URL: '' })
  try {
    // The first user is the operator.
    const operator = own.browser()
    const account = newAccount()
    await signInWith(own, operator, account)
    const user = own.browser()
    await signInWith(own, user, newAccount())
    const path = `/admin/users/${(await user.succeed('GET', '/session')).id}`
    const change = ['PUT', path, { role: 'admin' }] as const
    await expectUnconfirmed(operator, ['POST', `${path}/reset-link`, {}])
    await expectUnconfirmed(operator, change)
    await confirm(operator, account, own)
    expect((await operator.succeed('POST', `${path}/reset-link`, {})).link).toContain('/reset-password#')
    await operator.succeed(...change)
  } finally {
    await own.stop()
  }
})

const UNCONFIRMED = {
  password: ['You have no password: first confirm that it is you, with your provider or a passkey.'],
}

type Provided = { browser: Browser; account: ProviderAccount & { email: string } }

/** A user who has signed up at the provider, and has no password. */
async function provided(): Promise<Provided> {
  const [browser, account] = [rig.browser(), newAccount()]
  await signInWith(rig, browser, account)
  return { browser, account }
}

async function startConfirmation(
  browser: Browser,
  account: ProviderAccount,
  { provider }: SingleSignOnRig = rig,
): Promise<string> {
  provider.account = account
  const { url } = await browser.succeed('POST', '/session/confirm/provider', { provider: 'test' })
  return (await signInAtProvider(url)).search
}

const finishConfirmation = (browser: Browser, query: string) =>
  browser.request('POST', '/session/confirm/provider/return', { provider: 'test', query })

const confirm = async (browser: Browser, account: ProviderAccount, own: SingleSignOnRig = rig) =>
  finishConfirmation(browser, await startConfirmation(browser, account, own))

const securityOf = async (browser: Browser) => (await browser.succeed('GET', '/session')).security

/** Each asks who it is. In an order in which all can succeed, one after the other. */
const SENSITIVE: [method: string, path: string, input: object][] = [
  ['POST', '/account/email', { email: 'renamed@example.com' }],
  ['POST', '/two-factor', {}],
  ['POST', '/passkeys/options', {}],
  ['POST', '/identities', { provider: 'test' }],
  ['DELETE', '/account', {}],
]
/** Refused for another reason after the confirmation. */
const OTHERS: [method: string, path: string, input: object, status: number][] = [
  ['POST', '/two-factor/recovery-codes', {}, 409],
  ['DELETE', '/passkeys/1', {}, 404],
  ['DELETE', '/identities', { issuer: 'https://other.example' }, 404],
  ['POST', '/workspace/transfer', { user_id: 999 }, 404],
  ['DELETE', '/workspace', { name: 'another' }, 422],
]

const expectUnconfirmed = async (
  browser: Browser,
  [method, path, input]: readonly [string, string, object],
) => {
  const { status, body } = await browser.request(method, path, { ...input, password: '' })
  expect({ path, status, errors: body.errors }).toEqual({ path, status: 422, errors: UNCONFIRMED })
}
