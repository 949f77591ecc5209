import { beforeEach, describe, expect, test } from 'bun:test'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import type { TestCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, FIREFOX, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
let caller: TestCaller
beforeEach(async () => {
  caller = await rig.makeCaller()
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

  test('have the prefix of a key in place of that of the style', async () => {
    await change({ code_style: { characters: 'digits', length: 6, prefix: 'go-' } })
    expect((await createBy('shop-', {})).short_code).toMatch(/^shop-\d{6}$/)
    await change({ code_style: { characters: 'words', length: 5 } })
    const { short_code: code } = await createBy(`${'x'.repeat(31)}-`, {})
    expect(code).toMatch(/^x{31}-[a-z]+-[a-z]+-[a-z]+$/)
    expect(await location(code)).toBe(DESTINATION)
  })

  test('are those of imported links without a code, too', async () => {
    await change({ code_style: { characters: 'digits', length: 6 } })
    const { body } = await ask('POST', '/api/links/import', { links: [link({})] })
    expect(body.data[0].short_code).toMatch(/^\d{6}$/)
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

  test('can be added as aliases where the workspace allows it, and stay', async () => {
    await create({ custom_code: 'with-aliases' })
    const edit = (...aliases: string[]) => ask('PUT', '/api/links/with-aliases', { aliases })
    expect((await edit('v1.2')).body.errors).toEqual({
      'aliases.0': ['The aliases.0 may only contain letters, numbers, dashes and underscores.'],
    })
    await change({ unusual_codes: true })
    expect((await edit('plain-alias', 'v2.1', '🚀🚀')).status).toBe(200)
    expect(await location(encodeURIComponent('🚀🚀'))).toBe(DESTINATION)
    const { body } = await edit('v2.1', 'api/links', 'pаypal')
    expect(body.errors).toEqual({
      'aliases.1': [
        'This server uses the code for itself on this domain. Put such links on a domain of their own.',
      ],
      'aliases.2': ['The aliases.2 mixes letters of several scripts, or could be mistaken for another one.'],
    })
    await change({ unusual_codes: false })
    expect((await edit('v2.1', '🚀🚀')).status).toBe(200)
    expect((await edit('v2.1', '🚀🚀🚀')).status).toBe(422)
  })

  test('can be chosen with a key that has a prefix', async () => {
    await change({ unusual_codes: true })
    expect((await createBy('shop-', { custom_code: 'shop-v1.2' })).short_code).toBe('shop-v1.2')
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

const ask = (method: string, path: string, body?: object) => rig.call(method, path, { key: caller.key, body })
const change = (settings: object) => ask('PUT', '/api/workspace/settings', settings)
const link = (fields: object) => ({ original_url: DESTINATION, ...fields })
const create = (fields: object) => ask('POST', '/api/links', link(fields))

/** With a key that has the prefix. */
async function createBy(code_prefix: string, fields: object) {
  const deps = { db: rig.store.db, clock: systemClock, baseUrl: rig.config.baseUrl }
  const grants = { name: 'Public', scopes: ['links:create'], restrictions: { code_prefix } }
  const { key } = await issueKey(deps, caller, grants)
  return (await rig.call('POST', '/api/links', { key, body: link(fields) })).body.data
}

async function location(path: string): Promise<string | undefined> {
  const request = rawRequest('GET', `/${path}`, { headers: [`User-Agent: ${FIREFOX}`] })
  return (await sendRaw(rig.url, request)).headers.location
}
