import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { settingsWithDomain } from '../rigs/service/shared-domain.ts'
import { useRig, useSharedFolders } from '../rigs/use-rig.ts'
import { DESTINATION, FIREFOX, open, startContractRig } from './contract-rig.ts'

const DOMAIN = 'go.example'
const folders = useSharedFolders()
const rig = useRig(async () =>
  startContractRig({ ...(await settingsWithDomain(folders.make(), DOMAIN)), TRUSTED_PROXIES: 'loopback' }),
)
const caller = useCaller(rig)
const other = useCaller(rig)

describe('a code of another program', () => {
  test.each([
    'a',
    'go',
    'v1.2',
    '~me',
    'docs.',
    'spring/2026/sale',
    '冬セール',
    'Grüße',
    '👨‍👩‍👧',
    "it's(1)",
    'x'.repeat(200),
  ])('opens its link and names it everywhere: %s', async (code) => {
    expect(await imported({ custom_code: code })).toEqual({ result: 'created', short_code: code, errors: {} })
    expect(await imported({ custom_code: code })).toMatchObject({ result: 'equal', short_code: code })
    const path = pathOf(code)
    for (const more of SERVERS) expect(await rawLocation(path, more)).toBe(DESTINATION)
    for (const added of ['/', '%20', '?a=b', ...(/\W$/.test(code) ? [] : ['.', ').'])])
      expect([added, await rawLocation(path + added)]).toEqual([added, DESTINATION])
    const { body } = await ask('GET', `/api/links/${encodeURIComponent(code)}`)
    const { short_url: shortUrl, short_code: named } = body.data
    expect([named, new URL(shortUrl).pathname]).toEqual([code, path])
    expect((await open(rig, `qr/${encodeURIComponent(code)}`)).status).toBe(200)
    expect((await open(rig, `${path.slice(1)}+`, PAGE)).text).toContain('<b>example.com</b>/launch')
    expect((await open(rig, `report/${encodeURIComponent(code)}`, PAGE)).status).toBe(200)
    const found = await ask('GET', `/api/links?search=${encodeURIComponent(shortUrl)}`)
    expect(found.body.data.map(({ short_code }: { short_code: string }) => short_code)).toEqual([code])
    await ask('PUT', `/api/links/${encodeURIComponent(code)}`, { is_active: false })
    const { text } = await open(rig, path.slice(1), PAGE)
    expect(text).toContain(`href="/report/${encodeURIComponent(code).replace("'", '&#x27;')}"`)
  })

  test('is closer to what was typed than the code without what people add', async () => {
    await imported({ custom_code: 'plain' })
    await imported({ custom_code: 'plain.', original_url: `${DESTINATION}?dot` })
    expect(await rawLocation('/plain.')).toBe(`${DESTINATION}?dot`)
    for (const path of ['/plain', '/plain/', '/plain,']) expect(await rawLocation(path)).toBe(DESTINATION)
  })

  test('wins over a path that another link passes on', async () => {
    await imported({ custom_code: 'guide', forward_path: true })
    expect(await rawLocation('/guide/one')).toBe(`${DESTINATION}/one`)
    await imported({ custom_code: 'guide/two', original_url: `${DESTINATION}?two` })
    expect(await rawLocation('/guide/two')).toBe(`${DESTINATION}?two`)
    expect(await rawLocation('/guide/one')).toBe(`${DESTINATION}/one`)
    await imported({ custom_code: 'g', forward_path: true })
    expect(await rawLocation('/g/three')).toBe(`${DESTINATION}/three`)
  })

  test('is counted, by its alias too, and keeps its password', async () => {
    const alias = '夏/セール'
    await imported({ custom_code: 'été', aliases: [alias], password: 'open sesame' })
    const form = await open(rig, pathOf(alias).slice(1), PAGE)
    expect(form.status).toBe(403)
    const entered = await fetch(rig.url + pathOf(alias), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'password=open+sesame',
    })
    expect(entered.headers.get('location')).toBe(pathOf(alias))
    const cookie = entered.headers.get('set-cookie')!
    expect(cookie).toContain(`Path=${pathOf(alias)};`)
    await open(rig, pathOf(alias).slice(1), { Cookie: cookie.split(';')[0]! })
    const { id } = (await ask('GET', `/api/links/${encodeURIComponent('été')}`)).body.data
    const clicks = () =>
      rig.store.readDb.selectFrom('clicks').select('alias').where('link_id', '=', id).execute()
    expect(await eventually(clicks, ({ length }) => length > 0)).toEqual([{ alias }])
  })

  test('stays with an edit of its link, and cannot be given to a new one', async () => {
    await imported({ custom_code: 'kept-code', aliases: ['k', 'k/2'] })
    const change = (aliases: string[]) => ask('PUT', '/api/links/kept-code', { aliases })
    expect((await change(['k', 'k/2', 'plain-alias'])).status).toBe(200)
    const refused = await change(['k', 'k/3'])
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { 'aliases.1': ['The aliases.1 may only contain letters, numbers, dashes and underscores.'] },
    ])
    for (const fields of [{ custom_code: 'n' }, { aliases: ['n.n'] }]) {
      const body = { original_url: DESTINATION, ...fields }
      expect((await ask('POST', '/api/links', body)).status).toBe(422)
    }
    await imported({ custom_code: 'kept-code', aliases: ['k', 'l/1'] }, { on_conflict: 'replace' })
    for (const path of ['/k', '/l/1']) expect(await rawLocation(path)).toBe(DESTINATION)
    expect(await rawLocation('/k/2')).toBeUndefined()
    // It stays the workspace's, so it may come back.
    expect((await change(['k/2'])).status).toBe(200)
    expect(await rawLocation('/k/2')).toBe(DESTINATION)
  })

  test('stays its owner’s, in the trash and after it', async () => {
    const link = { custom_code: 'mine/1' }
    await imported(link)
    await ask('DELETE', `/api/links/${encodeURIComponent('mine/1')}`)
    expect(await rawLocation('/mine/1')).toBeUndefined()
    expect((await imported(link)).errors).toHaveProperty('custom_code')
    const restored = await ask('POST', `/api/links/${encodeURIComponent('mine/1')}/restore`)
    expect([restored.status, await rawLocation('/mine/1')]).toEqual([200, DESTINATION])
    expect((await imported(link, {}, other.key)).errors).toEqual({
      custom_code: ['The custom code has already been taken.'],
    })
  })

  test.each([
    ['a b', 'spaces'],
    ['a+', 'plus'],
    ['../a', 'parts'],
    ['a?b', '? # %'],
    ['冬'.repeat(86), '255 bytes'],
    ['docs', 'on this domain'],
    ['API/links', 'on this domain'],
    ['qr', 'on every domain'],
    ['.well-known/x', 'on every domain'],
  ])('is refused as it is, and says why: %s', async (code, reason) => {
    const { result, errors } = await imported({ custom_code: code })
    expect([result, errors.custom_code?.[0]]).toEqual(['refused', expect.stringContaining(reason)])
    const alias = await imported({ custom_code: 'has-such-alias', aliases: [code] })
    expect([alias.result, alias.errors['aliases.0']?.[0]]).toEqual([
      'refused',
      expect.stringContaining(reason),
    ])
  })

  test('is not reserved on a domain of its own, where this server keeps few words', async () => {
    for (const code of ['docs', 'api/links', 'dashboard'])
      expect(await imported({ custom_code: code, domain: DOMAIN })).toMatchObject({ result: 'created' })
    for (const path of ['/docs', '/api/links', '/dashboard', '/docs?a=b', '/docs/'])
      for (const more of SERVERS) expect(await rawLocation(path, more, DOMAIN)).toBe(DESTINATION)
    expect((await rig.call('GET', '/docs')).status).toBe(200)
    expect((await imported({ custom_code: 'qr/x', domain: DOMAIN })).result).toBe('refused')
  })
})

test('paths of our own are no unknown codes, and unknown ones are limited as those are', async () => {
  const headers = { 'X-Forwarded-For': '198.51.100.78' }
  const statusesOf = async (path: string, count: number) => {
    const statuses = new Set<number>()
    for (let n = 0; n < count; n++) statuses.add((await rig.call('GET', path, { headers })).status)
    return [...statuses]
  }
  for (const path of ['/robots.txt', '/favicon.ico', '/api/nothing', '/assets/nothing'])
    expect([path, (await statusesOf(path, 20)).includes(429)]).toEqual([path, false])
  expect(await statusesOf('/wp-login.php', 301)).toEqual([404, 429])
})

/** A plain request, and one that the redirect server leaves to the API server. */
const SERVERS = [[], ['Expect: nothing', 'Content-Length: 0']]
const PAGE = { Accept: 'text/html' }

const pathOf = (code: string) => `/${code.split('/').map(encodeURIComponent).join('/')}`

const ask = (method: string, path: string, body?: object) => rig.call(method, path, { key: caller.key, body })

async function imported(link: object, more: object = {}, key = caller.key) {
  const body = { links: [{ original_url: DESTINATION, ...link }], ...more }
  const { body: answer } = await rig.call('POST', '/api/links/import', { key, body })
  const { result, short_code, errors } = answer.data[0]
  return { result, short_code, errors } as {
    result: string
    short_code: string | null
    errors: Record<string, string[]>
  }
}

async function rawLocation(target: string, headers: string[] = [], host?: string) {
  const request = rawRequest('GET', target, { headers: [`User-Agent: ${FIREFOX}`, ...headers] })
  const toHost = host === undefined ? request : request.replace('Host: localhost', `Host: ${host}`)
  const { status, headers: received } = await sendRaw(rig.url, toHost)
  expect([target, status]).toEqual([target, received.location === undefined ? 404 : 302])
  return received.location
}
