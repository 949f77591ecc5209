import { beforeAll, describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { invalid, makeLink, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)

describe('a list', () => {
  beforeAll(makeLinks)

  test('is narrowed to tags, any or all of them, and to folders, without case', async () => {
    expect(await titles('tag=ADS')).toEqual([['badger', 'Anteater'], 2])
    expect(await titles('tag=ads&tag=winter%20%26%20snow')).toEqual([['', 'badger', 'Anteater'], 3])
    expect(await titles('tag=ads&tag=winter%20%26%20snow&tag_mode=all')).toEqual([['Anteater'], 1])
    expect(await titles('folder=ZOO')).toEqual([['badger', 'Anteater'], 2])
    expect(await titles('folder=zoo&folder=farm')).toEqual([['', 'badger', 'Anteater'], 3])
    expect(await titles('folder=farm&archived=include')).toEqual([['Cat', ''], 2])
    expect(await titles('tag=no+such+tag')).toEqual([[], 0])
    expect(await titles('tag=ads&folder=farm')).toEqual([[], 0])
  })

  test('combines filters with each other, with a search and with pages', async () => {
    expect(await titles('tag=ads&status=disabled')).toEqual([['badger'], 1])
    expect(await titles('status=disabled&status=expired')).toEqual([['dog', 'badger'], 2])
    expect(await titles('tag=ads&search=ant')).toEqual([['Anteater'], 1])
    expect(await titles('tag=ads&per_page=1&page=2')).toEqual([['Anteater'], 2])
    expect(await titles('created_from=2020-01-01T00:00:00Z&created_to=2020-01-02T00:00:00Z')).toEqual([[], 0])
    expect((await titles('created_from=2020-01-01T00:00:00%2B02:00'))[1]).toBe(4)
    expect((await titles('created_from=2020-01-01T00:00:00+02:00'))[1]).toBe(4)
    expect((await titles('created_by=999999'))[1]).toBe(0)
    // Those that never end are not in it.
    expect(await titles('expires_before=2020-01-01T00:00:01Z')).toEqual([['dog'], 1])
    expect(await titles('expires_before=2020-01-01T00:00:00Z')).toEqual([[], 0])
    expect(await titles('expires_before=2090-01-01T00:00:00Z&status=active')).toEqual([[], 0])
    expect(await titles('expires_before=2090-01-01T00:00:00Z&status=expired&search=dog')).toEqual([
      ['dog'],
      1,
    ])
  })

  test('is narrowed to links by ID, of the caller only', async () => {
    const { data } = await list('archived=include')
    const { data: theirs } = await list('', stranger)
    const idOf = (title: string) => data.find((link: { title: string }) => link.title === title).id
    const ids = `id=${idOf('dog')}&id=${idOf('badger')}&id=${theirs[0].id}`
    expect(await titles(ids)).toEqual([['dog', 'badger'], 2])
    expect(await titles(`${ids}&order=asc&per_page=1`)).toEqual([['badger'], 2])
    expect(await titles(`${ids}&status=disabled`)).toEqual([['badger'], 1])
    expect(await titles(`${ids}&sort=title`)).toEqual([['badger', 'dog'], 2])
    expect(await titles(`${ids}&tag=ads`)).toEqual([['badger'], 1])
    expect(await titles(`${ids}&search=badger`)).toEqual([['badger'], 1])
    expect(await titles(`id=${idOf('Cat')}`)).toEqual([[], 0])
    expect(await titles(`id=${idOf('Cat')}&archived=only`)).toEqual([['Cat'], 1])
    expect(await titles(`id=${theirs[0].id}`)).toEqual([[], 0])
  })

  test('is sorted as asked', async () => {
    expect(await titles('sort=title')).toEqual([['Anteater', 'badger', 'dog', ''], 4])
    expect(await titles('sort=title&order=desc')).toEqual([['dog', 'badger', 'Anteater', ''], 4])
    expect(await titles('order=asc')).toEqual([['Anteater', 'badger', '', 'dog'], 4])
    expect((await titles('sort=clicks&tag=ads'))[1]).toBe(2)
    expect((await titles('sort=last_clicked_at&search=a'))[1]).toBe(4)
  })

  test.each<[string, Record<string, string[]>]>([
    ['tag_mode=some', { tag_mode: ['The tag mode must be one of any, all.'] }],
    ['created_by=me', { created_by: ['The created by must be an integer of at least 1.'] }],
    ['id=dog', { id: ['The id must be an integer of at least 1.'] }],
    ['needs_attention=yes', { needs_attention: ['The needs attention must be one of false, true.'] }],
    ['sort=age', { sort: ['The sort must be one of created_at, clicks, title, last_clicked_at.'] }],
    [
      'status=none',
      { status: ['The status must be one of blocked, disabled, scheduled, expired, limit_reached, active.'] },
    ],
    ['order=up', { order: ['The order must be one of desc, asc.'] }],
    ['tag=a%00', { tag: ['The tag must be well-formed text.'] }],
    [`tag=${'x'.repeat(256)}`, { tag: ['The tag may not be greater than 255 characters.'] }],
    [
      Array.from({ length: 51 }, (_, n) => `folder=${n}`).join('&'),
      { folder: ['The folder may not be given more than 50 times.'] },
    ],
    [
      'expires_before=soon',
      {
        expires_before: [
          'The expires before must be a time in ISO 8601 with its zone, such as 2026-12-01T09:00:00Z.',
        ],
      },
    ],
    [
      'created_to=2026-01-01',
      {
        created_to: [
          'The created to must be a time in ISO 8601 with its zone, such as 2026-12-01T09:00:00Z.',
        ],
      },
    ],
  ])('refuses %s by name', async (query, errors) => {
    const answer = await rig.call('GET', `/api/links?${query}`, caller)
    expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid(errors) })
  })

  async function makeLinks(): Promise<void> {
    const links = [
      { title: 'Anteater', tags: ['Winter & Snow', 'ads'], folder: 'Zoo' },
      { title: 'badger', tags: ['ads'], folder: 'zoo', is_active: false },
      { title: '', tags: ['Winter & Snow'], folder: 'Farm' },
      { title: 'Cat', folder: 'Farm', archived: true },
      { title: 'dog', expires_at: '2020-01-01T00:00:00Z' },
    ]
    for (const link of links) await makeLink(rig, caller, link)
    await makeLink(rig, stranger, { title: 'Stranger', tags: ['ads'], folder: 'Zoo' })
  }
})

const list = async (query: string, { key } = caller) =>
  (await rig.call('GET', `/api/links?${query}`, { key })).body
const titles = async (query: string) => {
  const { data, meta } = await list(query)
  return [data.map(({ title }: { title: string }) => title), meta.total]
}
