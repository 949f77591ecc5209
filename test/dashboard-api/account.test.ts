import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { removeClosedAccounts } from '../../src/accounts/remove-closed-accounts.ts'
import { systemClock } from '../../src/clock.ts'
import { type DashboardRig, PASSWORD, startDashboardRig } from '../rigs/dashboard-rig.ts'
import { eventually } from '../rigs/service-rig.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

let rig: DashboardRig

beforeAll(async () => {
  rig = await startDashboardRig()
  await rig.person({ email: 'operator@example.com' })
})

afterAll(() => rig.stop())

const WRONG_PASSWORD = invalid({ password: ['The password is incorrect.'] })
const NEW_PASSWORD = 'a horse of another colour'

test('a name can be changed, to another name', async () => {
  const { browser } = await rig.person()
  expect((await browser.succeed('PUT', '/account', { name: ' Ann B. ' })).name).toBe('Ann B.')
  const { status, body } = await browser.ask('PUT', '/account', { name: 'a\nb' })
  expect([status, body]).toEqual([422, invalid({ name: ['The name may not contain control characters.'] })])
})

describe('changing the password', () => {
  test('takes the old one, signs every other browser out, gives this one a new session, and tells by mail', async () => {
    const { browser, email } = await rig.person()
    const other = rig.browser()
    await other.succeed('POST', '/session', { email, password: PASSWORD })
    const change = (password: string, new_password: string) =>
      browser.ask('POST', '/account/password', { password, new_password })
    expect((await change('not it', NEW_PASSWORD)).body).toEqual(WRONG_PASSWORD)
    expect((await change(PASSWORD, `${email} 1234`)).body).toEqual(
      invalid({ new_password: ['The password is too easy to guess: choose another one.'] }),
    )
    const before = browser.cookies.get('session')
    expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(200)
    expect(browser.cookies.get('session')).not.toBe(before)
    expect((await browser.ask('GET', '/session')).status).toBe(200)
    expect((await other.ask('GET', '/session')).status).toBe(401)
    expect((await other.ask('POST', '/session', { email, password: PASSWORD })).status).toBe(422)
    await other.succeed('POST', '/session', { email, password: NEW_PASSWORD })
    expect((await rig.mailTo(email)).subject).toStartWith('Your password')
  })

  test('is no quicker a way to guess it than signing in', async () => {
    const { browser } = await rig.person()
    const statuses = []
    for (let i = 0; i < 8; i++) {
      const body = { password: `guess ${i}`, new_password: NEW_PASSWORD }
      statuses.push((await browser.ask('POST', '/account/password', body)).status)
    }
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(422))
    expect(statuses).toContain(429)
  })

  test('when it is forgotten takes the mail, signs every browser out, and tells by another mail', async () => {
    const { browser, email } = await rig.person()
    const known = await rig.browser().ask('POST', '/forgot-password', { email })
    const unknown = await rig.browser().ask('POST', '/forgot-password', { email: 'nobody@example.com' })
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    const { token, text } = await rig.mailTo(email)
    expect(text).toContain(`${rig.config.baseUrl}/dashboard/reset-password#${token}`)
    // What is known of its owner is as easy to guess here as where one signs up.
    for (const password of ['short', `${email}${email}`]) {
      const { status, body } = await rig.browser().ask('POST', '/reset-password', { token, password })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['password']])
    }
    await rig.browser().succeed('POST', '/reset-password', { token, password: NEW_PASSWORD })
    expect((await browser.ask('GET', '/session')).status).toBe(401)
    await browser.succeed('POST', '/session', { email, password: NEW_PASSWORD })
    expect((await rig.mailTo(email)).subject).toStartWith('Your password')
  })
})

describe('changing the address', () => {
  test('takes the password and the mail to the new one; the old one hears of it', async () => {
    const { browser, email } = await rig.person()
    const wanted = { email: `new-${email}` }
    expect((await browser.ask('POST', '/account/email', { ...wanted, password: 'not it' })).body).toEqual(
      WRONG_PASSWORD,
    )
    await browser.succeed('POST', '/account/email', { ...wanted, password: PASSWORD })
    const { token, text } = await rig.mailTo(wanted.email)
    expect(text).toContain('/dashboard/confirm-email#')
    expect((await browser.succeed('GET', '/session')).email).toBe(email)
    expect(await browser.succeed('POST', '/confirm-email', { token })).toEqual(wanted)
    expect(await browser.succeed('GET', '/session')).toMatchObject({ ...wanted, is_verified: true })
    const { subject, text: told } = await rig.mailTo(email)
    expect(subject).toEndWith('was changed')
    expect(told).toContain(wanted.email)
  })

  test('makes every link that was mailed before worthless', async () => {
    const { browser, email } = await rig.person()
    await browser.succeed('POST', '/forgot-password', { email })
    const reset = await rig.mailTo(email)
    await browser.succeed('POST', '/account/email', { email: `moved-${email}`, password: PASSWORD })
    const { token } = await rig.mailTo(`moved-${email}`)
    await browser.succeed('POST', '/confirm-email', { token })
    const late = await browser.ask('POST', '/reset-password', { token: reset.token, password: NEW_PASSWORD })
    expect(late.status).toBe(422)
    expect((await browser.ask('POST', '/confirm-email', { token })).status).toBe(422)
    await browser.succeed('POST', '/session', { email: `moved-${email}`, password: PASSWORD })
  })

  test('to one that has an account says the same here, and only its owner learns of it', async () => {
    const [ann, bob] = [await rig.person(), await rig.person()]
    const taken = await ann.browser.ask('POST', '/account/email', { email: bob.email, password: PASSWORD })
    const free = await ann.browser.ask('POST', '/account/email', {
      email: 'free@example.com',
      password: PASSWORD,
    })
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
    const { subject, token } = await rig.mailTo(bob.email)
    expect([subject, token]).toEqual([expect.stringContaining('was not changed'), ''])
  })

  test('to one that somebody took meanwhile changes nothing', async () => {
    const ann = await rig.person()
    const email = 'contested@example.com'
    await ann.browser.succeed('POST', '/account/email', { email, password: PASSWORD })
    const { token } = await rig.mailTo(email)
    await rig.person({ email })
    expect((await ann.browser.ask('POST', '/confirm-email', { token })).status).toBe(422)
    expect((await ann.browser.succeed('GET', '/session')).email).toBe(ann.email)
  })
})

test('verifying the address turns 403 into 200, at the next request', async () => {
  const { key, email } = await rig.makeCaller({ isVerified: false })
  const refused = await rig.call('GET', '/api/links', { key })
  expect([refused.status, refused.body.success]).toEqual([403, false])
  const browser = rig.browser()
  await browser.succeed('POST', '/verify-email/resend', { email })
  const { token } = await rig.mailTo(email)
  await browser.succeed('POST', '/verify-email', { token })
  expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
})

describe('deleting the account', () => {
  test('takes the password; then its keys are unknown, its links stop, and nobody can sign in, all at once', async () => {
    const { browser, email } = await rig.person()
    const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
    await browser.succeed('POST', '/links', { original_url: 'https://example.com/', custom_code: 'farewell' })
    expect((await rig.call('GET', '/farewell')).status).toBe(302)
    expect((await browser.ask('DELETE', '/account', { password: 'not it' })).body).toEqual(WRONG_PASSWORD)
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
    await browser.succeed('DELETE', '/account', { password: PASSWORD })
    expect(browser.isSignedIn).toBe(false)
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(401)
    for (const path of ['/farewell', '/api/info/farewell', '/qr/farewell']) {
      const { status, body } = await rig.call('GET', path)
      expect([path, status, body]).toEqual([path, 404, refusal('Link not found.')])
    }
    expect((await rig.browser().ask('POST', '/session', { email, password: PASSWORD })).status).toBe(422)
  })

  test('removes all that is theirs; the codes stay claimed by nobody, and the address is free again', async () => {
    const email = 'leaver@example.com'
    const { browser } = await rig.person({ email })
    const { id: accountId } = await browser.succeed('GET', '/session')
    for (const custom_code of ['left-one', 'left-two', 'deleted-before']) {
      await browser.succeed('POST', '/links', { original_url: 'https://example.com/', custom_code })
      await rig.call('GET', `/${custom_code}`)
    }
    const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
    await rig.call('GET', '/api/links', { key })
    expect((await rig.mailTo(email)).subject).toStartWith('An API key was created')
    await eventually(
      () => browser.succeed('GET', '/overview'),
      ({ overview }) => overview.total_clicks === 3,
    )
    await browser.succeed('DELETE', '/links/deleted-before')
    await browser.succeed('DELETE', '/account', { password: PASSWORD })
    const minuteLater = { nowUs: () => systemClock.nowUs() + 61_000_000 }
    await removeClosedAccounts(rig.store.quickDb, systemClock)
    expect(await rowsOf(accountId)).toMatchObject({ accounts: 1, links: 2 })
    await removeClosedAccounts(rig.store.quickDb, minuteLater)
    expect(await rowsOf(accountId)).toEqual({})
    const other = await rig.person({ email })
    const again = await other.browser.ask('POST', '/links', {
      original_url: 'https://evil.example/',
      custom_code: 'left-one',
    })
    expect(again.body).toEqual(invalid({ custom_code: ['The custom code has already been taken.'] }))
    const { status } = await other.browser.ask('GET', '/codes/deleted-before')
    expect(status).toBe(200)
    expect((await other.browser.succeed('GET', '/codes/deleted-before')).is_free).toBe(false)
  })

  test('is refused to the only operator while others are here', async () => {
    const operator = rig.browser()
    await operator.succeed('POST', '/session', { email: 'operator@example.com', password: PASSWORD })
    const { status, body } = await operator.ask('DELETE', '/account', { password: PASSWORD })
    expect([status, body]).toEqual([
      409,
      refusal('This is the only operator account. Make another account an operator first.'),
    ])
  })
})

/** In which tables there is something of an account, and how much. */
async function rowsOf(accountId: number): Promise<Record<string, number>> {
  const { db } = rig.store
  const tables = await db.introspection.getTables()
  const counts: Record<string, number> = {}
  for (const { name, columns } of tables) {
    const column = name === 'accounts' ? 'id' : 'account_id'
    if (!columns.some((each) => each.name === column)) continue
    const { count } = await db
      .selectFrom(name as 'accounts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(column as 'id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (count > 0) counts[name] = count
  }
  return counts
}
