import { describe, expect, test } from 'bun:test'
import { PASSWORD } from '../rigs/service/add-user.ts'
import {
  SAFARI_ON_IPHONE,
  startDashboardRig,
  useDashboardRig,
  useUser,
} from '../rigs/service/dashboard-rig.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

const HOUR_US = 3_600_000_000
const WRONG = invalid({ email: ['The email or password is incorrect.'] })
const NOT_SIGNED_IN = refusal('not_signed_in', 'You are not signed in.')

const rig = useDashboardRig()
const ann = useUser(rig, { email: 'ann@example.com' })

describe('signing in', () => {
  test('gives the same response, byte for byte, for an unknown email address and a wrong password', async () => {
    const answers = [
      await signIn(ann.email, 'wrong horse'),
      await signIn('nobody@example.com'),
      await signIn('no address'),
      await signIn(ann.email, ''),
      await rig.browser().request('POST', '/session', { email: { a: 1 }, password: [PASSWORD] }),
      await rig.browser().request('POST', '/session', {}),
    ]
    for (const { status, body, headers } of answers) {
      expect([status, body, headers.get('set-cookie')]).toEqual([422, WRONG, null])
    }
    const shapes = answers.map(({ text, headers }) => [text, [...headers.keys()].sort().join()].join())
    expect(new Set(shapes).size).toBe(1)
  })

  test('slows down guessing from one network, and nobody else', async () => {
    const { email } = await rig.user()
    const guesser = rig.browser()
    const answers = []
    for (let i = 0; i < 200; i++) answers.push(await signIn(email, `guess number ${i}`, guesser))
    const tried = answers.filter(({ status }) => status === 422)
    const refused = answers.filter(({ status }) => status === 429)
    // Five are free; on a slow machine the first waits pass before the last request.
    expect(tried.length).toBeWithin(5, 12)
    expect(tried.length + refused.length).toBe(200)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(refused[0]!.body.success).toBe(false)
    expect((await signIn(email, PASSWORD, guesser)).status).toBe(429)
    expect((await signIn(email)).status).toBe(200)
  })

  test('slows down guessing with many email addresses too', async () => {
    const guesser = rig.browser()
    const statuses = []
    for (let i = 0; i < 60; i++) statuses.push((await signIn(`guess${i}@example.com`, 'x', guesser)).status)
    expect(statuses.filter((status) => status === 422)).toHaveLength(30)
    expect(new Set(statuses.slice(30))).toEqual(new Set([429]))
  })

  test('with three hundred requests at once handles a bounded number and asks the others to retry, while links redirect', async () => {
    const key = (await rig.makeCaller()).key
    const body = { original_url: 'https://example.com/', custom_code: 'while-busy' }
    await rig.call('POST', '/api/links', { key, body })
    const guesses = Array.from({ length: 300 }, (_, i) => signIn(`crowd${i}@example.com`))
    const opened = Promise.all(Array.from({ length: 50 }, () => rig.call('GET', '/while-busy')))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect((await opened).every(({ status }) => status === 302)).toBe(true)
    expect(new Set(statuses)).toEqual(new Set([422, 503]))
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(100)
    expect((await signIn(ann.email)).status).toBe(200)
  })

  test('stops accepting a password after a hundred wrong ones in a row; an email says so, and allows a reset', async () => {
    const { email } = await rig.user()
    await rig.store.db.updateTable('users').set({ failed_sign_ins: 98 }).where('email', '=', email).execute()
    expect((await signIn(email, 'wrong 99')).body).toEqual(WRONG)
    expect((await signIn(email)).status).toBe(200)
    await rig.store.db.updateTable('users').set({ failed_sign_ins: 99 }).where('email', '=', email).execute()
    expect((await signIn(email, 'wrong 100')).body).toEqual(WRONG)
    expect((await signIn(email)).body).toEqual(WRONG)
    const { subject, token } = await rig.mailTo(email)
    expect(subject).toStartWith('Too many wrong passwords')
    const password = 'an altogether other horse'
    await rig.browser().succeed('POST', '/reset-password', { token, password })
    expect((await signIn(email, password)).status).toBe(200)
    await rig.mailTo(email)
  })

  test('rehashes a password that was hashed with other costs', async () => {
    const { email } = await rig.user()
    const old = await Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8_192, timeCost: 1 })
    await rig.store.db.updateTable('users').set({ password_hash: old }).where('email', '=', email).execute()
    expect((await signIn(email)).status).toBe(200)
    const { password_hash: hash } = await rig.store.db
      .selectFrom('users')
      .select('password_hash')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    expect((await signIn(email)).status).toBe(200)
  })
})

describe('a session', () => {
  test('is new at every sign-in, whatever cookie the browser came with', async () => {
    const browser = rig.browser()
    browser.cookies.set('session', 'planted-by-somebody-else')
    await browser.succeed('POST', '/session', { email: ann.email, password: PASSWORD })
    const first = browser.cookies.get('session')!
    expect(first).toMatch(/^[\w-]{43}$/)
    await browser.succeed('POST', '/session', { email: ann.email, password: PASSWORD })
    const second = browser.cookies.get('session')!
    expect(second).not.toBe(first)
    // The one before has ended, should somebody else have come by it.
    browser.cookies.set('session', first)
    expect((await browser.request('GET', '/session')).status).toBe(401)
    browser.cookies.set('session', 'planted-by-somebody-else')
    expect((await browser.request('GET', '/session')).status).toBe(401)
  })

  test('is stored only as a hash', async () => {
    const token = ann.browser.cookies.get('session')!
    const rows = await rig.store.db.selectFrom('sessions').selectAll().execute()
    expect(rows.every(({ token_hash: hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('has ended on the server once its owner has signed out', async () => {
    const browser = rig.browser()
    await browser.succeed('POST', '/session', { email: ann.email, password: PASSWORD })
    const token = browser.cookies.get('session')!
    await browser.succeed('DELETE', '/session')
    expect(browser.isSignedIn).toBe(false)
    browser.cookies.set('session', token)
    const { status, body } = await browser.request('GET', '/session')
    expect([status, body]).toEqual([401, NOT_SIGNED_IN])
  })

  test.each([
    ['unused for twelve hours', { last_used_at: 12 * HOUR_US }],
    ['thirty days old', { created_at: 30 * 24 * HOUR_US }],
  ])('that is %s has ended', async (_, ages) => {
    const { browser } = await rig.user()
    const [session] = await browser.succeed('GET', '/sessions')
    const age = async (less: number) => {
      const values = Object.fromEntries(
        Object.entries(ages).map(([column, us]) => [column, Date.now() * 1000 - us + less]),
      )
      await rig.store.db.updateTable('sessions').set(values).where('id', '=', session.id).execute()
    }
    await age(HOUR_US / 60)
    expect((await browser.request('GET', '/session')).status).toBe(200)
    await age(0)
    expect((await browser.request('GET', '/session')).status).toBe(401)
  })

  test('is listed with its device and last use; each can be ended, and all at once', async () => {
    const { browser, email } = await rig.user()
    const phone = rig.browser({ userAgent: SAFARI_ON_IPHONE })
    const third = rig.browser()
    for (const each of [phone, third]) await each.succeed('POST', '/session', { email, password: PASSWORD })
    const sessions = await browser.succeed('GET', '/sessions')
    expect(sessions.map(({ device, is_this_one: own }: any) => [device, own])).toEqual([
      ['Firefox on Linux', false],
      ['Safari on iOS', false],
      ['Firefox on Linux', true],
    ])
    await browser.succeed('DELETE', `/sessions/${sessions[1].id}`)
    expect([
      (await phone.request('GET', '/session')).status,
      (await third.request('GET', '/session')).status,
    ]).toEqual([401, 200])
    await browser.succeed('DELETE', '/sessions')
    for (const each of [browser, third]) expect((await each.request('GET', '/session')).status).toBe(401)
  })

  test('makes room for the newest at fifty per account', async () => {
    const { browser, email } = await rig.user()
    const { id } = await browser.succeed('GET', '/session')
    const now = Date.now() * 1000
    const rows = Array.from({ length: 60 }, (_, i) => ({
      user_id: id,
      token_hash: `made up ${i}`,
      device: 'Firefox on Linux',
      created_at: now,
      last_used_at: now - 1_000 - i,
    }))
    await rig.store.db.insertInto('sessions').values(rows).execute()
    const newest = rig.browser()
    await newest.succeed('POST', '/session', { email, password: PASSWORD })
    expect(await newest.succeed('GET', '/sessions')).toHaveLength(50)
  })
})

describe('the cookie', () => {
  test('is for this host only, over HTTPS only and hidden from scripts, when the service uses HTTPS', async () => {
    const secure = await startDashboardRig({ BASE_URL: 'https://s.example' })
    const { status, headers } = await secure
      .browser()
      .request('POST', '/sign-up', { name: 'Ann', email: 'ann@example.com', password: PASSWORD })
    const [pair, ...attributes] = headers.get('set-cookie')!.split('; ')
    expect([status, pair]).toEqual([200, expect.stringMatching(/^__Host-session=[\w-]{43}$/)])
    expect(attributes).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Lax', 'Secure'])
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    // The name that holds over plain http is nobody's here.
    const browser = secure.browser()
    browser.cookies.set('session', pair!.split('=')[1]!)
    expect((await browser.request('GET', '/session')).status).toBe(401)
    browser.cookies.set('__Host-session', pair!.split('=')[1]!)
    expect((await browser.request('GET', '/session')).status).toBe(200)
    await secure.stop()
  })

  test('is the same without the prefix and Secure over plain HTTP, as on localhost', async () => {
    const { headers } = await signIn(ann.email)
    expect(headers.get('set-cookie')).toMatch(
      /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
  })

  test('is ignored when there are two', async () => {
    const token = ann.browser.cookies.get('session')
    const Cookie = `session=planted; session=${token}`
    expect((await rig.browser().request('GET', '/session', undefined, { Cookie })).status).toBe(401)
  })

  test('opens nothing under /api/, and a key opens nothing under /dashboard/api/', async () => {
    const { key } = await rig.makeCaller()
    for (const path of ['/api/account', '/api/links', '/api/account/api-keys']) {
      const { status } = await rig.call('GET', path, { headers: ann.browser.headers() as any })
      expect([path, status]).toEqual([path, 401])
    }
    for (const path of ['/session', '/links', '/keys', '/overview', `/links?api_key=${key}`]) {
      const headers = { 'X-API-Key': key, Authorization: `Bearer ${key}` }
      const { status, body } = await rig.browser().request('GET', path, undefined, headers)
      expect([path, status, body]).toEqual([path, 401, NOT_SIGNED_IN])
    }
  })
})

test('dashboard responses may not be stored, framed or sniffed, and have the request ID', async () => {
  for (const path of ['/instance', '/session', '/nothing']) {
    const { headers } = await ann.browser.request('GET', path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('unknown paths and methods are refused', async () => {
  const nothing = await ann.browser.request('GET', '/nothing')
  expect([nothing.status, nothing.body]).toEqual([404, refusal('endpoint_not_found', 'Endpoint not found.')])
  const { status, headers } = await ann.browser.request('PUT', '/session', {})
  expect([status, headers.get('allow')]).toEqual([405, 'POST, GET, DELETE'])
})

const signIn = (email: string, password = PASSWORD, browser = rig.browser()) =>
  browser.request('POST', '/session', { email, password })
