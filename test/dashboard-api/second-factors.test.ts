import { beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { Authenticator } from '../rigs/outside/authenticator.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import {
  type Browser,
  startDashboardRig,
  type TestUser,
  useDashboardRig,
} from '../rigs/service/dashboard-rig.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

const rig = useDashboardRig()

beforeAll(async () => {
  await rig.user()
})

describe('two-factor sign-in', () => {
  test('begins with the first code; before it the secret has no effect', async () => {
    const { browser, email } = await rig.user()
    const wrong = await browser.request('POST', '/two-factor', { password: 'not it' })
    expect([wrong.status, wrong.body]).toEqual([422, invalid({ password: ['The password is incorrect.'] })])
    const { secret, uri } = await browser.succeed('POST', '/two-factor', { password: PASSWORD })
    const { host } = new URL(rig.config.baseUrl)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toStartWith(`otpauth://totp/${encodeURIComponent(host)}:${encodeURIComponent(email)}?`)
    expect(uri).toContain(`secret=${secret}`)
    expect((await signIn(rig.browser(), email)).body.data).toEqual({ is_signed_in: true, needs_code: false })
    expect((await browser.request('POST', '/two-factor/confirm', { code: '000000x' })).status).toBe(422)
    const { recovery_codes: codes } = await browser.succeed('POST', '/two-factor/confirm', {
      code: codeOf(secret),
    })
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect((await browser.succeed('GET', '/session')).security).toEqual({
      has_password: true,
      has_two_factor: true,
      recovery_codes_left: 10,
      passkeys: 0,
      confirmed_until: null,
    })
    expect((await browser.request('POST', '/two-factor', { password: PASSWORD })).status).toBe(409)
  })

  test('asks for the code only after the right password, and signs in with it', async () => {
    const { email, secret } = await withTwoFactor()
    const browser = rig.browser()
    const wrong = await browser.request('POST', '/session', {
      email,
      password: 'not it',
      code: codeOf(secret),
    })
    expect(wrong.body).toEqual(invalid({ email: ['The email or password is incorrect.'] }))
    const half = await signIn(browser, email)
    expect([half.body.data, browser.isSignedIn]).toEqual([{ is_signed_in: false, needs_code: true }, false])
    expect((await signIn(browser, email, '123')).body).toEqual(WRONG_CODE)
    const asNumber = await browser.request('POST', '/session', { email, password: PASSWORD, code: 123456 })
    expect(asNumber.body).toEqual(WRONG_CODE)
    expect(browser.isSignedIn).toBe(false)
    const code = codeOf(secret)
    expect((await signIn(browser, email, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
    expect(browser.isSignedIn).toBe(true)
  })

  test('slows down guessing of codes, and the right password in between does not speed it up', async () => {
    const { email } = await withTwoFactor()
    const guesser = rig.browser()
    const statuses = []
    for (let i = 0; i < 6; i++) {
      statuses.push((await signIn(guesser, email, '000 00x')).status)
      statuses.push((await signIn(guesser, email)).status)
    }
    expect(statuses).toContain(429)
  })

  test('accepts a recovery code once, however it is typed; new ones invalidate the old ones', async () => {
    const { browser, email, codes } = await withTwoFactor()
    const typed = codes[0]!.toLowerCase().replaceAll('-', ' ')
    expect((await signIn(rig.browser(), email, typed)).status).toBe(200)
    expect((await signIn(rig.browser(), email, codes[0])).body).toEqual(WRONG_CODE)
    expect((await browser.succeed('GET', '/session')).security.recovery_codes_left).toBe(9)
    const { recovery_codes: fresh } = await browser.succeed('POST', '/two-factor/recovery-codes', {
      password: PASSWORD,
    })
    expect((await signIn(rig.browser(), email, codes[1])).body).toEqual(WRONG_CODE)
    expect((await signIn(rig.browser(), email, fresh[9])).status).toBe(200)
    const rows = await rig.store.db.selectFrom('recovery_codes').selectAll().execute()
    expect(rows.every(({ code_hash: hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
  })

  test('counts wrong codes like wrong passwords', async () => {
    const { email } = await withTwoFactor()
    const browser = rig.browser()
    const statuses = []
    for (let i = 0; i < 12; i++) statuses.push((await signIn(browser, email, '000 000 0')).status)
    // Five are free; on a slow machine the first waits pass before the last request.
    expect(statuses.slice(0, 5)).toEqual([422, 422, 422, 422, 422])
    expect(statuses).toContain(429)
    const tried = statuses.filter((status) => status === 422).length
    expect((await accountOf(email)).failed_sign_ins).toBe(tried)
  })

  test('survives a password reset, and is turned off with the password', async () => {
    const { browser, email } = await withTwoFactor()
    const fresh = rig.browser()
    await fresh.succeed('POST', '/forgot-password', { email })
    const { token } = await rig.mailTo(email)
    await fresh.succeed('POST', '/reset-password', { token, password: PASSWORD })
    expect((await browser.request('GET', '/session')).status).toBe(401)
    expect((await signIn(fresh, email)).body.data.needs_code).toBe(true)
    const other = await withTwoFactor()
    expect((await other.browser.request('DELETE', '/two-factor', { password: 'not it' })).status).toBe(422)
    await other.browser.succeed('DELETE', '/two-factor', { password: PASSWORD })
    expect((await signIn(rig.browser(), other.email)).body.data.is_signed_in).toBe(true)
    expect(await accountOf(other.email)).toMatchObject({ totp_secret: null, totp_enabled_at: null })
  })

  test('requires a verified email address, so that nobody can set it up in another user’s account', async () => {
    const browser = rig.browser()
    const email = 'unverified@example.com'
    await browser.succeed('POST', '/sign-up', { name: 'U', email, password: PASSWORD })
    await browser.succeed('POST', '/session', { email, password: PASSWORD })
    for (const path of ['/two-factor', '/passkeys/options', '/keys', '/links']) {
      const { status, body } = await browser.request('POST', path, { password: PASSWORD })
      expect([path, status, body]).toEqual([
        path,
        403,
        refusal('email_unverified', 'The email address of this account is not verified.'),
      ])
    }
  })

  /** The code of a later step. */
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

  async function withTwoFactor(): Promise<TestUser & { secret: string; codes: string[] }> {
    const user = await rig.user()
    const { secret } = await user.browser.succeed('POST', '/two-factor', { password: PASSWORD })
    const { recovery_codes: codes } = await user.browser.succeed('POST', '/two-factor/confirm', {
      code: codeOf(secret),
    })
    // So that the code of this very moment can be tried again.
    await rig.store.db
      .updateTable('users')
      .set({ totp_last_step: null })
      .where('email', '=', user.email)
      .execute()
    await rig.store.db.deleteFrom('single_use_tokens').where('purpose', '=', 'used-code').execute()
    return { ...user, secret, codes }
  }

  const signIn = (browser: Browser, email: string, code?: string) =>
    browser.request('POST', '/session', { email, password: PASSWORD, code })
})

const WRONG_CODE = invalid({ code: ['The code is wrong or was already used.'] })

describe('a passkey', () => {
  const origin = () => rig.config.baseUrl

  async function withPasskey(): Promise<TestUser & { authenticator: Authenticator }> {
    const user = await rig.user()
    const authenticator = new Authenticator({ origin: origin() })
    const options = await user.browser.succeed('POST', '/passkeys/options', { password: PASSWORD })
    const response = authenticator.create(options)
    await user.browser.succeed('POST', '/passkeys', { name: ' My phone ', response })
    return { ...user, authenticator }
  }

  async function signInWith(authenticator: Authenticator, browser = rig.browser()) {
    const options = await browser.succeed('POST', '/session/passkey/options')
    return browser.request('POST', '/session/passkey', { response: authenticator.get(options) })
  }

  test('is created with the password, listed, and signs in without it and without a code', async () => {
    const { browser, email, authenticator } = await withPasskey()
    expect(await browser.succeed('GET', '/passkeys')).toEqual([
      { id: expect.any(Number), name: 'My phone', created_at: expect.any(String), last_used_at: null },
    ])
    const { secret } = await browser.succeed('POST', '/two-factor', { password: PASSWORD })
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await browser.succeed('POST', '/two-factor/confirm', { code })
    const other = rig.browser()
    expect((await signInWith(authenticator, other)).body.data).toEqual({
      is_signed_in: true,
      needs_code: false,
    })
    expect(await other.succeed('GET', '/session')).toMatchObject({ email, security: { passkeys: 1 } })
    expect((await other.succeed('GET', '/passkeys'))[0].last_used_at).toEqual(expect.any(String))
  })

  test('answers each challenge once', async () => {
    const { authenticator } = await withPasskey()
    const browser = rig.browser()
    const options = await browser.succeed('POST', '/session/passkey/options')
    const response = authenticator.get(options)
    await browser.succeed('POST', '/session/passkey', { response })
    expect((await browser.request('POST', '/session/passkey', { response })).body).toEqual(BAD_PASSKEY)
    const again = authenticator.get({ ...options, challenge: options.challenge })
    expect((await browser.request('POST', '/session/passkey', { response: again })).body).toEqual(BAD_PASSKEY)
  })

  test('of another account, for another site, unknown, cloned, or without user verification is refused', async () => {
    const { browser, authenticator } = await withPasskey()
    const stranger = new Authenticator({ origin: origin() })
    expect((await signInWith(stranger)).body).toEqual(BAD_PASSKEY)
    for (const odd of [
      new Authenticator({ origin: 'https://evil.example' }),
      new Authenticator({ origin: origin(), isUserVerified: false }),
    ]) {
      const options = await browser.succeed('POST', '/passkeys/options', { password: PASSWORD })
      const { status, body } = await browser.request('POST', '/passkeys', {
        name: 'Odd',
        response: odd.create(options),
      })
      expect([status, body]).toEqual([422, BAD_PASSKEY])
    }
    expect((await signInWith(authenticator)).status).toBe(200)
    expect((await signInWith(authenticator)).status).toBe(200)
    authenticator.count = 0
    expect((await signInWith(authenticator)).body).toEqual(BAD_PASSKEY)
    for (const response of [
      undefined,
      null,
      {},
      { id: 1 },
      'x',
      { id: 'x', response: { clientDataJSON: 7 } },
    ]) {
      expect((await browser.request('POST', '/passkeys', { name: 'Odd', response })).body).toEqual(
        BAD_PASSKEY,
      )
      expect((await browser.request('POST', '/session/passkey', { response })).body).toEqual(BAD_PASSKEY)
    }
  })

  test('is one of at most twenty, however many were started before', async () => {
    const { browser } = await rig.user()
    const { id: userId } = await browser.succeed('GET', '/session')
    const begun = []
    for (let i = 0; i < 3; i++)
      begun.push(await browser.succeed('POST', '/passkeys/options', { password: PASSWORD }))
    const made = Array.from({ length: 18 }, (_, i) => ({
      user_id: userId,
      credential_id: `${userId} ${i}`,
      public_key: new Uint8Array(1),
      counter: 0,
      transports: '[]',
      name: '',
      created_at: 1,
      last_used_at: null,
    }))
    await rig.store.db.insertInto('passkeys').values(made).execute()
    const statuses = []
    for (const options of begun) {
      const response = new Authenticator({ origin: origin() }).create(options)
      statuses.push((await browser.request('POST', '/passkeys', { name: 'One more', response })).status)
    }
    expect(statuses).toEqual([201, 201, 409])
  })

  test('is stored without unsigned data from the browser', async () => {
    const { browser } = await rig.user()
    const options = await browser.succeed('POST', '/passkeys/options', { password: PASSWORD })
    const created = new Authenticator({ origin: origin() }).create(options) as any
    const transports = ['usb', 'x'.repeat(100_000), { a: [] }, 'internal', 'usb']
    const response = { ...created, response: { ...created.response, transports } }
    const { id } = await browser.succeed('POST', '/passkeys', { name: 'Chatty', response })
    const row = await rig.store.db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
    expect(JSON.parse(row!.transports)).toEqual(['internal', 'usb'])
  })

  test('is not created with the challenge of another user', async () => {
    const [ann, bob] = [await rig.user(), await rig.user()]
    const options = await ann.browser.succeed('POST', '/passkeys/options', { password: PASSWORD })
    const response = new Authenticator({ origin: origin() }).create(options)
    expect((await bob.browser.request('POST', '/passkeys', { name: 'Bob', response })).body).toEqual(
      BAD_PASSKEY,
    )
    expect(await bob.browser.succeed('GET', '/passkeys')).toEqual([])
  })

  test('that was removed signs nobody in; removing it requires its owner and the password', async () => {
    const { browser, authenticator } = await withPasskey()
    const other = await rig.user()
    const [{ id }] = await browser.succeed('GET', '/passkeys')
    expect((await other.browser.request('DELETE', `/passkeys/${id}`, { password: PASSWORD })).status).toBe(
      404,
    )
    expect((await browser.request('DELETE', `/passkeys/${id}`, { password: 'not it' })).status).toBe(422)
    await browser.succeed('DELETE', `/passkeys/${id}`, { password: PASSWORD })
    expect((await signInWith(authenticator)).body).toEqual(BAD_PASSKEY)
  })

  test('needs a host name: at an IP address none is offered, and a request says why', async () => {
    const bare = await startDashboardRig({ BASE_URL: 'http://127.0.0.1:3000' })
    const browser = bare.browser()
    expect((await browser.succeed('GET', '/instance')).has_passkeys).toBe(false)
    const { status, body } = await browser.request('POST', '/session/passkey/options')
    expect([status, body]).toEqual([
      409,
      refusal('passkeys_unavailable', 'Passkeys need a host name, but BASE_URL is an IP address.'),
    ])
    await bare.stop()
  })
})

const accountOf = (email: string) =>
  rig.store.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

const BAD_PASSKEY = invalid({ response: ['The passkey could not be verified. Try again.'] })
