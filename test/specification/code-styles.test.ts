import { beforeEach, describe, expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { DESTINATION, FIREFOX, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
let key: string
beforeEach(async () => {
  ;({ key } = await rig.makeCaller())
})

describe('the codes that a workspace assigns', () => {
  test.each([
    [{ characters: 'digits', length: 6 }, /^\d{6}$/],
    [{ characters: 'words', length: 2 }, /^[a-z]+-[a-z]+$/],
    [{ characters: 'letters_and_digits', length: 5, prefix: 'go-' }, /^go-\w{5}$/],
  ])('are as %j says, for one link and for many, until it is null', async (code_style, pattern) => {
    expect((await change({ code_style })).body.data.code_style).toEqual({ prefix: '', ...code_style })
    const one = await create({})
    const two = await ask('POST', '/api/bulk-shorten', { links: [link({}), link({ tags: ['new'] })] })
    for (const { short_code: code } of [one.body.data, ...two.body.data]) {
      expect(code).toMatch(pattern)
      expect(await location(code)).toBe(DESTINATION)
    }
    expect((await change({ code_style: null })).status).toBe(200)
    expect((await create({})).body.data.short_code).toMatch(/^[2-9A-Za-z]{7}$/)
  })

  test('get longer where the short ones run out', async () => {
    await change({ code_style: { characters: 'digits', length: 5 } })
    const rows = Array.from({ length: 100_000 }, (_, n) => ({
      code: String(n).padStart(5, '0'),
      domain_id: 0,
      workspace_id: null,
      link_id: null,
    }))
    for (let at = 0; at < rows.length; at += 5_000)
      await rig.store.db
        .insertInto('codes')
        .values(rows.slice(at, at + 5_000))
        .execute()
    expect((await create({})).body.data.short_code).toMatch(/^\d{6,}$/)
  })

  test('cannot be so short that they are guessed one after the other', async () => {
    for (const code_style of [
      { characters: 'digits', length: 4 },
      { characters: 'letters_and_digits', length: 3 },
      { characters: 'words', length: 1 },
      { characters: 'words', length: 6 },
      { characters: 'emoji', length: 6 },
      { characters: 'digits', length: 6, prefix: 'a/b' },
      { characters: 'digits', length: 6, prefix: 'x'.repeat(21) },
      'digits',
    ])
      expect([code_style, (await change({ code_style })).status]).toEqual([code_style, 422])
  })
})

describe('codes that only imported links have', () => {
  test('can be chosen where the workspace allows it', async () => {
    const codes = ['a', 'v1.2', '冬セール', 'straße', '🚀', 'spring/2026/sale']
    for (const custom_code of codes) expect((await create({ custom_code })).status).toBe(422)
    await change({ unusual_codes: true })
    for (const custom_code of codes) {
      const { status, body } = await create({ custom_code })
      expect([custom_code, status, body.data?.short_code]).toEqual([custom_code, 201, custom_code])
      expect(await location(new URL(body.data.short_url).pathname.slice(1))).toBe(DESTINATION)
    }
    expect((await create({ aliases: ['v1.3'] })).body.data.aliases).toEqual(['v1.3'])
    await change({ unusual_codes: false })
    expect((await create({ custom_code: 'v1.4' })).status).toBe(422)
  })

  test('cannot imitate another code, or be one of this server', async () => {
    await change({ unusual_codes: true })
    // Cyrillic letters among Latin ones, and Cyrillic letters only that look Latin.
    for (const custom_code of [
      'pаypal',
      'аре',
      'x/ѕаӏе',
      'αβγdelta',
      'docs',
      'api/links',
      'a b',
      'a?b',
      'a//b',
      '../x',
    ])
      expect([custom_code, (await create({ custom_code })).status]).toEqual([custom_code, 422])
    expect((await create({ custom_code: 'распродажа' })).status).toBe(201)
  })
})

const ask = (method: string, path: string, body?: object) => rig.call(method, path, { key, body })
const change = (settings: object) => ask('PUT', '/api/workspace/settings', settings)
const link = (fields: object) => ({ original_url: DESTINATION, ...fields })
const create = (fields: object) => ask('POST', '/api/links', link(fields))

async function location(path: string): Promise<string | undefined> {
  const request = rawRequest('GET', `/${path}`, { headers: [`User-Agent: ${FIREFOX}`] })
  return (await sendRaw(rig.url, request)).headers.location
}
