import { beforeEach, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { DESTINATION, FIREFOX, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
let caller: Awaited<ReturnType<typeof rig.makeCaller>>
let host: string
let tests = 0
beforeEach(addDomain)

describe('a domain that ignores case', () => {
  test('opens links whatever case their codes are typed in, and shows them as they were written', async () => {
    await ignoreCase()
    const { short_code, short_url } = await create({ custom_code: 'SpringSale', aliases: ['Promo'] })
    expect([short_code, new URL(short_url).pathname]).toEqual(['SpringSale', '/SpringSale'])
    for (const code of ['SpringSale', 'springsale', 'SPRINGSALE', 'promo', 'PROMO', 'sPrInGsAlE/', 'PROMO.'])
      expect([code, await location(code)]).toEqual([code, DESTINATION])
    for (const code of ['springsale', 'SPRINGSALE', 'PROMO'])
      expect((await ask('GET', `/api/links/${code}?domain=${host}`)).body.data.short_code).toBe('SpringSale')
    const listed = await ask('GET', `/api/links?search=${short_url.replace('SpringSale', 'springSALE')}`)
    expect(listed.body.data.map((link: any) => link.short_code)).toEqual(['SpringSale'])
    const report = await ask('GET', `/api/analytics/links/springsale?domain=${host}`)
    expect(report.body.data.link).toMatchObject({ short_code, short_url })
    const exported = await ask('GET', '/api/export/links?format=csv')
    expect(exported.text).toContain('/SpringSale')
  })

  test('has one code for all ways to write it', async () => {
    await ignoreCase()
    await create({ custom_code: 'Mine' })
    for (const fields of [{ custom_code: 'MINE' }, { aliases: ['mine'] }])
      expect((await ask('POST', '/api/links', link(fields))).status).toBe(422)
    const twice = { links: [link({ custom_code: 'Same' }), link({ custom_code: 'SAME' })] }
    const refused = await ask('POST', '/api/bulk-shorten', twice)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['links.1.custom_code']])
    await create({ custom_code: 'other' })
    const alias = await ask('PUT', `/api/links/other?domain=${host}`, { aliases: ['Fresh', 'FRESH'] })
    expect([alias.status, Object.keys(alias.body.errors)]).toEqual([422, ['aliases.1']])
    expect((await ask('PUT', `/api/links/OTHER?domain=${host}`, { aliases: ['Fresh'] })).status).toBe(200)
    expect(await location('fREsh')).toBe(DESTINATION)
  })

  test('assigns codes without capital letters', async () => {
    await ignoreCase()
    for (let n = 0; n < 5; n++) expect((await create({})).short_code).toMatch(/^[2-9a-z]{8}$/)
  })

  test('counts, deletes, restores and imports links by any spelling', async () => {
    await ignoreCase()
    await create({ custom_code: 'Kept' })
    await location('KEPT')
    const clicks = async () => (await ask('GET', `/api/links/kept?domain=${host}`)).body.data.click_count
    expect(await eventually(clicks, (count) => count === 1)).toBe(1)
    expect((await ask('DELETE', `/api/links/KEPT?domain=${host}`)).status).toBe(200)
    expect(await location('kept')).toBeUndefined()
    expect((await ask('POST', `/api/links/kEpT/restore?domain=${host}`)).status).toBe(200)
    expect((await ask('GET', `/api/links/kept?domain=${host}`)).body.data.short_code).toBe('Kept')
    const imported = await ask('POST', '/api/links/import', { links: [link({ custom_code: 'KEPT' })] })
    expect(imported.body.data[0].result).toBe('equal')
  })
})

describe('turning it on', () => {
  test('folds the codes that are there', async () => {
    await create({ custom_code: 'Before', aliases: ['AlsoBefore'] })
    await create({ custom_code: 'gone-Before' })
    await ask('DELETE', `/api/links/gone-Before?domain=${host}`)
    expect([await location('before'), await location('Before')]).toEqual([undefined, DESTINATION])
    await ignoreCase()
    for (const code of ['before', 'Before', 'BEFORE', 'alsobefore', 'ALSOBEFORE'])
      expect([code, await location(code)]).toEqual([code, DESTINATION])
    expect((await ask('GET', `/api/links/before?domain=${host}`)).body.data).toMatchObject({
      short_code: 'Before',
      aliases: ['alsobefore'],
    })
    expect((await ask('POST', `/api/links/GONE-before/restore?domain=${host}`)).status).toBe(200)
    expect(await location('gone-before')).toBe(DESTINATION)
  })

  test('names the codes that differ in case only, and changes nothing then', async () => {
    for (const custom_code of ['Twin', 'TWIN', 'single']) await create({ custom_code })
    const { status, body } = await ask('PUT', `/api/domains/${host}`, { case_insensitive: true })
    expect([status, body.errors.case_insensitive[0]]).toEqual([
      422,
      'Some codes differ in their case only: TWIN and Twin. Delete one of each, or move it to another domain, first.',
    ])
    expect([await location('twin'), await location('Twin')]).toEqual([undefined, DESTINATION])
    expect((await ask('GET', `/api/domains/${host}`)).body.data.case_insensitive).toBe(false)
  })

  test('is for good once there are links, and not for the domain of the server', async () => {
    await ignoreCase()
    expect((await ask('PUT', `/api/domains/${host}`, { case_insensitive: false })).status).toBe(200)
    await ignoreCase()
    await create({ custom_code: 'first' })
    expect((await ask('PUT', `/api/domains/${host}`, { case_insensitive: false })).status).toBe(422)
    const base = await ask('PUT', '/api/domains/localhost', { case_insensitive: true })
    expect(base.status).toBe(403)
  })
})

async function addDomain(): Promise<void> {
  caller = await rig.makeCaller()
  host = `go${++tests}.example`
  const { id } = await rig.store.db
    .selectFrom('workspaces')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const row = { host, name: host, workspace_id: id, verified_at: 1, created_at: 1 }
  await rig.store.db.insertInto('domains').values(row).execute()
  // What reaches all threads is any change of a domain.
  await ask('PUT', `/api/domains/${host}`, { home_url: 'https://example.com/' })
}

const ask = (method: string, path: string, body?: object) => rig.call(method, path, { key: caller.key, body })

const link = (fields: object) => ({ original_url: DESTINATION, domain: host, ...fields })

async function ignoreCase(): Promise<void> {
  const { status, body } = await ask('PUT', `/api/domains/${host}`, { case_insensitive: true })
  expect([status, body.data?.case_insensitive]).toEqual([200, true])
}

async function create(fields: object) {
  const { status, body } = await ask('POST', '/api/links', link(fields))
  expect([status, body.errors]).toEqual([201, undefined])
  return body.data
}

async function location(code: string): Promise<string | undefined> {
  const request = rawRequest('GET', `/${code}`, { headers: [`User-Agent: ${FIREFOX}`] })
  return (await sendRaw(rig.url, request.replace('Host: localhost', `Host: ${host}`))).headers.location
}
