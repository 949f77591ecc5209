import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outboxFolder } from '../../src/mail/open-mail-queue.ts'
import { eventually } from '../rigs/eventually.ts'
import { partsOf } from '../rigs/outside/mail-server.ts'
import { invalid } from '../specification/contract-rig.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { startDashboardRig, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'

const rig = useOwnDashboardRig()

const accountOf = (email: string) =>
  rig.store.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
/** Of one address: mails of the test before may still be on their way. */
const mailsTo = (...emails: string[]) =>
  rig.mailServer.mails.filter(({ to }) => to.some((address) => emails.includes(address))).length
const NEW = { name: 'Ann', email: 'ann@example.com', password: PASSWORD }

describe('the first account', () => {
  test('is the operator, and is signed in at once; with a mail server its email address is verified like any other', async () => {
    const browser = rig.browser()
    expect((await browser.request('GET', '/instance')).body.data).toEqual({
      base_url: rig.config.baseUrl,
      sign_up: 'open',
      is_empty: true,
      sends_mail: true,
      looks_at_destinations: rig.config.fetchDestinations,
      trash_days: 30,
      audit_days: 400,
      has_passkeys: true,
      providers: [],
      providers_only: false,
    })
    const { status, body } = await browser.request('POST', '/sign-up', {
      ...NEW,
      email: 'operator@example.com',
    })
    expect([status, body]).toEqual([
      200,
      { success: true, message: 'Signed up.', data: { is_signed_in: true } },
    ])
    const me = await browser.succeed('GET', '/session')
    expect(me).toMatchObject({ email: 'operator@example.com', role: 'admin', is_verified: false })
    const { token } = await rig.mailTo('operator@example.com')
    await browser.succeed('POST', '/verify-email', { token })
    expect((await browser.succeed('GET', '/session')).is_verified).toBe(true)
    expect((await browser.succeed('GET', '/instance')).is_empty).toBe(false)
  })

  test('counts as verified without a mail server; the emails of others are in the outbox', async () => {
    const bare = await startDashboardRig({ SMTP_URL: '' })
    const operator = bare.browser()
    expect(await operator.succeed('POST', '/sign-up', NEW)).toEqual({ is_signed_in: true })
    expect(await operator.succeed('GET', '/session')).toMatchObject({ role: 'admin', is_verified: true })
    expect((await operator.succeed('GET', '/instance')).sends_mail).toBe(false)
    expect(existsSync(outboxFolder(bare.config.dataDir))).toBe(false)
    const browser = bare.browser()
    const email = 'second@example.com'
    await browser.succeed('POST', '/sign-up', { ...NEW, email })
    const [name] = await eventually(
      async () =>
        existsSync(outboxFolder(bare.config.dataDir)) ? readdirSync(outboxFolder(bare.config.dataDir)) : [],
      (names) => names.some((each) => each.endsWith('.eml')),
    )
    const mail = readFileSync(join(outboxFolder(bare.config.dataDir), name!), 'utf8')
    const token = /#([\w-]{43})/.exec(partsOf(mail).text)![1]
    expect(await browser.succeed('POST', '/verify-email', { token })).toEqual({ email })
    await bare.stop()
  })

  test('is only one, however many sign up at the same time', async () => {
    const empty = await startDashboardRig()
    const all = Array.from({ length: 8 }, (_, i) =>
      empty.browser().request('POST', '/sign-up', { ...NEW, email: `first${i}@example.com` }),
    )
    const signedIn = (await Promise.all(all)).filter(({ body }) => body.data.is_signed_in)
    const admins = await empty.store.db.selectFrom('users').select('id').where('role', '=', 'admin').execute()
    expect([signedIn.length, admins.length]).toEqual([1, 1])
    await empty.stop()
  })
})

describe('signing up', () => {
  test('emails a link; opening its page does not use it up, its button verifies, and then the account can sign in', async () => {
    const browser = rig.browser()
    const { status, body, headers } = await browser.request('POST', '/sign-up', NEW)
    expect([status, body, headers.get('set-cookie')]).toEqual([
      200,
      {
        success: true,
        message: 'We sent you an email with the next step.',
        data: { is_signed_in: false },
      },
      null,
    ])
    const { subject, text, html, token } = await rig.mailTo('ann@example.com')
    expect(subject).toBe(`Confirm your email for ${new URL(rig.config.baseUrl).host}`)
    expect(text).toContain(`${rig.config.baseUrl}/dashboard/verify-email#${token}`)
    expect(html).toContain(`href="${rig.config.baseUrl}/dashboard/verify-email#${token}"`)
    // As a mail scanner opens it, and as a browser that follows the link does.
    for (let i = 0; i < 20; i++) await rig.call('GET', `/dashboard/verify-email`)
    for (let i = 0; i < 20; i++) await browser.request('GET', `/verify-email?token=${token}`)
    expect((await accountOf(NEW.email))!.email_verified_at).toBeNull()
    expect(await browser.succeed('POST', '/verify-email', { token })).toEqual({ email: NEW.email })
    await browser.succeed('POST', '/session', { email: ' ANN@example.com', password: PASSWORD })
    expect(await browser.succeed('GET', '/session')).toMatchObject({
      name: 'Ann',
      email: NEW.email,
      role: 'user',
      is_verified: true,
      plan: 'free',
      requests_per_hour: 100,
      security: {
        has_password: true,
        has_two_factor: false,
        recovery_codes_left: 0,
        passkeys: 0,
        confirmed_until: null,
      },
    })
  })

  test('with the email address of an account gets the same response, byte for byte, and its owner gets another email', async () => {
    const before = await accountOf(NEW.email)
    const known = await rig
      .browser()
      .request('POST', '/sign-up', { ...NEW, name: 'Mallory', password: `${PASSWORD} 2` })
    const unknown = await rig.browser().request('POST', '/sign-up', { ...NEW, email: 'bob@example.com' })
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    const names = ({ headers }: typeof known) => [...headers.keys()].sort()
    expect(names(known)).toEqual(names(unknown))
    expect(await accountOf(NEW.email)).toEqual(before!)
    const { subject, text, token } = await rig.mailTo(NEW.email)
    expect(subject).toStartWith('You already have an account')
    expect(text).toContain(`/dashboard/reset-password#${token}`)
    expect(text).not.toContain('Mallory')
  })

  test('puts no user input into an email to an unconfirmed address', async () => {
    const name = 'You have won: see https://evil.example'
    const email = 'not-mine@example.com'
    const stranger = rig.browser()
    for (const [path, input] of [
      ['/sign-up', { name, email, password: PASSWORD }],
      ['/sign-up', { name, email, password: PASSWORD }],
      ['/forgot-password', { email }],
    ] as const) {
      await stranger.succeed('POST', path, input)
      const { text, html } = await rig.mailTo(email)
      expect(text).toStartWith('Hello,')
      expect(text + html).not.toContain('evil.example')
    }
    const { browser } = await rig.user()
    await browser.succeed('PUT', '/account', { name })
    await browser.succeed('POST', '/account/email', { email: 'nor-mine@example.com', password: PASSWORD })
    expect((await rig.mailTo('nor-mine@example.com')).text).not.toContain('evil.example')
  })

  test('reports all errors at once', async () => {
    const bad = { name: ' ', email: 'ann', password: 'short' }
    const { status, body } = await rig.browser().request('POST', '/sign-up', bad)
    expect([status, body]).toEqual([
      422,
      invalid({
        name: ['The name field is required.'],
        email: ['The email must be a valid email address.'],
        password: ['The password must be at least 12 characters.'],
      }),
    ])
  })

  test.each([
    ['Password12345!', 'common'],
    ['aaaaaaaaaaaaaaaa', 'one letter'],
    ['qwertyuiopasdf', 'a row of keys'],
    ['ann@example.com', 'the address'],
  ])('refuses the password %s, which is %s', async (password) => {
    const { body } = await rig.browser().request('POST', '/sign-up', { ...NEW, password })
    expect(body).toEqual(
      invalid({ password: ['The password is too easy to guess. Avoid your name and repeated words.'] }),
    )
  })

  test('refuses a name that would inject a header, and emails nobody', async () => {
    const { status, body } = await rig
      .browser()
      .request('POST', '/sign-up', { ...NEW, email: 'eve@example.com', name: 'a\r\nBcc: x@example.com' })
    expect([status, body]).toEqual([422, invalid({ name: ['The name may not contain control characters.'] })])
    expect(await accountOf('eve@example.com')).toBeUndefined()
    expect(mailsTo('eve@example.com', 'x@example.com')).toBe(0)
  })
})

describe('the link in an email', () => {
  test('works once', async () => {
    const { browser, email } = await rig.user()
    await browser.succeed('POST', '/forgot-password', { email })
    const { token } = await rig.mailTo(email)
    const password = 'another horse entirely'
    await browser.succeed('POST', '/reset-password', { token, password })
    const again = await browser.request('POST', '/reset-password', { token, password })
    expect([again.status, again.body]).toEqual([422, SPENT])
  })

  test('works for one purpose only, and a made-up one for none', async () => {
    const email = 'carl@example.com'
    const browser = rig.browser()
    await browser.succeed('POST', '/sign-up', { ...NEW, email })
    const { token } = await rig.mailTo(email)
    for (const [path, body] of [
      ['/reset-password', { token, password: PASSWORD }],
      ['/confirm-email', { token }],
      ['/verify-email', { token: `${token}x` }],
      ['/verify-email', {}],
      ['/verify-email', { token: { $gt: '' } }],
    ] as const) {
      const { status, body: answer } = await browser.request('POST', path, body)
      expect([path, status, answer]).toEqual([path, 422, SPENT])
    }
    await browser.succeed('POST', '/verify-email', { token })
  })

  test('expires after a day, and a reset link after half an hour', async () => {
    const email = 'dora@example.com'
    const browser = rig.browser()
    await browser.succeed('POST', '/sign-up', { ...NEW, email })
    const verify = await rig.mailTo(email)
    await browser.succeed('POST', '/forgot-password', { email })
    const reset = await rig.mailTo(email)
    const lifetimes = await rig.store.db
      .selectFrom('single_use_tokens')
      .innerJoin('users', 'users.id', 'user_id')
      .select(['purpose', 'expires_at', 'users.created_at'])
      .where('users.email', '=', email)
      .orderBy('purpose')
      .execute()
    const hours = lifetimes.map((row) => Math.round((row.expires_at - row.created_at) / 360_000_000) / 10)
    expect(hours).toEqual([0.5, 24])
    await rig.store.db.updateTable('single_use_tokens').set({ expires_at: 1 }).execute()
    const late = await browser.request('POST', '/verify-email', { token: verify.token })
    const later = await browser.request('POST', '/reset-password', { token: reset.token, password: PASSWORD })
    expect([late.body, later.body]).toEqual([SPENT, SPENT])
  })

  test('is stored only as a hash', async () => {
    const email = 'erin@example.com'
    await rig.browser().succeed('POST', '/sign-up', { ...NEW, email })
    const { token } = await rig.mailTo(email)
    expect(token).toMatch(/^[\w-]{43}$/)
    const rows = await rig.store.db.selectFrom('single_use_tokens').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ token_hash: hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('has our base URL, whatever the Host header says', async () => {
    const email = 'fay@example.com'
    await rig.browser().request('POST', '/sign-up', { ...NEW, email }, { Host: 'evil.example' })
    const { text, html } = await rig.mailTo(email)
    expect(text).toContain(rig.config.baseUrl)
    expect(text + html).not.toContain('evil.example')
  })
})

const SPENT = invalid({ token: ['This link was already used or has expired. Request a new one.'] })

describe('requesting emails', () => {
  test('sends three an hour to one email address, from any network, known or unknown', async () => {
    const email = 'three@example.com'
    await rig.browser().succeed('POST', '/sign-up', { ...NEW, email })
    await rig.mailTo(email)
    const counts = []
    for (const address of [email, 'nobody@example.com']) {
      const statuses: number[] = []
      for (let i = 0; i < 20; i++) {
        const { status } = await rig.browser().request('POST', '/forgot-password', { email: address })
        statuses.push(status)
      }
      counts.push(statuses.filter((status) => status === 200).length)
      expect(new Set(statuses.slice(3))).toEqual(new Set([429]))
    }
    // The sign-up was the first of the user's three.
    expect(counts).toEqual([2, 3])
    await rig.mailTo(email)
    await rig.mailTo(email)
    // The mail to verify, and the two.
    expect([mailsTo(email), mailsTo('nobody@example.com')]).toEqual([3, 0])
  })

  test('is limited per network too, whatever email addresses it names', async () => {
    const browser = rig.browser()
    const answers = []
    for (let i = 0; i < 35; i++)
      answers.push(await browser.request('POST', '/verify-email/resend', { email: `none${i}@example.com` }))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeWithin(1, 3601)
  })

  test('again for a verification works until it is verified, and gets the same response afterwards, without an email', async () => {
    const email = 'gil@example.com'
    const browser = rig.browser()
    await browser.succeed('POST', '/sign-up', { ...NEW, email })
    await rig.mailTo(email)
    const waiting = await browser.request('POST', '/verify-email/resend', { email })
    const { token } = await rig.mailTo(email)
    await browser.succeed('POST', '/verify-email', { token })
    const verified = await browser.request('POST', '/verify-email/resend', { email })
    const unknown = await browser.request('POST', '/verify-email/resend', { email: 'nobody2@example.com' })
    expect([verified.text, unknown.text]).toEqual([waiting.text, waiting.text])
    expect([mailsTo(email), mailsTo('nobody2@example.com')]).toEqual([2, 0])
  })
})

describe('when sign-up is not open', () => {
  test('an invitation signs up its email address once, verified and signed in, and no other', async () => {
    const invited = await startDashboardRig({ SIGNUP: 'invite' })
    const { email } = await invited.makeCaller()
    await invited.store.db.updateTable('users').set({ role: 'admin' }).where('email', '=', email).execute()
    const admin = invited.browser()
    await admin.succeed('POST', '/session', { email, password: PASSWORD })
    await admin.succeed('POST', '/admin/invitations', { email: 'Guest@example.com' })
    const { text, token } = await invited.mailTo('guest@example.com')
    expect(text).toContain(`${invited.config.baseUrl}/dashboard/sign-up#${token}`)
    const guest = invited.browser()
    expect(await guest.succeed('POST', '/invitations/read', { token })).toEqual({
      email: 'guest@example.com',
      workspace: null,
    })
    const sign = (others: object) =>
      guest.request('POST', '/sign-up', { ...NEW, email: 'guest@example.com', ...others })
    expect((await sign({})).body).toEqual(NOT_INVITED)
    expect((await sign({ invitation: 'made up' })).body).toEqual(NOT_INVITED)
    expect((await sign({ invitation: token, email: 'friend@example.com' })).body).toEqual(
      invalid({ email: ['This invitation is for another email address.'] }),
    )
    const { length: mails } = invited.mailServer.mails
    expect((await sign({ invitation: token })).body.data).toEqual({ is_signed_in: true })
    expect(await guest.succeed('GET', '/session')).toMatchObject({ role: 'user', is_verified: true })
    expect((await sign({ invitation: token })).body).toEqual(NOT_INVITED)
    // The next mail to the address is one that was asked for later: none was sent by signing up.
    await guest.succeed('POST', '/forgot-password', { email: 'guest@example.com' })
    expect((await invited.mailTo('guest@example.com')).subject).toStartWith('Choose a new password')
    expect(invited.mailServer.mails.length).toBe(mails + 1)
    await invited.stop()
  })
})

const NOT_INVITED = invalid({
  invitation: ['Sign-up needs a valid invitation. Ask the operator of this server.'],
})
