import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { useCaller, useOwnServiceRig } from '../rigs/service/service-rig.ts'
import { settingsWithDomain } from '../rigs/service/shared-domain.ts'
import { useRig, useSharedFolders } from '../rigs/use-rig.ts'
import { startContractRig } from './contract-rig.ts'

const HOST = 'go.example'

const folders = useSharedFolders()
const rig = useRig(async () => startContractRig(await settingsWithDomain(folders.make(), HOST, DOMAIN_PAGES)))
const strict = useOwnServiceRig({ UNKNOWN_HOSTS: 'refuse' })
const caller = useCaller(rig)
const other = useCaller(rig)

describe('a code on two domains', () => {
  test('opens two links of two workspaces, each with its own short URL, QR code and clicks', async () => {
    const here = await create({ original_url: 'https://example.com/here', custom_code: 'twice' })
    const there = await create(
      { original_url: 'https://example.com/there', custom_code: 'twice', domain: 'GO.example' },
      other,
    )
    const port = new URL(rig.config.baseUrl).port
    expect(here.body.data).toMatchObject({ domain: base(), short_url: `http://${base()}/twice` })
    expect(there.body.data).toMatchObject({
      domain: `${HOST}:${port}`,
      short_url: `http://${HOST}:${port}/twice`,
      qr_code_url: `http://${HOST}:${port}/qr/twice`,
    })
    expect(await visit('/twice', base())).toEqual([302, 'https://example.com/here'])
    for (const host of [HOST, 'Go.Example.', `${HOST}:8443`])
      expect(await visit('/twice', host)).toEqual([302, 'https://example.com/there'])
    expect(await eventually(clicksOf('twice', other), (count) => count === 3)).toBe(3)
    expect(await read('/api/links/twice')).toBe('https://example.com/here')
    expect(await read(`/api/links/twice?domain=${HOST}`)).toBe(404)
    expect(await read(`/api/links/twice?domain=${HOST}`, other)).toBe('https://example.com/there')
    expect(await read(`/api/links/twice?domain=${base()}`, other)).toBe(404)
    expect(await read('/api/links/twice?domain=none.example', other)).toBe(404)
    const named = { links: [{ original_url: 'https://example.com/', domain: HOST, custom_code: 'twice' }] }
    const refused = await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: named })
    expect(refused.body.errors).toEqual({
      'links.0.custom_code': ['The custom code has already been taken.'],
    })
  })

  test('is two links of a list, and used twice where its domain is named in two ways', async () => {
    const link = (domain?: string) => ({ original_url: 'https://example.com/', custom_code: 'both', domain })
    const ask = async (path: string, links: object[]) =>
      (await rig.call('POST', path, { key: caller.key, body: { links } })).body
    const links = [link(), link(HOST), link(HOST.toUpperCase())]
    const errors = { custom_code: ['The custom code is used twice in this request.'] }
    expect((await ask('/api/bulk-shorten', links)).errors).toEqual({
      'links.2.custom_code': errors.custom_code,
    })
    const imported = (await ask('/api/links/import', links)).data
    expect(imported).toMatchObject([
      { result: 'created' },
      { result: 'created' },
      { result: 'refused', errors },
    ])
    expect([await read('/api/links/both'), await read(`/api/links/both?domain=${HOST}`)]).toEqual([
      'https://example.com/',
      'https://example.com/',
    ])
  })

  test('is changed, listed, searched, deleted and restored with its own link', async () => {
    const link = { original_url: 'https://example.com/both', custom_code: 'both-of-mine' }
    for (const domain of [base(), HOST]) expect((await create({ ...link, domain })).status).toBe(201)
    const edit = { title: 'There' }
    const path = `/api/links/both-of-mine?domain=${HOST}`
    expect((await rig.call('PUT', path, { key: caller.key, body: edit })).status).toBe(200)
    const bulk = { short_codes: ['both-of-mine'], domain: HOST, set: { archived: true } }
    expect((await rig.call('POST', '/api/links/bulk-update', { key: caller.key, body: bulk })).status).toBe(
      200,
    )
    const { port } = new URL(rig.config.baseUrl)
    const shortUrl = encodeURIComponent(`http://${HOST}:${port}/both-of-mine`)
    const search = `/api/links?archived=include&search=${shortUrl}`
    const found = await rig.call('GET', search, { key: caller.key })
    expect(found.body.data[0]).toMatchObject({ title: 'There', archived: true })
    expect((await rig.call('DELETE', path, { key: caller.key })).status).toBe(200)
    expect(await visit('/both-of-mine', base())).toEqual([302, 'https://example.com/both'])
    expect(await visit('/both-of-mine', HOST)).toEqual([302, 'https://example.com/404'])
    const restore = `/api/links/both-of-mine/restore?domain=${HOST}`
    expect((await rig.call('POST', restore, { key: caller.key })).status).toBe(200)
    expect(await visit('/both-of-mine', HOST)).toEqual([302, 'https://example.com/both'])
  })
})

test('links are listed and counted by domain', async () => {
  const { key } = other
  const codes = async (query: string) => {
    const { status, body } = await rig.call('GET', `/api/links?${query}`, { key })
    expect([query, status, body.meta?.total]).toEqual([query, 200, body.data?.length])
    return body.data.map((link: { short_code: string }) => link.short_code)
  }
  for (const [custom_code, domain] of [
    ['listed-here', base()],
    ['listed-there', HOST],
  ])
    await create({ original_url: 'https://example.com/', custom_code, domain, tags: ['listed'] }, other)
  const all = await codes('tag=listed')
  expect(all).toEqual(['listed-there', 'listed-here'])
  expect(await codes(`tag=listed&domain=${HOST}`)).toEqual(['listed-there'])
  expect(await codes(`domain=${HOST}&search=listed`)).toEqual(['listed-there'])
  expect(await codes(`domain=${HOST}&sort=title`)).toContain('listed-there')
  expect(await codes(`tag=listed&domain=${base()}`)).toEqual(['listed-here'])
  expect(await codes(`tag=listed&domain=${HOST}&domain=${base()}`)).toEqual(all)
  expect(await codes('domain=none.example')).toEqual([])
  const file = await rig.call('GET', `/api/export/links?format=ndjson&tag=listed&domain=${HOST}`, { key })
  expect(file.text.trim().split('\n')).toHaveLength(1)
})

test('a domain that the workspace cannot use is refused, and nothing is stored', async () => {
  for (const domain of ['none.example', 'go.example.evil', `${HOST}/x`]) {
    const { status, body } = await create({ original_url: 'https://example.com/', domain })
    expect([status, body.errors]).toEqual([422, { domain: [REFUSED] }])
  }
  const long = await create({ original_url: 'https://example.com/', domain: 'x'.repeat(254) })
  expect(Object.keys(long.body.errors)).toEqual(['domain'])
})

describe('the host of a domain', () => {
  test('has short URLs and their pages, and neither the API nor the dashboard', async () => {
    expect(await visit('/', HOST)).toEqual([302, 'https://example.com/home'])
    for (const path of ['/nowhere', '/api/links', '/dashboard', '/docs', '/api/openapi.json'])
      expect([path, ...(await visit(path, HOST))]).toEqual([path, 302, 'https://example.com/404'])
    const { status } = await rig.call('GET', '/robots.txt', { headers: { Host: HOST } })
    expect(status).toBe(200)
    await create({ original_url: 'https://example.com/drawn', custom_code: 'drawn', domain: HOST })
    for (const path of ['/qr/drawn', '/report/drawn', '/drawn+'])
      expect([path, (await visit(path, HOST))[0]]).toEqual([path, 200])
    expect((await visit('/qr/drawn', base()))[0]).toBe(404)
    expect((await visit(`/qr/drawn?domain=${HOST}`, base()))[0]).toBe(200)
    expect((await visit('/qr/drawn?domain=none.example', HOST))[0]).toBe(404)
  })

  test('leads on from links that have ended without a fallback, which is a click', async () => {
    const link = { original_url: 'https://example.com/', custom_code: 'over', domain: HOST }
    await create({ ...link, expires_at: '2020-01-01T00:00:00Z' })
    expect(await visit('/over', HOST)).toEqual([302, 'https://example.com/over'])
    expect(await eventually(clicksOf('over'), (count) => count === 1)).toBe(1)
    const explained = await rig.call('GET', `/api/links/over/resolve?domain=${HOST}`, { key: caller.key })
    expect(explained.body.data).toMatchObject({
      outcome: 'redirect',
      url: DOMAIN_PAGES.expired_url,
      variant: 'fallback',
      counts_as: 'click',
      why: "The link stopped redirecting at 2020-01-01T00:00:00.000000Z, so the visitor is led to its domain's page for expired links.",
    })
  })
})

test('hosts that nobody has added get 404 where the operator says so, except for the health check', async () => {
  const own = new URL(strict.config.baseUrl).host
  expect((await visit('/docs', own, strict))[0]).toBe(200)
  for (const path of ['/code', '/', '/dashboard', '/docs', '/api/links', '/qr/code'])
    expect([path, (await visit(path, 'stranger.example', strict))[0]]).toEqual([path, 404])
  expect((await visit('/api/health', 'stranger.example', strict))[0]).toBe(200)
})

const DOMAIN_PAGES = {
  home_url: 'https://example.com/home',
  not_found_url: 'https://example.com/404',
  expired_url: 'https://example.com/over',
}

const REFUSED = 'The domain is not one that you can use.'

const base = () => new URL(rig.config.baseUrl).host
const visit = async (path: string, host: string, { url } = rig) => {
  // Paths of the API are none on this host, so its document says nothing about them.
  const { status, headers } = await fetch(url + path, { headers: { Host: host }, redirect: 'manual' })
  return [status, headers.get('location')]
}
const create = (body: object, { key } = caller) => rig.call('POST', '/api/links', { key, body })
const read = async (path: string, { key } = caller) => {
  const { status, body } = await rig.call('GET', path, { key })
  return status === 200 ? body.data.original_url : status
}

const clicksOf =
  (code: string, { key } = caller) =>
  async () => {
    const { body } = await rig.call('GET', `/api/links/${code}?domain=${HOST}`, { key })
    return body.data.click_count as number
  }
