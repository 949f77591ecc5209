import { describe, expect, test } from 'bun:test'
import {
  isFiltered,
  type ListQuery,
  linksQuery,
  NO_FILTERS,
  PLAIN,
  readListQuery,
  writeListQuery,
  writeView,
} from './list-query.ts'

describe('the URL', () => {
  test('of the unfiltered list has no query', () => {
    expect(writeListQuery(PLAIN).toString()).toBe('')
    expect(read('')).toEqual(PLAIN)
  })

  test('holds everything, and is read back', () => {
    expect(readListQuery(writeListQuery(EVERYTHING))).toEqual(EVERYTHING)
    expect(String(writeListQuery({ ...PLAIN, statuses: ['expired'], tags: ['a', 'b'] }))).toBe(
      'status=expired&tag=a&tag=b',
    )
  })

  test('holds a list without any of the columns that can be hidden', () => {
    const bare = { ...PLAIN, columns: [] }
    expect(readListQuery(writeListQuery(bare))).toEqual(bare)
  })

  test('names the order only if it is not the usual one of what is sorted by', () => {
    for (const [sort, order, text] of [
      ['created_at', 'asc', 'order=asc'],
      ['title', 'asc', 'sort=title'],
      ['title', 'desc', 'sort=title&order=desc'],
      ['last_clicked_at', 'desc', 'sort=last_clicked_at'],
    ] as const) {
      expect(String(writeListQuery({ ...PLAIN, sort, order }))).toBe(text)
      expect(read(text)).toMatchObject({ sort, order })
    }
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=1e99',
    'page=9999999',
    'per_page=7',
    'status=odd',
    'tag=',
    'tag_mode=odd',
    'created_from=2026-02-30',
    'created_to=yesterday',
    'archived=odd',
    'needs_attention=yes',
    'sort=odd',
    'ends_in_days=0',
    'ends_in_days=1000',
    'order=newest',
    'view=../../',
    'other=1',
    `tag=${'a'.repeat(256)}`,
    'tag=a%00b',
  ])('with %s is that of the unfiltered list', (text) => expect(read(text)).toEqual(PLAIN))

  test('has no more than the server takes', () => {
    expect(readListQuery(new URLSearchParams({ search: 'a'.repeat(300) })).search).toHaveLength(255)
    expect(read(Array.from({ length: 60 }, (_, at) => `tag=${at}`).join('&')).tags).toHaveLength(50)
    expect(read('tag=a&tag=a&status=active&status=active')).toMatchObject({
      tags: ['a'],
      statuses: ['active'],
    })
  })
})

test('a view keeps filters, sorting, columns and how many are shown, but not where somebody is', () => {
  expect(readListQuery(writeView(EVERYTHING))).toEqual({ ...EVERYTHING, page: 1, view: '' })
})

test('the server is asked in its own words, and for whole days', () => {
  expect(linksQuery(PLAIN)).toEqual({ page: 1, per_page: 25, sort: 'created_at', order: 'desc' })
  expect(linksQuery(EVERYTHING)).toEqual({
    page: 3,
    per_page: 50,
    search: 'a & b',
    status: ['active', 'disabled'],
    tag: ['Winter 2026', '日本語'],
    tag_mode: 'all',
    folder: ['Campaigns'],
    created_by: [7, 12],
    import_id: [3],
    domain: ['go.example', 'shop.example'],
    created_from: new Date(2026, 10, 1).toISOString(),
    created_to: new Date(2026, 11, 1).toISOString(),
    expires_before: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:00:00.000Z$/),
    needs_attention: 'true',
    archived: 'include',
    sort: 'clicks',
    order: 'asc',
  })
  const { expires_before: end = '' } = linksQuery(EVERYTHING)
  const days = (Date.parse(end) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(14 - 1 / 24)
  expect(days).toBeLessThanOrEqual(14 + 1 / 24)
})

test('a list is filtered by anything that leaves links out, not by its order', () => {
  for (const name of Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]) {
    // Without tags, it makes no difference.
    if (name === 'tagMode') continue
    expect(isFiltered({ ...PLAIN, [name]: EVERYTHING[name] })).toBe(true)
  }
  expect(isFiltered({ ...EVERYTHING, ...NO_FILTERS })).toBe(false)
})

const EVERYTHING: ListQuery = {
  page: 3,
  perPage: 50,
  search: 'a & b',
  statuses: ['active', 'disabled'],
  tags: ['Winter 2026', '日本語'],
  tagMode: 'all',
  folders: ['Campaigns'],
  domains: ['go.example', 'shop.example'],
  creators: [7, 12],
  imports: [3],
  createdFrom: '2026-11-01',
  createdTo: '2026-11-30',
  endsInDays: 14,
  needsAttention: true,
  archived: 'include',
  sort: 'clicks',
  order: 'asc',
  view: '12',
  columns: ['clicks', 'last_click'],
}

const read = (text: string) => readListQuery(new URLSearchParams(text))
