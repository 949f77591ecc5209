import { renameInTrash } from '../rigs/store/renamed-in-trash.ts'
import { describe, expect, test } from 'bun:test'
import { checkCounters } from '../../src/clicks/repair/check-counters.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { invalid, makeLink, open, statusAndBody, useOwnContractRig } from './contract-rig.ts'

const rig = useOwnContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)

describe('a bulk update', () => {
  test('changes all of the links, and says what they had', async () => {
    const one = await make({ tags: ['a', 'b'], folder: 'F' })
    const two = await make({ aliases: ['two-alias'], archived: true })
    const set = { archived: true, add_tags: ['c'], remove_tags: ['A'], folder: null, is_active: false }
    const { status, body } = await update([one, 'two-alias'], set)
    expect([status, body.message, body.count]).toEqual([200, '2 links updated.', 2])
    expect(body.data).toEqual([
      { short_code: one, before: { archived: false, tags: ['a', 'b'], folder: 'F', is_active: true } },
      { short_code: two, before: { archived: true, tags: [], folder: null, is_active: true } },
    ])
    expect(await read(one)).toMatchObject({
      archived: true,
      tags: ['b', 'c'],
      folder: null,
      is_active: false,
    })
    expect(await read(two)).toMatchObject({ archived: true, tags: ['c'], is_active: false })
    for (const code of [one, two]) expect((await open(rig, code)).status).toBe(404)
    const { body: versions } = await ask('GET', `/api/links/${one}/versions`)
    expect(versions.data[0]).toMatchObject({ changes: { is_active: { from: true, to: false } } })
  })

  test('is tried out by a dry run, which changes nothing', async () => {
    const code = await make({ tags: ['here'] })
    const { body } = await update([code], { add_tags: ['never stored'], is_active: false }, { dry_run: true })
    expect(body).toMatchObject({ message: '1 link would be updated; nothing was stored.', count: 1 })
    expect(await read(code)).toMatchObject({ tags: ['here'], is_active: true })
    expect((await open(rig, code)).status).toBe(302)
    const { body: tags } = await ask('GET', '/api/tags')
    expect(tags.data.map(({ name }: { name: string }) => name)).not.toContain('never stored')
  })

  test('changes nothing if one of the links is missing, or cannot be given a field', async () => {
    const code = await make()
    const foreign = (await makeLink(rig, stranger)).short_code
    const late = await make({ starts_at: '2027-01-01T00:00:00Z' })
    const full = await make({ tags: Array.from({ length: 20 }, (_, n) => `full-${n}`) })
    const cases: [unknown, unknown, Record<string, string[]>][] = [
      [[code, foreign], { archived: true }, { 'short_codes.1': ['Link not found.'] }],
      [['never-made', code, 'no such'], { archived: true }, { 'short_codes.2': ['Link not found.'] }],
      [
        [code, late],
        { expires_at: '2026-12-31T00:00:00Z' },
        { 'short_codes.1': ['The end must be after the start.'] },
      ],
      [
        [code, full],
        { add_tags: ['one more'] },
        { 'short_codes.1': ['The link would have more than 20 tags.'] },
      ],
      [[code], {}, { set: ['The set must name at least one field.'] }],
      [[code], { title: 'x' }, { 'set.title': ['The title field is unknown.'] }],
      [[code], { archived: 'yes' }, { 'set.archived': ['The archived field must be true or false.'] }],
      [[code], { add_tags: [''] }, { 'set.add_tags.0': ['The set.add_tags.0 may not be empty.'] }],
      [[], { archived: true }, { short_codes: ['The short codes must have between 1 and 100 items.'] }],
      ['all', { archived: true }, { short_codes: ['The short codes must be an array.'] }],
      [undefined, { archived: true }, { short_codes: ['The short codes field is required.'] }],
      [[7], { archived: true }, { 'short_codes.0': ['The short_codes.0 must be a string.'] }],
    ]
    const before = await read(code)
    for (const [codes, set, errors] of cases)
      expect(statusAndBody(await update(codes, set))).toEqual({ status: 422, body: invalid(errors) })
    expect((await update([code], undefined)).status).toBe(422)
    expect(await read(code)).toEqual(before)
  })
})

describe('a bulk deletion', () => {
  test('moves all of the links to the trash, or none', async () => {
    const codes = [await make({ tags: ['gone'] }), await make({ archived: true, folder: 'gone' })]
    expect(statusAndBody(await remove([...codes, 'never-made']))).toEqual({
      status: 422,
      body: invalid({ 'short_codes.2': ['Link not found.'] }),
    })
    expect((await remove(codes, { dry_run: true })).body).toMatchObject({ count: 2 })
    for (const code of codes) expect((await open(rig, code)).status).toBe(302)
    expect((await remove([...codes, codes[0]])).body).toMatchObject({ message: '2 links deleted.', count: 2 })
    for (const code of codes) expect((await open(rig, code)).status).toBe(404)
    const { body: trash } = await ask('GET', '/api/trash')
    expect(trash.data.map(({ short_code: code }: { short_code: string }) => code)).toEqual(
      expect.arrayContaining(codes),
    )
    expect((await ask('POST', `/api/links/${codes[0]}/restore`)).body.data).toMatchObject({ tags: ['gone'] })
  })
})

describe('a bulk restoration', () => {
  test('takes all of the links out of the trash, with their tags and aliases, or none', async () => {
    const plain = await make({ tags: ['back'], aliases: ['bulk-back-alias'] })
    const archived = await make({ archived: true, is_active: false })
    const kept = await make()
    await remove([plain, archived])
    const refusals: [string[], Record<string, string[]>][] = [
      [[plain, 'never-made'], { 'short_codes.1': ['Link not found.'] }],
      [[kept, plain], { 'short_codes.0': ['Link not found.'] }],
      [[], { short_codes: ['The short codes must have between 1 and 100 items.'] }],
    ]
    for (const [codes, errors] of refusals)
      expect(statusAndBody(await restore(codes))).toEqual({ status: 422, body: invalid(errors) })
    expect((await open(rig, plain)).status).toBe(404)
    const { status, body } = await restore([archived, plain, plain])
    expect([status, body.message, body.count]).toEqual([200, '2 links restored.', 2])
    expect(await read(plain)).toMatchObject({ tags: ['back'], aliases: ['bulk-back-alias'] })
    expect(await read(archived)).toMatchObject({ archived: true, is_active: false })
    expect((await open(rig, 'bulk-back-alias')).status).toBe(302)
    const { body: found } = await ask('GET', '/api/links?search=bulk-back-alias')
    expect(found.data.map((link: { short_code: string }) => link.short_code)).toEqual([plain])
    expect((await restore([plain])).status).toBe(422)
  })

  test('is refused where a code opens a newer link, or two would have one external ID', async () => {
    const [free, taken] = [await make({ external_id: 'twice' }), await make()]
    await remove([free, taken])
    const second = await make({ external_id: 'twice' })
    await remove([second])
    const newer = await make()
    await renameInTrash(rig.store.db, taken, newer)
    const refusals: [string[], Record<string, string[]>][] = [
      [[free, newer], { 'short_codes.1': ['The short code opens another link now.'] }],
      [[free, second], { 'short_codes.1': ['The external id has already been taken.'] }],
    ]
    for (const [codes, errors] of refusals)
      expect(statusAndBody(await restore(codes))).toEqual({ status: 422, body: invalid(errors) })
    const { body: trash } = await ask('GET', '/api/trash')
    expect(trash.data.map(({ short_code: code }: { short_code: string }) => code)).toEqual(
      expect.arrayContaining([free, second]),
    )
    const foreign = (await makeLink(rig, stranger)).short_code
    await rig.call('DELETE', `/api/links/${foreign}`, { key: stranger.key })
    expect((await restore([foreign])).status).toBe(422)
  })

  test('and every other change leave the counts right', async () => {
    const broken = await checkCounters(rig.store.db)
    expect(broken.flatMap((claim) => claim.broken)).toEqual([])
  })
})

const ask = (method: string, path: string, body?: unknown) =>
  rig.call(method, path, { key: caller.key, body })
const update = (short_codes: unknown, set: unknown, rest = {}) =>
  ask('POST', '/api/links/bulk-update', { short_codes, set, ...rest })
const remove = (short_codes: unknown, rest = {}) =>
  ask('POST', '/api/links/bulk-delete', { short_codes, ...rest })
const restore = (short_codes: unknown) => ask('POST', '/api/links/bulk-restore', { short_codes })
const read = async (code: string) => (await ask('GET', `/api/links/${code}`)).body.data
const make = async (fields: Record<string, unknown> = {}): Promise<string> =>
  (await makeLink(rig, caller, fields)).short_code
