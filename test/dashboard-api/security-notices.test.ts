import { beforeAll, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { Authenticator } from '../rigs/outside/authenticator.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type TestUser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'

// Changes that open or weaken an account are emailed to its owner, so that they never go unnoticed.

const NEW_PASSWORD = 'an altogether other horse'
const FIREFOX = 'Firefox on Linux'
const rig = useDashboardRig()
let service: string

beforeAll(async () => {
  service = new URL(rig.config.baseUrl).host
  await rig.user()
})

test('a passkey that is added', async () => {
  const user = await rig.user()
  const options = await user.browser.succeed('POST', '/passkeys/options', { password: PASSWORD })
  const response = new Authenticator({ origin: rig.config.baseUrl }).create(options)
  const lure = 'Click https://evil.example to keep your account'
  await user.browser.succeed('POST', '/passkeys', { name: lure, response })
  const mail = await rig.mailTo(user.email)
  expect(mail.subject).toBe(`A passkey was added to your account at ${service}`)
  expect(mail.text).toContain(FIREFOX)
  expect(mail.text).not.toContain('evil.example')
  expectNotice(mail, user, 'account/security')
})

test('two-factor sign-in that is turned off, but not when it was not on', async () => {
  const user = await rig.user()
  await user.browser.succeed('DELETE', '/two-factor', { password: PASSWORD })
  await turnOn(user)
  await user.browser.succeed('DELETE', '/two-factor', { password: PASSWORD })
  const mail = await rig.mailTo(user.email)
  expect(mail.subject).toBe(`Two-factor sign-in was turned off at ${service}`)
  expect(mail.text).toContain(FIREFOX)
  expectNotice(mail, user, 'account/security')
  await expectMails(user.email, 1)
})

test('an API key that is created, by its hint and not by its text', async () => {
  const user = await rig.user()
  const lure = 'Click https://evil.example'
  const { key } = await user.browser.succeed('POST', '/keys', { name: lure, scopes: ['links:read'] })
  const mail = await rig.mailTo(user.email)
  expect(mail.subject).toBe(`An API key was created at ${service}`)
  expect(mail.text).toContain(key.slice(-4))
  expect(mail.text).not.toContain(key)
  expect(mail.text).not.toContain('evil.example')
  expectNotice(mail, user, 'keys')
})

test('a password that is changed, and one that is reset by an emailed link', async () => {
  const { browser, email } = await rig.user()
  const change = { password: PASSWORD, new_password: NEW_PASSWORD }
  await browser.succeed('POST', '/account/password', change)
  expect((await rig.mailTo(email)).subject).toBe(`Your password at ${service} was changed`)
  await browser.succeed('POST', '/forgot-password', { email })
  const { token } = await rig.mailTo(email)
  await browser.succeed('POST', '/reset-password', { token, password: PASSWORD })
  expect((await rig.mailTo(email)).subject).toBe(`Your password at ${service} was changed`)
})

test('an email address that is changed, to the previous one', async () => {
  const { browser, email } = await rig.user()
  const moved = `moved-${email}`
  await browser.succeed('POST', '/account/email', { email: moved, password: PASSWORD })
  const { token } = await rig.mailTo(moved)
  await expectMails(email, 0)
  await browser.succeed('POST', '/confirm-email', { token })
  const isTold = () =>
    rig.mailServer.mails.some(({ to, source }) => to.includes(email) && source.includes(moved))
  expect(await eventually(async () => isTold(), Boolean)).toBe(true)
})

test('refused changes send no notice', async () => {
  const { browser, email } = await rig.user()
  const wrong = { password: 'not it', new_password: NEW_PASSWORD, email: 'x@example.com' }
  for (const [method, path, input] of [
    ['DELETE', '/two-factor', wrong],
    ['POST', '/passkeys/options', wrong],
    ['POST', '/keys', { name: '', scopes: ['links:read'] }],
    ['POST', '/account/password', wrong],
  ] as const)
    expect((await browser.request(method, path, input)).status).toBe(422)
  await expectMails(email, 0)
})

test('no more than twenty an hour: the next change is refused, so that none is made in silence', async () => {
  const user = await rig.user()
  const { browser, email } = user
  let [current, next] = [PASSWORD, NEW_PASSWORD]
  for (let i = 0; i < 20; i++) {
    await browser.succeed('POST', '/account/password', { password: current, new_password: next })
    ;[current, next] = [next, current]
  }
  const answer = await browser.request('POST', '/account/password', { password: current, new_password: next })
  expect([answer.status, answer.body.message]).toEqual([
    429,
    'Too many security changes of this account. Try again in an hour.',
  ])
  expect(Number(answer.headers.get('retry-after'))).toBeWithin(1, 3_601)
  expect((await rig.browser().request('POST', '/session', { email, password: current })).status).toBe(200)
  await expectMails(email, 20)
})

const isReset = ({ source }: { source: string }) => source.includes('reset-password#')
const mailsTo = (email: string) => rig.mailServer.mails.filter(({ to }) => to.includes(email))

/** This number of mails comes to the address, and no more: one that is sent behind them has come, too. */
async function expectMails(email: string, count: number): Promise<void> {
  const notices = () => mailsTo(email).filter((mail) => !isReset(mail)).length
  await eventually(
    async () => notices(),
    (found) => found >= count,
  )
  await rig.browser().succeed('POST', '/forgot-password', { email })
  await eventually(
    async () => mailsTo(email),
    (mails) => mails.some(isReset),
  )
  expect(notices()).toBe(count)
}

/** Every sentence begins with a capital letter, and it says what to do. */
function expectNotice(mail: { subject: string; text: string }, { name }: TestUser, page: string): void {
  const [greeting, ...paragraphs] = mail.text.trim().split(/\r?\n\r?\n/)
  expect(greeting).toBe(`Hello ${name},`)
  for (const paragraph of paragraphs) expect(paragraph).toMatch(/^[A-Z]/)
  expect(mail.text).toContain(`${rig.config.baseUrl}/dashboard/${page}`)
  expect(mail.text).toContain('If this was you, there is nothing to do.')
  expect(mail.text).toContain('If it was not you, ')
}

async function turnOn({ browser }: TestUser): Promise<void> {
  const { secret } = await browser.succeed('POST', '/two-factor', { password: PASSWORD })
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await browser.succeed('POST', '/two-factor/confirm', { code })
}
