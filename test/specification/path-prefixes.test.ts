import { beforeEach, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { DESTINATION, FIREFOX, useOwnContractRig } from './contract-rig.ts'

const HOME = 'https://example.com/home'
const BASE_PATH = '/go/links'
const rig = useOwnContractRig({ BASE_URL: `https://s.example${BASE_PATH}` })
let key: string
let host: string
let tests = 0
beforeEach(addDomain)

describe('a domain with a path prefix', () => {
  test('has it in its short URLs, which open with it and without', async () => {
    await create({ custom_code: 'before' })
    await setPrefix('/s')
    const link = await create({ custom_code: 'launch', aliases: ['start'] })
    expect(link).toMatchObject({
      short_code: 'launch',
      short_url: `https://${host}/s/launch`,
      qr_code_url: `https://${host}/s/qr/launch`,
    })
    for (const path of ['/s/launch', '/launch', '/s/start', '/s/launch.', '/s/before', '/before'])
      expect([path, (await visit(path)).headers.location]).toEqual([path, DESTINATION])
    for (const path of ['/s/other', '/S/launch', '/sale/launch', '/s/s/launch'])
      expect([path, (await visit(path)).headers.location]).toEqual([path, undefined])
    for (const path of ['/s', '/s/', '/'])
      expect([path, (await visit(path)).headers.location]).toEqual([path, HOME])
    const clicks = async () =>
      (await ask('GET', `/api/links/launch?domain=${host}`)).body.data.click_count as number
    expect(await eventually(clicks, (count) => count === 4)).toBe(4)
    const found = await ask('GET', `/api/links?search=${encodeURIComponent(`https://${host}/s/launch`)}`)
    expect(found.body.data.map((one: any) => one.short_code)).toEqual(['launch'])
    expect((await visit('/s/qr/launch')).status).toBe(200)
    expect((await visit('/s/launch+')).body).toContain(`${host}/s/`)
  })

  test('opens what another program had at the whole path, if nothing else is there', async () => {
    await setPrefix('s/t')
    const links = [{ ...link({ custom_code: 's/t/old' }), original_url: 'https://example.com/old' }]
    expect((await ask('POST', '/api/links/import', { links })).body.data[0].result).toBe('created')
    expect((await visit('/s/t/old')).headers.location).toBe('https://example.com/old')
    await create({ custom_code: 'old' })
    expect((await visit('/s/t/old')).headers.location).toBe(DESTINATION)
  })

  test('keeps visitors behind it: pages, forms and cookies', async () => {
    await setPrefix('/s')
    await create({ custom_code: 'secret', password: 'let me in' })
    const form = await visit('/s/secret')
    expect([form.status, form.body]).toEqual([403, expect.stringContaining('href="/s/assets/site.css"')])
    expect((await visit('/s/assets/site.css')).status).toBe(200)
    const entered = await visit('/s/secret', {
      method: 'POST',
      headers: [`Origin: http://${host}`, 'Content-Type: application/x-www-form-urlencoded'],
      body: 'password=let+me+in',
    })
    expect([entered.status, entered.headers.location]).toEqual([303, '/s/secret'])
    expect(entered.headers['set-cookie']).toContain('Path=/s/secret;')
    const unknown = await visit('/s/nothing')
    expect([unknown.status, unknown.body]).toEqual([404, expect.stringContaining('href="/s/#visitors"')])
  })

  test('refuses what is no path, and words of this server', async () => {
    for (const path_prefix of ['/api', 'docs/x', '/QR', '/a b', '/a//b', '/..', '/a/b/c/d', '/ä', '/a?b'])
      expect([path_prefix, (await put({ path_prefix })).status]).toEqual([path_prefix, 422])
    expect((await put({ path_prefix: '/ok' })).body.data.path_prefix).toBe('/ok')
    expect((await put({ path_prefix: null })).body.data.path_prefix).toBeNull()
    const base = await ask('PUT', '/api/domains/s.example', { path_prefix: '/x' })
    expect(base.status).toBe(403)
  })
})

describe('a server behind a path', () => {
  test('has short URLs, API, pages and dashboard there', async () => {
    const { body } = await ask('POST', `${BASE_PATH}/api/links`, {
      original_url: DESTINATION,
      custom_code: `base${tests}`,
      domain: 's.example',
    })
    expect(body.data.short_url).toBe(`https://s.example${BASE_PATH}/base${tests}`)
    const at = (path: string, accept = 'text/html') => visitAt('s.example', path, { accept })
    expect((await at(`${BASE_PATH}/base${tests}`)).headers.location).toBe(DESTINATION)
    expect((await at(`${BASE_PATH}/base${tests}+`)).body).toContain(`s.example${BASE_PATH}/`)
    const dashboard = await at(`${BASE_PATH}/dashboard/`)
    const script = /<script[^>]* src="([^"]+)"/.exec(dashboard.body)![1]!
    expect(script).toStartWith(`${BASE_PATH}/dashboard/assets/`)
    const { status, body: text } = await at(script, '*/*')
    expect([status, text.includes(`"${BASE_PATH}/dashboard/assets/`)]).toEqual([200, true])
    expect(text).not.toMatch(/["'`]\/dashboard\//)
    for (const path of ['', '/', '/docs', '/api/health', '/assets/site.css', '/favicon.ico'])
      expect([path, (await at(BASE_PATH + path)).status]).toEqual([path, 200])
    expect((await at(`${BASE_PATH}/docs`)).body).not.toMatch(/ (?:href|src)="\/(?!go\/links\/)/)
  })

  test('allows destinations at other paths of its host', async () => {
    const status = async (original_url: string) =>
      (await ask('POST', '/api/links', { original_url, domain: 's.example' })).status
    expect(await status('https://s.example/blog')).toBe(201)
    expect(await status(`https://s.example${BASE_PATH}/launch`)).toBe(422)
  })
})

async function addDomain(): Promise<void> {
  const caller = await rig.makeCaller()
  key = caller.key
  host = `go${++tests}.example`
  const row = { host, name: host, workspace_id: caller.workspaceId, verified_at: 1, created_at: 1 }
  await rig.store.db.insertInto('domains').values(row).execute()
  // What reaches all threads is any change of a domain.
  await put({ home_url: HOME })
}

const ask = (method: string, path: string, body?: object) => rig.call(method, path, { key, body })
const put = (edit: object) => ask('PUT', `/api/domains/${host}`, edit)
const link = (fields: object) => ({ original_url: DESTINATION, domain: host, ...fields })

async function setPrefix(path_prefix: string): Promise<void> {
  expect((await put({ path_prefix })).status).toBe(200)
}

async function create(fields: object) {
  const { status, body } = await ask('POST', '/api/links', link(fields))
  expect([status, body.errors]).toEqual([201, undefined])
  return body.data
}

type VisitOptions = { method?: string; accept?: string; headers?: string[]; body?: string }

const visit = (path: string, sent: VisitOptions = {}) => visitAt(host, path, sent)

function visitAt(at: string, path: string, sent: VisitOptions) {
  const { method = 'GET', accept = 'text/html', headers = [], body = '' } = sent
  const lines = [`User-Agent: ${FIREFOX}`, `Accept: ${accept}`, ...headers]
  const request = rawRequest(method, path, { headers: lines, body })
  return sendRaw(rig.url, request.replace('Host: localhost', `Host: ${at}`))
}
