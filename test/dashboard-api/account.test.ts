import { kyselyOf } from '../../src/store/handles.ts'
import { beforeAll, describe, expect, test } from 'bun:test'
import { removeClosedUsers } from '../../src/users/profile/remove-closed-users.ts'
import { removeClosedWorkspaces } from '../../src/workspaces/remove-closed-workspaces.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

const rig = useOwnDashboardRig()

beforeAll(async () => {
  await rig.user({ email: 'operator@example.com' })
})

const WRONG_PASSWORD = invalid({ password: ['The password is incorrect.'] })
const NEW_PASSWORD = 'a horse of another colour'

test('a name can be changed', async () => {
  const { browser } = await rig.user()
  expect((await browser.succeed('PUT', '/account', { name: ' Ann B. ' })).name).toBe('Ann B.')
  const { status, body } = await browser.request('PUT', '/account', { name: 'a\nb' })
  expect([status, body]).toEqual([422, invalid({ name: ['The name may not contain control characters.'] })])
})

describe('changing the password', () => {
  test('requires the old one, signs every other browser out, renews this session, and sends an email', async () => {
    const { browser, email } = await rig.user()
    const other = rig.browser()
    await other.succeed('POST', '/session', { email, password: PASSWORD })
    const change = (password: string, new_password: string) =>
      browser.request('POST', '/account/password', { password, new_password })
    expect((await change('not it', NEW_PASSWORD)).body).toEqual(WRONG_PASSWORD)
    expect((await change(PASSWORD, `${email} 1234`)).body).toEqual(
      invalid({ new_password: ['The password is too easy to guess. Avoid your name and repeated words.'] }),
    )
    const before = browser.cookies.get('session')
    expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(200)
    expect(browser.cookies.get('session')).not.toBe(before)
    expect((await browser.request('GET', '/session')).status).toBe(200)
    expect((await other.request('GET', '/session')).status).toBe(401)
    expect((await other.request('POST', '/session', { email, password: PASSWORD })).status).toBe(422)
    await other.succeed('POST', '/session', { email, password: NEW_PASSWORD })
    expect((await rig.mailTo(email)).subject).toStartWith('Your password')
  })

  test('is no faster way to guess it than signing in', async () => {
    const { browser } = await rig.user()
    const statuses = []
    for (let i = 0; i < 8; i++) {
      const body = { password: `guess ${i}`, new_password: NEW_PASSWORD }
      statuses.push((await browser.request('POST', '/account/password', body)).status)
    }
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(422))
    expect(statuses).toContain(429)
  })

  test('to one that cannot be says so whatever the old one is, so it is no guess', async () => {
    const { browser } = await rig.user()
    const change = (password: string, new_password: string) =>
      browser.request('POST', '/account/password', { password, new_password })
    const tooShort = invalid({ new_password: ['The password must be at least 12 characters.'] })
    for (const password of [...Array.from({ length: 8 }, (_, i) => `guess ${i}`), PASSWORD])
      expect((await change(password, 'short')).body).toEqual(tooShort)
    expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(200)
  })

  test('when it is forgotten uses an email, signs every browser out, and sends another email', async () => {
    const { browser, email } = await rig.user()
    const known = await rig.browser().request('POST', '/forgot-password', { email })
    const unknown = await rig.browser().request('POST', '/forgot-password', { email: 'nobody@example.com' })
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    const { token, text } = await rig.mailTo(email)
    expect(text).toContain(`${rig.config.baseUrl}/dashboard/reset-password#${token}`)
    // What is known of its owner is as easy to guess here as where one signs up.
    for (const password of ['short', `${email}${email}`]) {
      const { status, body } = await rig.browser().request('POST', '/reset-password', { token, password })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['password']])
    }
    await rig.browser().succeed('POST', '/reset-password', { token, password: NEW_PASSWORD })
    expect((await browser.request('GET', '/session')).status).toBe(401)
    await browser.succeed('POST', '/session', { email, password: NEW_PASSWORD })
    expect((await rig.mailTo(email)).subject).toStartWith('Your password')
  })
})

describe('changing the email address', () => {
  test('requires the password and an email to the new one, and notifies the old one', async () => {
    const { browser, email } = await rig.user()
    const wanted = { email: `new-${email}` }
    expect((await browser.request('POST', '/account/email', { ...wanted, password: 'not it' })).body).toEqual(
      WRONG_PASSWORD,
    )
    await browser.succeed('POST', '/account/email', { ...wanted, password: PASSWORD })
    const { token, text } = await rig.mailTo(wanted.email)
    expect(text).toContain('/dashboard/confirm-email#')
    expect((await browser.succeed('GET', '/session')).email).toBe(email)
    expect(await browser.succeed('POST', '/confirm-email', { token })).toEqual(wanted)
    expect(await browser.succeed('GET', '/session')).toMatchObject({ ...wanted, is_verified: true })
    const { subject, text: notice } = await rig.mailTo(email)
    expect(subject).toEndWith('was changed')
    expect(notice).toContain(wanted.email)
  })

  test('invalidates every link that was emailed before', async () => {
    const { browser, email } = await rig.user()
    await browser.succeed('POST', '/forgot-password', { email })
    const reset = await rig.mailTo(email)
    await browser.succeed('POST', '/account/email', { email: `moved-${email}`, password: PASSWORD })
    const { token } = await rig.mailTo(`moved-${email}`)
    await browser.succeed('POST', '/confirm-email', { token })
    const late = await browser.request('POST', '/reset-password', {
      token: reset.token,
      password: NEW_PASSWORD,
    })
    expect(late.status).toBe(422)
    expect((await browser.request('POST', '/confirm-email', { token })).status).toBe(422)
    await browser.succeed('POST', '/session', { email: `moved-${email}`, password: PASSWORD })
  })

  test('to one that has an account gives the same response, and only its owner is notified', async () => {
    const [ann, bob] = [await rig.user(), await rig.user()]
    const taken = await ann.browser.request('POST', '/account/email', {
      email: bob.email,
      password: PASSWORD,
    })
    const free = await ann.browser.request('POST', '/account/email', {
      email: 'free@example.com',
      password: PASSWORD,
    })
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
    const { subject, token } = await rig.mailTo(bob.email)
    expect([subject, token]).toEqual([expect.stringContaining('was not changed'), ''])
  })

  test('to one that was taken since changes nothing', async () => {
    const ann = await rig.user()
    const email = 'contested@example.com'
    await ann.browser.succeed('POST', '/account/email', { email, password: PASSWORD })
    const { token } = await rig.mailTo(email)
    await rig.user({ email })
    expect((await ann.browser.request('POST', '/confirm-email', { token })).status).toBe(422)
    expect((await ann.browser.succeed('GET', '/session')).email).toBe(ann.email)
  })
})

test('verifying the email address turns 403 into 200 from the next request', async () => {
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
  test('requires the password; its keys, links and sign-in stop at once', async () => {
    const { browser, email } = await rig.user()
    const { key } = await browser.succeed('POST', '/keys', { name: 'Key', scopes: ['links:read'] })
    await browser.succeed('POST', '/links', { original_url: 'https://example.com/', custom_code: 'farewell' })
    expect((await rig.call('GET', '/farewell')).status).toBe(302)
    expect((await browser.request('DELETE', '/account', { password: 'not it' })).body).toEqual(WRONG_PASSWORD)
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
    await browser.succeed('DELETE', '/account', { password: PASSWORD })
    expect(browser.isSignedIn).toBe(false)
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(401)
    for (const path of ['/farewell', '/api/info/farewell', '/qr/farewell']) {
      const { status, body } = await rig.call('GET', path)
      expect([path, status, body]).toEqual([path, 404, refusal('link_not_found', 'Link not found.')])
    }
    expect((await rig.browser().request('POST', '/session', { email, password: PASSWORD })).status).toBe(422)
  })

  test('removes all its data; its codes stay reserved, and its email address is free again', async () => {
    const email = 'leaver@example.com'
    const { browser, ...ids } = await rig.user({ email })
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
    await removeClosed(systemClock)
    expect(await rowsOf(ids)).toMatchObject({ users: 1, workspaces: 1, links: 2 })
    await removeClosed(minuteLater)
    expect(await rowsOf(ids)).toEqual({})
    const other = await rig.user({ email })
    const again = await other.browser.request('POST', '/links', {
      original_url: 'https://evil.example/',
      custom_code: 'left-one',
    })
    expect(again.body).toMatchObject(invalid({ custom_code: ['The custom code has already been taken.'] }))
    const { status } = await other.browser.request('GET', '/codes/deleted-before')
    expect(status).toBe(200)
    expect((await other.browser.succeed('GET', '/codes/deleted-before')).is_free).toBe(false)
  })

  test('is refused to the only operator while other accounts exist', async () => {
    const operator = rig.browser()
    await operator.succeed('POST', '/session', { email: 'operator@example.com', password: PASSWORD })
    const { status, body } = await operator.request('DELETE', '/account', { password: PASSWORD })
    expect([status, body]).toEqual([
      409,
      refusal('last_operator', 'This is the only operator account. Make another account an operator first.'),
    ])
  })
})

async function removeClosed(clock: Pick<Clock, 'nowUs'>): Promise<void> {
  await removeClosedWorkspaces({ db: rig.store.relaxedDb, clock })
  await removeClosedUsers(rig.store.relaxedDb, clock)
}

type Ids = { userId: number; workspaceId: number }

/** In which tables there is something of a user or a workspace, and how much. */
async function rowsOf({ userId, workspaceId }: Ids): Promise<Record<string, number>> {
  const { db } = rig.store
  const tables = await kyselyOf(db).introspection.getTables()
  const counts: Record<string, number> = {}
  for (const { name, columns } of tables.filter(({ isView }) => !isView)) {
    const idOf: Record<string, number> = { user_id: userId, workspace_id: workspaceId }
    if (name === 'users') idOf.id = userId
    if (name === 'workspaces') idOf.id = workspaceId
    for (const column of columns.filter((each) => each.name in idOf)) {
      const { count } = await db
        .selectFrom(name as 'users')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(column.name as 'id', '=', idOf[column.name]!)
        .executeTakeFirstOrThrow()
      if (count > 0) counts[name] = count
    }
  }
  return counts
}
