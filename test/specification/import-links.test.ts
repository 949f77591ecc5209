import { describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { countLinks, DESTINATION, invalid, makeLink, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

describe('an imported link', () => {
  test('has its code, its labels and the time of its creation, and is imported once', async () => {
    const link = {
      original_url: DESTINATION,
      custom_code: 'old-launch',
      title: 'Launch',
      tags: ['Winter', 'ads'],
      folder: 'Old links',
      notes: 'From elsewhere',
      expires_at: '2199-01-01T00:00:00Z',
      max_clicks: 7,
      created_at: '2020-05-01T08:00:00Z',
    }
    expect(await outcomes([link], { dry_run: true })).toEqual([['created', 'old-launch']])
    expect((await ask('GET', '/api/links/old-launch')).status).toBe(404)
    expect(await outcomes([link])).toEqual([['created', 'old-launch']])
    expect((await ask('GET', '/api/links/old-launch')).body.data).toMatchObject({
      title: 'Launch',
      tags: ['ads', 'Winter'],
      folder: 'Old links',
      notes: 'From elsewhere',
      max_clicks: 7,
      created_at: '2020-05-01T08:00:00.000000Z',
    })
    const before = await rig.store.db.selectFrom('audit_log').select('id').execute()
    expect(await outcomes([link], { on_conflict: 'replace' })).toEqual([['equal', 'old-launch']])
    expect(await rig.store.db.selectFrom('audit_log').select('id').execute()).toEqual(before)
  })

  test('has a password or the hash of one, which is bounded in what it costs, and needs its code then', async () => {
    const hash = `$2a$12$${'a'.repeat(53)}`
    const link = { original_url: DESTINATION, custom_code: 'hashed', password_hash: hash }
    const noHash = ['The password hash must be a hash of bcrypt with a cost of 12 at most.']
    for (const [fields, errors] of [
      [{ password_hash: hash.replace('12', '13') }, { password_hash: noHash }],
      [{ password_hash: 'sesame' }, { password_hash: noHash }],
      [{ password_hash: 7 }, { password_hash: ['The password hash must be a string.'] }],
      [{ password: 'sesame' }, { password_hash: ['Send either the password hash or the password.'] }],
      [{ custom_code: null }, { custom_code: [expect.stringContaining('needs a code')] }],
    ] as const) {
      const body = { links: [{ ...link, ...fields }] }
      expect((await ask('POST', '/api/links/import', body)).body.data).toMatchObject([
        { result: 'refused', errors },
      ])
    }
    expect(await outcomes([link], { dry_run: true })).toEqual([['created', 'hashed']])
    expect(await outcomes([link])).toEqual([['created', 'hashed']])
    const { data } = (await ask('GET', '/api/links/hashed')).body
    expect(data.has_password).toBe(true)
    expect(JSON.stringify(data)).not.toContain('$2a$')
    await ask('PUT', '/api/links/hashed', { password: null })
    expect(await outcomes([link])).toEqual([['skipped', 'hashed']])
    expect(await outcomes([link], { on_conflict: 'replace' })).toEqual([['replaced', 'hashed']])
    expect(await outcomes([link])).toEqual([['equal', 'hashed']])
  })

  test('is found under its labels in the order of creation', async () => {
    const link = (code: string, created_at?: string) => ({
      original_url: DESTINATION,
      custom_code: code,
      tags: ['in order'],
      ...(created_at && { created_at }),
    })
    await outcomes([link('now-made')])
    await outcomes([link('older', '2021-01-01T00:00:00Z'), link('oldest', '2020-01-01T00:00:00Z')])
    const { body } = await ask('GET', '/api/links?tag=in%20order')
    expect(body.data.map(({ short_code }: any) => short_code)).toEqual(['now-made', 'older', 'oldest'])
  })

  test('without a code is compared with what is there', async () => {
    const { key } = await rig.makeCaller()
    const link = { original_url: `${DESTINATION}/uncoded`, title: 'Uncoded' }
    const [[first, code]] = (await outcomes([link], {}, key)) as [[string, string]]
    expect(first).toBe('created')
    expect(await outcomes([link], { dry_run: true }, key)).toEqual([['equal', code]])
    expect(await outcomes([link], {}, key)).toEqual([['equal', code]])
    expect(await countLinks(rig, { key })).toBe(1)
    const unknown = [{ is_active: false }, { archived: true }, { password: 'secret' }]
    const results = await outcomes(
      unknown.map((fields) => ({ ...link, ...fields })),
      {},
      key,
    )
    expect(results).toEqual(unknown.map(() => ['refused', null]))
    expect(await countLinks(rig, { key })).toBe(1)
  })
})

describe('a link that differs from the one with its code', () => {
  const here = { custom_code: 'mine', title: 'Mine', tags: ['own'] }
  const theirs = {
    original_url: 'https://example.com/theirs',
    title: 'Theirs',
    notes: 'New',
    tags: ['Other'],
  }
  const differences = {
    original_url: { here: DESTINATION, imported: 'https://example.com/theirs' },
    title: { here: 'Mine', imported: 'Theirs' },
    notes: { here: null, imported: 'New' },
    tags: { here: ['own'], imported: ['Other'] },
  }

  test.each([
    ['skip', 'skipped', { original_url: DESTINATION, title: 'Mine', notes: null, tags: ['own'] }],
    ['keep', 'kept', { original_url: DESTINATION, title: 'Mine', notes: 'New', tags: ['own'] }],
    ['replace', 'replaced', theirs],
  ])('is decided by on_conflict: %s', async (on_conflict, result, after) => {
    const { key } = await rig.makeCaller()
    const code = `mine-${on_conflict}`
    await makeLink(rig, { key }, { ...here, custom_code: code })
    const link = { ...theirs, custom_code: code }
    const expected = { result, short_code: code, differences, errors: {} }
    for (const dry_run of [true, false]) {
      const { body } = await importAll([link], { on_conflict, dry_run }, key)
      expect(body.data).toMatchObject([expected])
      const { body: read } = await rig.call('GET', `/api/links/${code}`, { key })
      if (dry_run) expect(read.data).toMatchObject({ title: 'Mine', notes: null })
      else expect(read.data).toMatchObject(after)
    }
    const again = await outcomes([link], { on_conflict: 'replace', dry_run: true }, key)
    expect(again[0]![0]).toBe(on_conflict === 'replace' ? 'equal' : 'replaced')
  })

  test('is refused if the link cannot be given what it says', async () => {
    await makeLink(rig, caller, { custom_code: 'with-start', starts_at: '2030-01-01T00:00:00Z' })
    const link = { original_url: DESTINATION, custom_code: 'with-start', expires_at: '2029-01-01T00:00:00Z' }
    const { body } = await importAll([link], { on_conflict: 'replace' })
    expect(body.data).toMatchObject([
      { result: 'refused', errors: { expires_at: ['The end must be after the start.'] } },
    ])
  })
})

test('what is wrong with one link leaves the others alone', async () => {
  const stranger = await rig.makeCaller()
  await makeLink(rig, stranger, { custom_code: 'of-stranger' })
  await makeLink(rig, caller, { custom_code: 'in-trash' })
  await ask('DELETE', '/api/links/in-trash')
  const link = (custom_code: string, fields: object = {}) => ({
    original_url: DESTINATION,
    custom_code,
    ...fields,
  })
  const links = [
    link('good-one', { password: 'secret' }),
    link('v 1.2'),
    link('of-stranger'),
    link('in-trash'),
    link('docs'),
    link('elsewhere', { domain: 'go.example' }),
    link('good-one', { title: 'Again' }),
    link('mail', { original_url: 'mailto:a@example.com' }),
    link('future', { created_at: '2199-01-01T00:00:00Z' }),
    7,
    link('good-two'),
  ]
  const { body } = await importAll(links)
  expect(body.data.map(({ result, errors }: any) => [result, Object.keys(errors)])).toEqual([
    ['created', []],
    ['refused', ['custom_code']],
    ['refused', ['custom_code']],
    ['refused', ['custom_code']],
    ['refused', ['custom_code']],
    ['refused', ['domain']],
    ['refused', ['custom_code']],
    ['refused', ['original_url']],
    ['refused', ['created_at']],
    ['refused', ['link']],
    ['created', []],
  ])
  expect(body.message).toBe('2 of 11 links created.')
  expect(body.meta).toEqual({ created: 2, equal: 0, skipped: 0, kept: 0, replaced: 0, refused: 9 })
  expect((await ask('GET', '/api/links/good-one')).body.data.has_password).toBe(true)
})

test('a list that is no list, and an unknown choice, are refused as a whole', async () => {
  expect(statusAndBody(await importAll('all' as never, { on_conflict: 'merge' }))).toEqual({
    status: 422,
    body: invalid({ on_conflict: ['The on conflict must be one of skip, keep, replace, move.'] }),
  })
  expect(statusAndBody(await importAll([]))).toEqual({
    status: 422,
    body: invalid({ links: ['The links must have between 1 and 100 items.'] }),
  })
})

const ask = (method: string, path: string, body?: object) => rig.call(method, path, { key: caller.key, body })

const importAll = (links: unknown[], options: object = {}, key = caller.key) =>
  rig.call('POST', '/api/links/import', { key, body: { links, ...options } })

async function outcomes(links: unknown[], options: object = {}, key = caller.key) {
  const { body } = await importAll(links, options, key)
  return (body.data as { result: string; short_code: string | null }[]).map(({ result, short_code }) => [
    result,
    short_code,
  ])
}
