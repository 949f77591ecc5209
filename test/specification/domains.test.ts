import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { type DomainWorld, OTHER_IP, OWN_IP, startDomainWorld } from '../rigs/service/domain-world.ts'
import { outboxFolder } from '../../src/mail/open-mail-queue.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { useRig } from '../rigs/use-rig.ts'
import { FIREFOX, GOOGLEBOT, refusal, startContractRig } from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

let world: DomainWorld
beforeAll(async () => (world = await startDomainWorld()))
afterAll(() => world.stop())
const rig = useRig(() => startContractRig({ ...world.settings, TRUSTED_PROXIES: 'loopback' }, world.options))
// A workspace may check its domains a few times a minute only.
let caller: Awaited<ReturnType<typeof rig.makeCaller>>
beforeEach(addCaller)
const other = useCaller(rig)

const NOT_FOUND = refusal('domain_not_found', 'Domain not found.')

describe('a domain', () => {
  test('serves nothing before its TXT record is there, and from then on', async () => {
    const { status, body } = await ask('POST', '', { host: ' Go.Example. ' })
    const value = body.data.verification.value
    expect([status, body.data]).toMatchObject([
      201,
      {
        host: 'go.example',
        status: 'pending',
        is_default: false,
        is_shared: false,
        verified_at: null,
        verification: { txt_name: '_tern.go.example', file_path: '/.well-known/tern-domain' },
      },
    ])
    expect(value).toMatch(/^tern-verify=[\w-]{24}$/)
    expect((await shorten('go.example', 'early')).body.errors).toHaveProperty('domain')
    const missing = (await ask('POST', '/go.example/verify')).body.data
    expect(missing).toMatchObject({ status: 'pending', verified_at: null })
    expect(missing.failure).toStartWith('There is no TXT record _tern.go.example with the expected value.')
    world.txt.set('_tern.go.example', 'tern-verify=another')
    const wrong = (await ask('POST', '/go.example/verify')).body.data
    expect(wrong.failure).toStartWith('There is no TXT record _tern.go.example with the expected value.')

    world.txt.set('_tern.go.example', value)
    const found = (await ask('POST', '/go.example/verify')).body.data
    expect(found).toMatchObject({
      status: 'failing',
      failure: 'go.example has no public address.',
    })
    expect((await shorten('go.example', 'first')).status).toBe(201)
    expect(await visit('/first', 'go.example')).toEqual([302, 'https://example.com/first'])

    world.addresses.set('go.example', OTHER_IP)
    expect((await ask('POST', '/go.example/verify')).body.data.failure).toBe(
      `go.example leads to ${OTHER_IP}, not to tern.example (${OWN_IP}).`,
    )
    world.addresses.set('go.example', OWN_IP)
    const here = (await ask('POST', '/go.example/verify')).body.data
    expect(here).toMatchObject({ status: 'active', failure: null, failing_since: null })
  })

  test('is verified by a file as well, and not by that of a host it redirects to', async () => {
    const { body } = await ask('POST', '', { host: 'file.example' })
    world.addresses.set('file.example', OTHER_IP)
    world.addresses.set('elsewhere.example', OTHER_IP)
    const elsewhere = `http://elsewhere.example:${world.settings.PORT}/.well-known/tern-domain`
    world.files.set('elsewhere.example', body.data.verification.value)
    world.files.set('file.example', elsewhere)
    const led = (await ask('POST', '/file.example/verify')).body.data
    expect([led.status, led.failure]).toEqual([
      'pending',
      expect.stringContaining('redirects to another host'),
    ])
    world.files.set('file.example', `${body.data.verification.value}\n`)
    expect((await ask('POST', '/file.example/verify')).body.data.status).toBe('active')
  })

  test('has pages of its own, which are checked like destinations', async () => {
    await verified('pages.example')
    const edit = { home_url: 'https://example.com/home', not_found_url: 'https://example.com/404' }
    expect((await ask('PUT', '/pages.example', edit)).body.data).toMatchObject({ ...edit, expired_url: null })
    expect(await visit('/', 'pages.example')).toEqual([302, edit.home_url])
    expect(await visit('/nowhere', 'pages.example')).toEqual([302, edit.not_found_url])
    const loop = await ask('PUT', '/pages.example', { home_url: 'javascript:alert(1)', expired_url: 7 })
    expect([loop.status, Object.keys(loop.body.errors)]).toEqual([422, ['home_url', 'expired_url']])
    expect((await ask('PUT', '/pages.example', { home_url: null })).body.data.home_url).toBeNull()
    expect((await visit('/', 'pages.example'))[0]).toBe(200)
  })

  test('has no pages on itself or on other domains that lead here, now or later: visitors would go in circles', async () => {
    await owned('circle.example')
    await owned('around.example')
    const { port } = new URL(rig.config.baseUrl)
    const edit = (page: string, url: string) => ask('PUT', '/circle.example', { [page]: url })
    const refused = (page: string, host: string) => {
      const field = `The ${page.replaceAll('_', ' ')}`
      return [
        422,
        {
          [page]: [`${field} may not be on ${host}, which is for short links: visitors would go in circles.`],
        },
      ]
    }
    for (const page of ['home_url', 'not_found_url', 'expired_url'])
      for (const [url, host] of [
        [`http://circle.example:${port}/`, 'circle.example'],
        ['https://CIRCLE.example./none', 'circle.example'],
        [`http://around.example:${port}/`, 'around.example'],
      ] as const) {
        const { status, body } = await edit(page, url)
        expect([status, body.errors]).toEqual(refused(page, host))
      }
    await ask('POST', '/circle.example/verify')
    const { body } = await edit('home_url', `http://circle.example:${port}/`)
    expect(body.errors).toEqual({ home_url: ['The home url may not point to this service.'] })

    // Of another workspace, so nothing is known of it until it is verified.
    expect((await edit('not_found_url', `http://later.test.example:${port}/x`)).status).toBe(200)
    expect(await visit('/nowhere', 'circle.example')).toEqual([302, `http://later.test.example:${port}/x`])
    await verified('later.test.example', other)
    expect(await visit('/nowhere', 'circle.example')).toEqual([404, null])
  })

  test('can be the default, once it is verified, until another one is', async () => {
    await ask('POST', '', { host: 'later.example' })
    const early = await ask('PUT', '/later.example', { is_default: true })
    expect([early.status, Object.keys(early.body.errors)]).toEqual([422, ['is_default']])
    await verified('main.example')
    expect((await ask('PUT', '/main.example', { is_default: true })).body.data.is_default).toBe(true)
    const link = await rig.call('POST', '/api/links', {
      key: caller.key,
      body: { original_url: 'https://example.com/' },
    })
    expect(link.body.data.domain).toStartWith('main.example')
    const defaults = async () =>
      (await ask('GET', '')).body.data
        .filter(({ is_default }: any) => is_default)
        .map(({ host }: any) => host)
    expect(await defaults()).toEqual(['main.example'])
    expect((await ask('PUT', '/tern.example', { is_default: true })).status).toBe(200)
    expect(await defaults()).toEqual(['tern.example'])
    expect((await ask('PUT', '/tern.example', { home_url: null })).status).toBe(403)
    expect((await ask('PUT', '/main.example', { is_default: false })).status).toBe(422)
  })

  test('says how many links the workspace has on it, without those in the trash', async () => {
    await verified('counted.example')
    const counts = async (who = caller) =>
      Object.fromEntries(
        (await ask('GET', '', undefined, who)).body.data.map((domain: any) => [
          domain.host,
          domain.link_count,
        ]),
      )
    const before = await counts()
    expect(before['counted.example']).toBe(0)
    for (const code of ['one', 'two', 'three']) await shorten('counted.example', code)
    await shorten('tern.example', 'counted-here')
    await rig.call('DELETE', '/api/links/two?domain=counted.example', { key: caller.key })
    await rig.call('PUT', '/api/links/three?domain=counted.example', {
      key: caller.key,
      body: { is_archived: true },
    })
    const expected = { ...before, 'counted.example': 2, 'tern.example': before['tern.example'] + 1 }
    expect(await counts()).toEqual(expected)
    expect((await ask('GET', '/counted.example')).body.data.link_count).toBe(2)
    expect((await ask('GET', '/tern.example')).body.data.link_count).toBe(expected['tern.example'])
    // Of a removed domain they are nowhere, and they are there again with it.
    await ask('DELETE', '/counted.example')
    const { 'counted.example': _, ...rest } = expected
    expect(await counts()).toEqual(rest)
    expect((await ask('POST', '', { host: 'counted.example' })).body.data).toMatchObject({
      status: 'pending',
      link_count: 2,
    })
    expect((await counts(other))['tern.example']).toBe(0)
  })

  test('has a list of the codes that visitors open in vain, which nobody else sees', async () => {
    await verified('vain.example')
    const browser = { headers: { 'User-Agent': FIREFOX, Host: 'vain.example' } }
    // Programs, what browsers fetch by themselves, the domain of all workspaces and own traffic are not noted.
    await documentedFetch(`${rig.url}/wintr`, { headers: { 'User-Agent': GOOGLEBOT, Host: 'vain.example' } })
    await documentedFetch(`${rig.url}/icon`, { headers: { ...browser.headers, 'Sec-Fetch-Mode': 'no-cors' } })
    await documentedFetch(`${rig.url}/nobody`, { headers: { 'User-Agent': FIREFOX } })
    await excludeNetwork('203.0.113.77')
    const own = { ...browser.headers, 'X-Forwarded-For': '203.0.113.77' }
    await documentedFetch(`${rig.url}/own`, { headers: own })
    // Noted last, so that all before it would be listed too.
    for (const path of ['/sumer', '/wintr', '/wintr']) await documentedFetch(rig.url + path, browser)
    const list = async (query = '', who = caller) =>
      (await rig.call('GET', `/api/analytics/not-found${query}`, who)).body.data
    const codes = await eventually(
      () => list(),
      ([first]) => first?.visits === 2,
    )
    expect(codes).toEqual([
      {
        short_code: 'wintr',
        domain: expect.stringContaining('vain.example'),
        visits: 2,
        last_visited_on: expect.stringMatching(/^2/),
      },
      {
        short_code: 'sumer',
        domain: expect.stringContaining('vain.example'),
        visits: 1,
        last_visited_on: expect.stringMatching(/^2/),
      },
    ])
    expect(await list('?domain=VAIN.example&limit=1')).toEqual(codes.slice(0, 1))
    expect(await list('?domain=tern.example')).toEqual([])
    expect(await list('', other)).toEqual([])
    // Nor what has a link by now.
    await shorten('vain.example', 'wintr')
    expect((await list()).map(({ short_code: code }: any) => code)).toEqual(['sumer'])
    await rig.call('DELETE', '/api/links/wintr?domain=vain.example', { key: caller.key })
    expect(await list()).toHaveLength(2)
  })

  test('that is removed keeps its links and codes, and has them again when it is added again', async () => {
    await verified('gone.example')
    await shorten('gone.example', 'kept')
    expect((await ask('DELETE', '/gone.example')).status).toBe(200)
    expect((await visit('/kept', 'gone.example'))[0]).toBe(404)
    expect((await ask('GET', '/gone.example')).body).toEqual(NOT_FOUND)
    const kept = await rig.call('GET', '/api/links/kept?domain=gone.example', { key: caller.key })
    expect(kept.body.data.original_url).toBe('https://example.com/kept')
    await verified('gone.example')
    expect(await visit('/kept', 'gone.example')).toEqual([302, 'https://example.com/kept'])
  })

  test('that another workspace proves to control is theirs, without the codes', async () => {
    await verified('moved.example')
    await shorten('moved.example', 'mine')
    await owned('moved.example', other)
    expect(await visit('/mine', 'moved.example')).toEqual([302, 'https://example.com/mine'])
    expect((await ask('POST', '/moved.example/verify', undefined, other)).body.data.status).toBe('active')
    expect((await visit('/mine', 'moved.example'))[0]).toBe(404)
    expect((await ask('GET', '/moved.example')).body.data).toMatchObject({
      status: 'pending',
      failure: 'Somebody else on this server has proven that they control the domain.',
    })
    expect((await shorten('moved.example', 'mine', other)).status).toBe(201)
    expect(await visit('/mine', 'moved.example')).toEqual([302, 'https://example.com/mine'])
    const [mail] = await eventually(
      async () => mails(),
      (found) => found.length > 0,
    )
    expect(mail).toMatch(new RegExp(`^To: ${caller.email}\r$`, 'm'))
    expect(mail).toContain('moved.example is now used by somebody else')
    expect((await ask('POST', '/moved.example/verify')).body.data.status).toBe('pending')
  })
})

test('only a name that is free can be added, and each once', async () => {
  await ask('POST', '', { host: 'twice.example' })
  for (const host of [
    'twice.example',
    'TWICE.example',
    'tern.example',
    '127.0.0.1',
    'localhost',
    'a b.example',
    7,
  ]) {
    const { status, body } = await ask('POST', '', { host } as object)
    expect([host, status, Object.keys(body.errors)]).toEqual([host, 422, ['host']])
  }
})

test('the domains of other workspaces are not listed', async () => {
  await verified('private.example')
  const hosts = (await ask('GET', '', undefined, other)).body.data.map(({ host }: any) => host)
  expect(hosts).not.toContain('private.example')
})

test('changes are in the audit log', async () => {
  await verified('noted.example')
  await ask('PUT', '/noted.example', { home_url: 'https://example.com/' })
  await ask('DELETE', '/noted.example')
  const rows = await rig.store.db
    .selectFrom('audit_log')
    .select(['action', 'changes'])
    .where('target', '=', 'noted.example')
    .orderBy('id')
    .execute()
  expect(rows.map(({ action }) => action)).toEqual([
    'domain.added',
    'domain.verified',
    'domain.updated',
    'domain.removed',
  ])
  expect(JSON.parse(rows[2]!.changes!)).toEqual({ home_url: { from: null, to: 'https://example.com/' } })
})

describe('what proxies ask', () => {
  const asked = async (domain: string, headers: Record<string, string> = {}) =>
    (await rig.call('GET', `/.well-known/tls-ask?domain=${domain}`, { headers })).status

  test('is whether to get a certificate for a host', async () => {
    await verified('secure.example')
    await ask('POST', '', { host: 'unproven.example' })
    const hosts = [
      'secure.example',
      'SECURE.example',
      'tern.example',
      'unproven.example',
      'x.secure.example',
      '',
    ]
    expect(await Promise.all(hosts.map((host) => asked(host)))).toEqual([200, 200, 200, 404, 404, 404])
    expect(await asked('secure.example&domain=unproven.example')).toBe(404)
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via'])
      expect(await asked('secure.example', { [name]: '198.51.100.7' })).toBe(404)
  })

  test('and a domain that is served says its own token', async () => {
    await verified('token.example')
    const { value } = (await ask('GET', '/token.example')).body.data.verification
    const at = (host: string) => rig.call('GET', '/.well-known/tern-domain', { headers: { Host: host } })
    expect((await at('token.example')).text).toBe(value)
    expect((await at('tern.example')).status).toBe(404)
  })
})

test('a workspace checks domains ten times a minute', async () => {
  const eager = await rig.makeCaller()
  await ask('POST', '', { host: 'eager.example' }, eager)
  const check = () => ask('POST', '/eager.example/verify', undefined, eager)
  for (let i = 0; i < 10; i++) expect((await check()).status).toBe(200)
  const refused = await check()
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect((await ask('POST', '/eager.example/verify')).status).toBe(404)
})

async function addCaller(): Promise<void> {
  caller = await rig.makeCaller()
}

const ask = (method: string, path: string, body?: object, { key } = caller) =>
  rig.call(method, `/api/domains${path}`, { key, ...(body === undefined ? {} : { body }) })
const visit = async (path: string, host: string) => {
  const { status, headers } = await documentedFetch(rig.url + path, { headers: { Host: host } })
  return [status, headers.get('location')]
}

function mails(): string[] {
  const folder = outboxFolder(rig.config.dataDir)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
  return names.map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** Adds a domain and sets its TXT record. */
async function owned(host: string, who = caller): Promise<void> {
  const { body } = await ask('POST', '', { host }, who)
  const { txt_name, value } = body.data.verification
  world.txt.set(txt_name, value)
  world.addresses.set(host, OWN_IP)
}

/** A domain that is verified. */
async function verified(host: string, who = caller): Promise<void> {
  await owned(host, who)
  const { body } = await ask('POST', `/${host}/verify`, undefined, who)
  expect(body.data).toMatchObject({ status: 'active', failure: null })
}

const shorten = (domain: string, code: string, who = caller) =>
  rig.call('POST', '/api/links', {
    key: who.key,
    body: { original_url: `https://example.com/${code}`, custom_code: code, domain },
  })

const excludeNetwork = (...networks: string[]) =>
  rig.call('PUT', '/api/workspace/settings', { key: caller.key, body: { uncounted_networks: networks } })
