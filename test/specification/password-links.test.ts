import { describe, expect, spyOn, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import kutt from '../fixtures/import/kutt/truth.json'
import { eventually } from '../rigs/eventually.ts'
import { fixture } from '../rigs/import-fixtures.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  FIREFOX,
  GOOGLEBOT,
  invalid,
  makeLink,
  refusal,
  statusAndBody,
  useOwnContractRig,
  useContractRig,
} from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const PASSWORD = 'Sésame, ouvre-toi'
const PAGE = { Accept: 'text/html', 'User-Agent': FIREFOX }
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' }

let networks = 0

describe('the password of a link', () => {
  test('is refused and tried out like every other field', async () => {
    const links = Array.from({ length: 20 }, (_, i) => ({ original_url: DESTINATION, password: `${i}` }))
    const { short_code: taken } = await makeLink(rig, caller)
    const bulk = (body: object) => rig.call('POST', '/api/bulk-shorten', { key: caller.key, body })
    expect((await bulk({ links })).status).toBe(201)
    const refused = links.map((link, i) => (i === 19 ? { ...link, custom_code: taken } : link))
    for (const [status, body] of [
      [200, { links, dry_run: true }],
      [422, { links: refused }],
    ] as const)
      expect((await bulk(body)).status).toBe(status)
  })

  test('is stored as a hash, and no answer shows more than that there is one', async () => {
    const body = { original_url: DESTINATION, password: PASSWORD }
    const headers = { 'Idempotency-Key': `with-password-${networks}` }
    const made = await rig.call('POST', '/api/links', { key: caller.key, body, headers })
    expect(made.status).toBe(201)
    const { short_code: code } = made.body.data
    expect(made.body.data).toMatchObject({ has_password: true, original_url: DESTINATION })
    const again = await rig.call('POST', '/api/links', { key: caller.key, body, headers })
    const read = await rig.call('GET', `/api/links/${code}`, { key: caller.key })
    const list = await rig.call('GET', '/api/links', { key: caller.key })
    const hash = await hashOf(code)
    expect(hash).toStartWith('$argon2id$')
    const stored = await rig.store.db.selectFrom('idempotency_keys').select('body').execute()
    for (const text of [made.text, again.text, read.text, list.text, JSON.stringify(stored)]) {
      expect(text).toContain('has_password')
      expect(text).not.toContain('argon2')
      expect(text).not.toContain('ouvre-toi')
    }
  })

  test('is changed by an edit that names it, and removed by null', async () => {
    const code = await protectedLink()
    const first = await hashOf(code)
    expect((await put(code, { title: 'It stays' })).status).toBe(200)
    expect(await hashOf(code)).toBe(first)
    expect((await put(code, { password: PASSWORD })).status).toBe(200)
    expect(await hashOf(code)).not.toBe(first)
    expect((await put(code, { password: null })).status).toBe(200)
    expect(await hashOf(code)).toBeNull()
    expect((await visit(code)).headers.get('location')).toBe(DESTINATION)
  })

  test('of an imported link is what opened it elsewhere, and its hash is replaced by one of ours', async () => {
    const database = new Database(fixture('kutt/kutt.sqlite'), { readonly: true })
    const hashes = database.query('SELECT address, password FROM links').values() as [string, string][]
    database.close()
    const known = kutt.links.filter(({ password }) => password)
    expect(known.length).toBe(6)
    for (const { code, password_plain: password = '' } of known) {
      const hash = hashes.find(([address]) => address === code)![1]
      const links = [{ custom_code: code, original_url: DESTINATION, password_hash: hash }]
      const imported = await rig.call('POST', '/api/links/import', { key: caller.key, body: { links } })
      expect(imported.body.data).toMatchObject([{ result: 'created', short_code: code }])
      const again = await rig.call('POST', '/api/links/import', { key: caller.key, body: { links } })
      expect(again.body.data).toMatchObject([{ result: 'equal' }])
      expect((await enter(code, `x${password.slice(1)}`)).status).toBe(403)
      expect(await hashOf(code)).toBe(hash)
      const Cookie = cookieOf(await enter(code, password))
      expect((await visit(code, { Cookie })).headers.get('location')).toBe(DESTINATION)
      expect(await hashOf(code)).toStartWith('$argon2id$')
      expect((await enter(code, password)).status).toBe(303)
      expect((await enter(code, 'wrong')).status).toBe(403)
      expect((await visit(code, { Cookie })).headers.get('location')).toBe(DESTINATION)
    }
  })

  test('of at most twenty links is taken in one request', async () => {
    const links = (count: number) =>
      Array.from({ length: 30 }, (_, index) => ({
        original_url: DESTINATION,
        password: index < count ? PASSWORD : null,
      }))
    const bulk = (count: number) =>
      rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: { links: links(count) } })
    const made = await bulk(20)
    expect(made.status).toBe(201)
    expect(made.body.data.filter((link: any) => link.has_password)).toHaveLength(20)
    const tooMany = ['At most 20 links of a request may have a password.']
    expect(statusAndBody(await bulk(21))).toEqual({
      status: 422,
      body: invalid({ 'links.20.password': tooMany }),
    })
  })

  const refused: [what: string, password: unknown, sentence: string][] = [
    ['empty', '', 'The password must be at least 1 character.'],
    ['no text', 12345678, 'The password must be a string.'],
    ['of 129 characters', '🔑'.repeat(129), 'The password may not be greater than 128 characters.'],
    ['of half a megabyte', 'x'.repeat(500_000), 'The password may not be greater than 128 characters.'],
    [
      'of many marks',
      `a${'\u0323\u0301'.repeat(100_000)}`,
      'The password may not be greater than 128 characters.',
    ],
    ['with a control character', 'a\u0000b', 'The password may not contain control characters.'],
    ['half a character', '\ud800', 'The password must be well-formed Unicode.'],
  ]
  test.each(refused)('is refused when it is %s, and nothing is stored', async (_, password, sentence) => {
    const code = await protectedLink()
    const before = await hashOf(code)
    expect(statusAndBody(await put(code, { password }))).toEqual({
      status: 422,
      body: invalid({ password: [sentence] }),
    })
    expect(await hashOf(code)).toBe(before)
  })

  test('may have 128 characters outside of the basic plane, and is the same in any normal form', async () => {
    const password = '🔑'.repeat(127) + 'é'
    const code = await protectedLink({ password })
    expect((await enter(code, password.normalize('NFD'))).status).toBe(303)
  })
})

describe('a visitor of a link with a password', () => {
  test('reads a page with a form and learns nothing about the destination', async () => {
    const code = await protectedLink({ original_url: 'https://secret.example.com/place', title: 'For us' })
    const page = await visit(code)
    const text = await page.text()
    expect(page.status).toBe(403)
    expect(page.headers.get('location')).toBeNull()
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'")
    // Chromium would hold back a redirect to an app.
    expect(page.headers.get('content-security-policy')).not.toContain('form-action')
    expect(text).toContain('<title>This link needs a password</title>')
    expect(text).toMatch(/<input[^>]*name="password"[^>]*autofocus/)
    expect(text).not.toContain('<script')
    expect(text).not.toContain('secret.example.com')
    expect(text).not.toContain('For us')
    const json = await visit(code, { Accept: '*/*' })
    expect([json.status, await json.json()]).toEqual([
      403,
      { success: false, code: 'password_required', message: 'This link needs a password.', errors: {} },
    ])
    const bot = await visit(code, { 'User-Agent': GOOGLEBOT })
    expect([bot.status, (await bot.text()).includes('secret.example.com')]).toEqual([403, false])
    const head = await visit(code, {}, 'HEAD')
    expect([head.status, head.headers.get('location')]).toEqual([403, null])
  })

  test.each(['WhatsApp/2.23', 'Slackbot-LinkExpanding 1.0', 'facebookexternalhit/1.1'])(
    'who is %s gets a card with nothing but the short URL, if its owner has given it none',
    async (agent) => {
      const code = await protectedLink({ original_url: 'https://secret.example.com/place', title: 'For us' })
      const shortUrl = `${new URL(rig.config.baseUrl).host}/${code}`
      for (const Accept of ['*/*', 'text/html']) {
        const card = await visit(code, { 'User-Agent': agent, Accept })
        const text = await card.text()
        expect([card.status, card.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
        expect(text).toContain(`<meta property="og:title" content="${shortUrl}" />`)
        for (const hidden of ['secret.example.com', 'For us', 'password']) expect(text).not.toContain(hidden)
      }
      expect((await visit(code, { 'User-Agent': agent }, 'HEAD')).status).toBe(200)
      expect((await put(code, { social_description: 'Ask Ann.' })).status).toBe(200)
      const own = await (await visit(code, { 'User-Agent': agent })).text()
      expect(own).toContain('<meta property="og:description" content="Ask Ann." />')
    },
  )

  test('enters it, is led to the destination, and is counted once, without a referrer of our own', async () => {
    const code = await protectedLink({ forward_query: true })
    const entered = await enter(code, PASSWORD, { query: '?from=mail' })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `/${code}?from=mail`])
    expect(entered.headers.get('referrer-policy')).toBe('no-referrer')
    expect(entered.headers.get('set-cookie')).toMatch(
      new RegExp(`^link-password=\\d+\\.[\\w-]{43}; Path=/${code}; Max-Age=43200; HttpOnly; SameSite=Lax$`),
    )
    const Cookie = cookieOf(entered)
    expect((await visit(`${code}?from=mail`, { Cookie })).headers.get('location')).toBe(
      `${DESTINATION}?from=mail`,
    )
    await eventually(
      () => clicksOf(code),
      (clicks) => clicks === 1,
    )
    // Those learn nothing even from a browser that has the cookie.
    const head = await visit(code, { Cookie }, 'HEAD')
    const prefetch = await visit(code, { Cookie, 'Sec-Purpose': 'prefetch' })
    expect([head, prefetch].map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [403, null],
      [403, null],
    ])
    expect(await clicksOf(code)).toBe(1)
  })

  test('is asked again after the password was changed, even to the same one, and for every other link', async () => {
    const [code, other] = [await protectedLink(), await protectedLink()]
    const Cookie = cookieOf(await enter(code, PASSWORD))
    expect((await visit(code, { Cookie })).status).toBe(302)
    expect((await visit(other, { Cookie })).status).toBe(403)
    expect((await put(code, { password: PASSWORD })).status).toBe(200)
    expect((await visit(code, { Cookie })).status).toBe(403)
    expect((await visit(code, { Cookie: cookieOf(await enter(code, PASSWORD)) })).status).toBe(302)
  })

  test('has ten tries from a network, learns how many are left, and then waits', async () => {
    const [code, other] = [await protectedLink(), await protectedLink()]
    const ip = newIp()
    // A right one does not use up a try.
    expect((await enter(code, PASSWORD, { ip })).status).toBe(303)
    const wrong = async () => {
      const response = await enter(code, 'wrong', { ip })
      const text = await response.text()
      return [response.status, /role="alert">.*?<\/svg\s*>(.*?)<\/p\s*>/s.exec(text)?.[1]?.trim()]
    }
    for (let left = 9; left > 1; left--)
      expect(await wrong()).toEqual([403, `Wrong password. ${left} attempts are left.`])
    expect(await wrong()).toEqual([403, 'Wrong password. 1 attempt is left.'])
    expect((await wrong())[0]).toBe(429)
    const refused = await enter(code, PASSWORD, { ip, headers: { ...SAME_ORIGIN, Accept: '*/*' } })
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([429, null])
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 601)
    const { message } = (await refused.json()) as { message: string }
    expect(message).toMatch(/^Too many attempts\. Try again in \d+ minutes?\.$/)
    expect((await enter(code, PASSWORD)).status).toBe(303)
    expect((await enter(other, PASSWORD, { ip })).status).toBe(303)
  })

  test('waits once so many wrong passwords came from many networks, unless they have the cookie', async () => {
    const [code, other] = [await protectedLink(), await protectedLink()]
    const Cookie = cookieOf(await enter(code, PASSWORD))
    // Wrong, and not hashed, because no password is as long.
    const body = `password=${'x'.repeat(5_000)}`
    for (let network = 0; network < 100; network++) {
      const tries = Array.from({ length: 10 }, () => enter(code, '', { ip: `203.0.${network}.9`, body }))
      for (const { status } of await Promise.all(tries)) expect([403, 429]).toContain(status)
    }
    const refused = await enter(code, PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(await refused.text()).toContain('Too many attempts. Try again in 1 minute.')
    expect((await visit(code, { Cookie })).status).toBe(302)
    expect((await enter(other, PASSWORD)).status).toBe(303)
  })

  test('who sends something else than a password learns so without using a try', async () => {
    const code = await protectedLink()
    const ip = newIp()
    const json = { ...SAME_ORIGIN, 'Content-Type': 'application/json' }
    for (const sent of [{ body: '' }, { body: 'password=' }, { headers: json }]) {
      const response = await enter(code, PASSWORD, { ip, ...sent })
      expect([response.status, (await response.text()).includes('role="alert"')]).toEqual([403, false])
    }
    const large = await enter(code, 'x'.repeat(1024 * 1024 - 9), { ip })
    expect([large.status, await large.text()]).toEqual([403, expect.stringContaining('9 attempts are left.')])
    const marks = await enter(code, `a${'\u0323\u0301'.repeat(300)}`, { ip })
    expect([marks.status, await marks.text()]).toEqual([403, expect.stringContaining('8 attempts are left.')])
  })

  test('comes from our own page', async () => {
    const code = await protectedLink()
    const from = async (headers: Record<string, string>) => (await enter(code, PASSWORD, { headers })).status
    expect(await from({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' })).toBe(403)
    expect(await from({ 'Sec-Fetch-Site': 'same-site', Origin: rig.config.baseUrl })).toBe(403)
    expect(await from({ Origin: 'https://evil.example' })).toBe(403)
    expect(await from({ Origin: 'null' })).toBe(403)
    expect(await from({})).toBe(403)
    expect(await from({ Origin: rig.config.baseUrl })).toBe(303)
    // As a page of this server under another host is.
    expect(await from({ Origin: rig.url })).toBe(303)
  })

  test('who is turned away in a browser reads a page and can try again', async () => {
    const code = await protectedLink()
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
    const page = await enter(code, PASSWORD, { headers: foreign })
    const text = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(text).toContain('<h1>The password was not checked</h1>')
    expect(text).toContain('href="" rel="nofollow">Try again</a>')
    const json = await enter(code, PASSWORD, { headers: { ...foreign, Accept: '*/*' } })
    expect([json.status, await json.json()]).toEqual([
      403,
      refusal('cross_site_request', 'This request did not come from a page of this server.'),
    ])
  })

  test('meets a link that is over, early or disabled as everybody does, whatever they know', async () => {
    const code = await protectedLink()
    const Cookie = cookieOf(await enter(code, PASSWORD))
    const states: [fields: object, status: number][] = [
      [{ expires_at: '2020-01-01T00:00:00Z' }, 410],
      [{ expires_at: null, starts_at: '2199-01-01T00:00:00Z' }, 404],
      [{ starts_at: null, is_active: false }, 404],
    ]
    for (const [fields, status] of states) {
      expect((await put(code, fields)).status).toBe(200)
      expect((await visit(code, { Cookie })).status).toBe(status)
      const sent = await enter(code, PASSWORD)
      expect([sent.status, sent.headers.get('location'), sent.headers.get('set-cookie')]).toEqual([
        303,
        `/${code}`,
        null,
      ])
    }
  })

  test('is redirected without Argon2, also while more passwords are tried than can be checked', async () => {
    const code = await protectedLink()
    const Cookie = cookieOf(await enter(code, PASSWORD))
    // Of this thread, which redirects.
    const verify = spyOn(Bun.password, 'verify')
    const tries = Promise.all(
      Array.from({ length: 80 }, async () => {
        const response = await enter(code, 'wrong')
        const { status, headers } = response
        const isAsked = (await response.text()).includes('Try again</a>')
        return `${status} ${headers.get('retry-after')} ${isAsked}`
      }),
    )
    for (let n = 0; n < 20; n++) expect((await visit(code, { Cookie })).status).toBe(302)
    expect(verify).not.toHaveBeenCalled()
    verify.mockRestore()
    // How many are turned away depends on the cores.
    for (const met of await tries) expect(['403 null false', '503 5 true']).toContain(met)
  })

  test('of a link without one cannot send a form', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    for (const path of [code, 'no-such-link']) {
      const sent = await enter(path, PASSWORD)
      expect([sent.status, sent.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })
})

describe('behind a proxy with TLS', () => {
  const secure = useOwnContractRig({ TRUSTED_PROXIES: 'loopback', BASE_URL: 'https://s.example.com' })
  const owner = useCaller(secure)

  test('the cookie is for https only, and the form is known by its origin', async () => {
    const { short_code: code } = await makeLink(secure, owner, { password: PASSWORD })
    const sent = await documentedFetch(`${secure.url}/${code}`, {
      method: 'POST',
      headers: { Host: 's.example.com', Origin: 'https://s.example.com', 'X-Forwarded-For': newIp() },
      body: new URLSearchParams({ password: PASSWORD }),
    })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/${code}`])
    expect(sent.headers.get('set-cookie')).toEndWith('HttpOnly; SameSite=Lax; Secure')
  })
})

/** Each from another network, so that tries of one test are not those of another. */
const newIp = () => `198.51.${++networks}.7`

type VisitOptions = { headers?: Record<string, string>; body?: string; ip?: string; query?: string }

/** Sends the form of a short URL. */
const enter = (
  code: string,
  password: string,
  { headers = SAME_ORIGIN, body, ip, query = '' }: VisitOptions = {},
) =>
  documentedFetch(`${rig.url}/${code}${query}`, {
    method: 'POST',
    headers: {
      ...PAGE,
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Forwarded-For': ip ?? newIp(),
      ...headers,
    },
    body: body ?? new URLSearchParams({ password }).toString(),
  })

const visit = (code: string, headers: Record<string, string> = {}, method = 'GET') =>
  documentedFetch(`${rig.url}/${code}`, { method, redirect: 'manual', headers: { ...PAGE, ...headers } })

const cookieOf = (response: Response) => response.headers.get('set-cookie')!.split(';')[0]!
const put = (code: string, body: unknown) => rig.call('PUT', `/api/links/${code}`, { key: caller.key, body })
const protectedLink = async (fields: Record<string, unknown> = {}): Promise<string> =>
  (await makeLink(rig, caller, { password: PASSWORD, ...fields })).short_code
const hashOf = async (code: string) =>
  (
    await rig.store.db
      .selectFrom('links')
      .select('password_hash')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
  ).password_hash
const clicksOf = async (code: string) =>
  (await rig.call('GET', `/api/links/${code}`, { key: caller.key })).body.data.click_count
