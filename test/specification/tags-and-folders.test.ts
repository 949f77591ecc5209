import { describe, expect, test } from 'bun:test'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, invalid, makeLink, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)

describe('tags and the folder of a link', () => {
  test('come into being with the link that names them, and are shown as the workspace spells them', async () => {
    const first = await makeLink(rig, caller, { tags: ['Winter', 'Ads'], folder: 'Shop' })
    expect(first).toMatchObject({ tags: ['Ads', 'Winter'], folder: 'Shop' })
    const second = await makeLink(rig, caller, { tags: ['WINTER', 'winter', ' Ads '], folder: 'sHOP' })
    expect(second).toMatchObject({ tags: ['Ads', 'Winter'], folder: 'Shop' })
    expect(await read(second.short_code)).toMatchObject({ tags: ['Ads', 'Winter'], folder: 'Shop' })
    expect(await list()).toMatchObject([
      { name: 'Ads', link_count: 2, archived_link_count: 0 },
      { name: 'Winter', link_count: 2, archived_link_count: 0 },
    ])
    expect(await list('/api/folders')).toMatchObject([{ name: 'Shop', link_count: 2 }])
    expect(await list('/api/tags', stranger)).toEqual([])
  })

  test('a tag and a folder of one name are two', async () => {
    const { short_code: code } = await makeLink(rig, caller, { tags: ['Both'], folder: 'both' })
    expect(await read(code)).toMatchObject({ tags: ['Both'], folder: 'both' })
    expect([await counts('Both'), await counts('both', '/api/folders')]).toEqual([
      [1, 0],
      [1, 0],
    ])
  })

  test('are replaced by an edit that names them, and stay with one that does not', async () => {
    const { short_code: code } = await makeLink(rig, caller, { tags: ['old', 'kept'], folder: 'here' })
    await edit(code, { title: 'Other' })
    expect(await read(code)).toMatchObject({ tags: ['kept', 'old'], folder: 'here' })
    await edit(code, { tags: ['Kept', 'new'] })
    expect(await read(code)).toMatchObject({ tags: ['kept', 'new'], folder: 'here' })
    await edit(code, { folder: 'there' })
    expect(await read(code)).toMatchObject({ tags: ['kept', 'new'], folder: 'there' })
    await edit(code, { tags: null, folder: null })
    expect(await read(code)).toMatchObject({ tags: [], folder: null })
    expect([await counts('old'), await counts('kept'), await counts('new')]).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ])
  })

  test('counts follow archived links, the trash and bulk creation', async () => {
    const links = [1, 2, 3].map((n) => ({ original_url: `${DESTINATION}/${n}`, tags: ['bulk'], folder: 'f' }))
    const { body } = await ask('POST', '/api/bulk-shorten', { links })
    const [one, two] = body.data.map(({ short_code: code }: { short_code: string }) => code)
    expect(await counts('bulk')).toEqual([3, 0])
    await edit(one, { archived: true })
    expect(await counts('bulk')).toEqual([3, 1])
    await edit(one, { archived: false, tags: ['bulk', 'more'] })
    expect([await counts('bulk'), await counts('more')]).toEqual([
      [3, 0],
      [1, 0],
    ])
    await edit(two, { archived: true })
    await remove(one)
    await remove(two)
    expect([await counts('bulk'), await counts('more'), await counts('f', '/api/folders')]).toEqual([
      [1, 0],
      [0, 0],
      [1, 0],
    ])
    expect((await ask('GET', '/api/trash')).body.data).toMatchObject([
      { tags: ['bulk'], folder: 'f' },
      { tags: ['bulk', 'more'], folder: 'f' },
    ])
    await restore(one)
    await restore(two)
    expect(await read(one)).toMatchObject({ tags: ['bulk', 'more'], folder: 'f' })
    expect([await counts('bulk'), await counts('more')]).toEqual([
      [3, 1],
      [1, 0],
    ])
  })
})

describe.each(['tag', 'folder'])('a %s', (kind) => {
  const path = `/api/${kind}s`
  const title = kind === 'tag' ? 'Tag' : 'Folder'
  const linkIn = (name: string, rest = {}) =>
    makeLink(rig, caller, { ...(kind === 'tag' ? { tags: [name] } : { folder: name }), ...rest })
  const labelOf = async (code: string) => {
    const { tags, folder } = await read(code)
    return kind === 'tag' ? tags : folder
  }
  const shown = (name: string) => (kind === 'tag' ? [name] : name)

  test('with characters that turn text around is refused', async () => {
    expect((await ask('POST', path, { name: 'a\u202eb' })).body).toEqual(
      invalid({ name: ['The name may not contain characters that change the direction of text.'] }),
    )
    expect(await named('a\u202eb', path)).toBeUndefined()
    // Marks of right-to-left languages are part of names.
    expect((await ask('POST', path, { name: 'ש\u200fa' })).status).toBe(201)
  })

  test('is created empty, with a color, once', async () => {
    const created = await ask('POST', path, { name: 'Fresh', color: 3 })
    expect(statusAndBody(created)).toMatchObject({
      status: 201,
      body: { data: { name: 'Fresh', color: 3, link_count: 0, archived_link_count: 0 } },
    })
    expect(statusAndBody(await ask('POST', path, { name: 'fresh' }))).toEqual({
      status: 422,
      body: invalid({
        name: [`The name has already been taken by another ${kind}. Merge the two to make them one.`],
      }),
    })
    expect((await ask('POST', path, {})).body).toEqual(invalid({ name: ['The name field is required.'] }))
    expect((await ask('POST', path, { name: 'x', color: 6 })).body).toEqual(
      invalid({ color: ['The color must be a whole number from 0 to 5.'] }),
    )
  })

  test('is renamed for all its links, and never to the name of another', async () => {
    const { short_code: code } = await linkIn('Befor')
    await linkIn('Other')
    const { id, color } = (await named('Befor', path))!
    expect((await ask('PUT', `${path}/${id}`, { name: 'before', color: 5 })).body).toMatchObject({
      data: { id, name: 'before', color: 5, link_count: 1 },
    })
    expect(await labelOf(code)).toEqual(shown('before'))
    expect((await ask('PUT', `${path}/${id}`, { name: 'OTHER' })).status).toBe(422)
    await ask('PUT', `${path}/${id}`, { color })
    expect(await named('before', path)).toMatchObject({ id, color })
    expect((await ask('PUT', `${path}/${id}`, { name: 'x' }, stranger)).body).toMatchObject({
      message: `${title} not found.`,
    })
  })

  test('is deleted, and its links stay without it', async () => {
    const { short_code: code } = await linkIn('Doomed')
    const { short_code: inTrash } = await linkIn('Doomed')
    await remove(inTrash)
    const { id } = (await named('Doomed', path))!
    expect((await ask('DELETE', `${path}/${id}`, undefined, stranger)).status).toBe(404)
    expect((await ask('DELETE', `${path}/${id}`)).status).toBe(200)
    expect((await ask('DELETE', `${path}/${id}`)).status).toBe(404)
    await restore(inTrash)
    for (const each of [code, inTrash]) expect(await labelOf(each)).toEqual(kind === 'tag' ? [] : null)
    expect(await named('Doomed', path)).toBeUndefined()
  })

  test('is merged into another, with the links of the trash, and the counts add up', async () => {
    const { body: empty } = await ask('POST', path, { name: 'Empty' })
    expect((await ask('POST', `${path}/${empty.data.id}/merge`, { into: 999_999 })).status).toBe(422)
    expect(await named('Empty', path)).toBeDefined()
    const one = await linkIn('From')
    const archived = await linkIn('From', { archived: true })
    const trashed = await linkIn('From')
    await remove(trashed.short_code)
    const there = await linkIn('Into')
    if (kind === 'tag') await edit(there.short_code, { tags: ['From', 'Into'] })
    const [from, into] = [(await named('From', path))!, (await named('Into', path))!]
    expect((await ask('POST', `${path}/${from.id}/merge`, { into: from.id })).body).toEqual(
      invalid({ into: [`A ${kind} cannot be merged into itself.`] }),
    )
    expect((await ask('POST', `${path}/${from.id}/merge`, { into: 999_999 })).body).toEqual(
      invalid({ into: [`The ${kind} to merge into was not found.`] }),
    )
    expect((await ask('POST', `${path}/${from.id}/merge`, {})).status).toBe(422)
    const merged = await ask('POST', `${path}/${from.id}/merge`, { into: into.id })
    expect(merged.body).toMatchObject({ data: { id: into.id, link_count: 3, archived_link_count: 1 } })
    await restore(trashed.short_code)
    for (const { short_code: code } of [one, archived, trashed, there])
      expect(await labelOf(code)).toEqual(shown('Into'))
    expect(await counts('Into', path)).toEqual([4, 1])
    expect(await named('From', path)).toBeUndefined()
  })
})

const ask = (method: string, path: string, body?: unknown, who: TestCaller = caller) =>
  rig.call(method, path, { key: who.key, body })
const read = async (code: string) => (await ask('GET', `/api/links/${code}`)).body.data
const edit = (code: string, fields: object) => ask('PUT', `/api/links/${code}`, fields)
const remove = (code: string) => ask('DELETE', `/api/links/${code}`)
const restore = (code: string) => ask('POST', `/api/links/${code}/restore`)
type ListedLabel = {
  id: number
  name: string
  color: number
  link_count: number
  archived_link_count: number
}
const list = async (path = '/api/tags', who = caller): Promise<ListedLabel[]> =>
  (await ask('GET', path, undefined, who)).body.data
const named = async (name: string, path?: string) => (await list(path)).find((label) => label.name === name)
const counts = async (name: string, path?: string) => {
  const label = await named(name, path)
  return label && [label.link_count, label.archived_link_count]
}
