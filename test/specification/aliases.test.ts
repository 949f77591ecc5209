import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, makeLink, open, refusal, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const other = useCaller(rig)

let made = 0
const TAKEN = 'The alias has already been taken.'

describe('aliases', () => {
  test('open the link, and name it in every path', async () => {
    const [own, second, first] = ['b-own', 'b-second', 'a-first'] as const
    const link = await makeLink(rig, caller, { custom_code: own, aliases: [second, first] })
    expect([link.short_code, link.aliases]).toEqual([own, [first, second]])
    for (const code of [own, first, second]) {
      expect(await locationOf(code)).toBe(DESTINATION)
      expect(await read(code)).toMatchObject({ id: link.id, short_code: own, aliases: [first, second] })
    }
    await edit(first, { original_url: 'https://example.org/new' })
    for (const code of [own, first, second]) expect(await locationOf(code)).toBe('https://example.org/new')
    expect((await rig.call('POST', `/api/links/${second}/toggle`, { key: caller.key })).status).toBe(200)
    for (const code of [own, first, second]) expect((await open(rig, code)).status).toBe(404)
    const { data } = (await rig.call('GET', '/api/links?per_page=1', { key: caller.key })).body
    expect(data[0].aliases).toEqual([first, second])
  })

  test('are counted by the code that was opened, also after they are removed; the own code is not', async () => {
    const [kept, removed] = codes(2) as [string, string]
    const { id, short_code } = await makeLink(rig, caller, { aliases: [kept, removed] })
    for (const code of [kept, removed, short_code, kept, short_code]) await open(rig, code)
    expect((await edit(short_code, { aliases: [kept] })).status).toBe(200)
    const { readDb } = rig.store
    const opened = () =>
      readDb.selectFrom('clicks').select('alias').where('link_id', '=', id).orderBy('id').execute()
    const rows = await eventually(opened, ({ length }) => length === 5)
    expect(rows.map(({ alias }) => alias)).toEqual([kept, removed, '', kept, ''])
  })

  test('are replaced by an edit, and a removed one opens nothing until it is added again', async () => {
    const [kept, removed, added] = codes(3) as [string, string, string]
    const { short_code } = await makeLink(rig, caller, { aliases: [kept, removed] })
    expect((await edit(short_code, { aliases: [added, kept] })).status).toBe(200)
    expect((await read(short_code)).aliases).toEqual([kept, added].sort())
    expect((await open(rig, removed)).status).toBe(404)
    expect(await locationOf(added)).toBe(DESTINATION)
    // It stays the workspace's: nobody else gets it.
    expect(await create({ custom_code: removed }, other.key)).toMatchObject({ status: 422 })
    expect(await create({ aliases: [removed] }, other.key)).toMatchObject({
      ...refused({ 'aliases.0': [TAKEN] }),
      body: { errors: { 'aliases.0': [TAKEN] } },
    })
    expect((await edit(short_code, { aliases: [removed] })).status).toBe(200)
    expect((await read(short_code)).aliases).toEqual([removed])
    expect((await edit(short_code, { title: 'Named' })).status).toBe(200)
    expect((await read(short_code)).aliases).toEqual([removed])
    expect((await edit(short_code, { aliases: null })).status).toBe(200)
    expect((await read(short_code)).aliases).toEqual([])
  })

  test('are refused by name where they are taken, and nothing is stored', async () => {
    const [taken, free, own] = codes(3) as [string, string, string]
    await makeLink(rig, caller, { aliases: [taken] })
    const { short_code } = await makeLink(rig, caller)
    for (const answer of [
      await create({ custom_code: own, aliases: [free, taken] }),
      await edit(short_code, { title: 'Not stored', aliases: [free, taken] }),
    ])
      expect([answer.status, answer.body.errors]).toEqual([422, { 'aliases.1': [TAKEN] }])
    const bulk = await rig.call('POST', '/api/bulk-shorten', {
      key: caller.key,
      body: { links: [{ url: DESTINATION }, { url: DESTINATION, aliases: [free, taken] }] },
    })
    expect([bulk.status, bulk.body.errors]).toEqual([422, { 'links.1.aliases.1': [TAKEN] }])
    expect((await read(short_code)).title).toBe('')
    for (const code of [own, free]) expect((await open(rig, code)).status).toBe(404)
    expect((await create({ custom_code: taken })).body.errors).toEqual({
      custom_code: ['The custom code has already been taken.'],
    })
  })

  test('obey the rules of codes', async () => {
    const { short_code } = await makeLink(rig, caller)
    const cases: [aliases: unknown, errors: Record<string, string[]>][] = [
      ['abc', { aliases: ['The aliases must be an array.'] }],
      [codes(11), { aliases: ['The aliases may not have more than 10 items.'] }],
      [
        Array.from({ length: 100_000 }, () => '?'),
        { aliases: ['The aliases may not have more than 10 items.'] },
      ],
      [[1], { 'aliases.0': ['The aliases.0 must be a string.'] }],
      [['a'], { 'aliases.0': ['The aliases.0 must be between 3 and 64 characters.'] }],
      [['fine', 'login'], { 'aliases.1': ['The aliases.1 is reserved.'] }],
      [['twice', 'twice'], { 'aliases.1': ['The alias is used twice in this request.'] }],
    ]
    for (const [aliases, errors] of cases)
      for (const answer of [await create({ aliases }), await edit(short_code, { aliases })])
        expect([answer.status, answer.body.errors]).toEqual([422, errors])
    const own = 'own-code-here'
    expect((await create({ custom_code: own, aliases: [own] })).body.errors).toEqual({
      'aliases.0': ['The alias is used twice in this request.'],
    })
    expect((await edit(short_code, { aliases: [short_code] })).body.errors).toEqual({
      'aliases.0': ['The alias is the code of the link itself.'],
    })
    const links = [
      { url: DESTINATION, aliases: ['in-both'] },
      { url: DESTINATION, custom_code: 'in-both' },
    ]
    const bulk = await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: { links } })
    expect(bulk.body.errors).toEqual({
      'links.1.custom_code': ['The custom code is used twice in this request.'],
    })
  })

  test('find their link in a search, as words and as a pasted short URL', async () => {
    const [alias] = codes(1) as [string]
    const { short_code, short_url } = await makeLink(rig, caller)
    const found = async (search: string) => {
      const path = `/api/links?search=${encodeURIComponent(search)}`
      const { data } = (await rig.call('GET', path, { key: caller.key })).body
      return data.map((link: { short_code: string }) => link.short_code)
    }
    const pasted = short_url.replace(short_code, alias)
    await edit(short_code, { aliases: [alias] })
    for (const search of [alias.toUpperCase(), pasted]) expect(await found(search)).toEqual([short_code])
    await edit(short_code, { title: 'Another title' })
    expect(await found(`${alias} another`)).toEqual([short_code])
    await edit(short_code, { aliases: [] })
    for (const search of [alias, pasted]) expect(await found(search)).toEqual([])
  })

  test('go to the trash with their link and return with it', async () => {
    const [alias] = codes(1) as [string]
    const { short_code } = await makeLink(rig, caller, { aliases: [alias] })
    await rig.call('DELETE', `/api/links/${alias}`, { key: caller.key })
    expect((await open(rig, alias)).status).toBe(404)
    const { data } = (await rig.call('GET', '/api/trash?per_page=1', { key: caller.key })).body
    expect(data[0]).toMatchObject({ short_code, aliases: [alias] })
    await rig.call('POST', `/api/links/${short_code}/restore`, { key: caller.key })
    expect(await locationOf(alias)).toBe(DESTINATION)
    expect((await read(short_code)).aliases).toEqual([alias])
  })

  test('go to one of two links that ask for them at once', async () => {
    const aliases = codes(4)
    const links = await Promise.all([makeLink(rig, caller), makeLink(rig, caller), makeLink(rig, caller)])
    const answers = await Promise.all(
      links.map(({ short_code }, at) =>
        edit(short_code, { aliases: at === 1 ? aliases.toReversed() : aliases }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    // They pass from one link to another of the same workspace.
    const winner = links[answers.findIndex(({ status }) => status === 200)]!
    await edit(winner.short_code, { aliases: [] })
    expect((await edit(links.find((link) => link !== winner)!.short_code, { aliases })).status).toBe(200)
  })
})

/** Codes that no other test has. */
const codes = (count: number) => Array.from({ length: count }, () => `alias-${++made}`)
const read = async (code: string) =>
  (await rig.call('GET', `/api/links/${code}`, { key: caller.key })).body.data
const edit = (code: string, body: unknown, key = caller.key) =>
  rig.call('PUT', `/api/links/${code}`, { key, body })
const create = (body: object, key = caller.key) =>
  rig.call('POST', '/api/links', { key, body: { original_url: DESTINATION, ...body } })
const locationOf = async (code: string) => (await open(rig, code)).headers.get('location')
const refused = (fields: Record<string, string[]>) => ({
  status: 422,
  body: refusal('validation_failed', 'The given data was invalid.', fields),
})
