import { expect, test } from 'bun:test'
import { linksQuery, readListQuery, writeListQuery } from './list-query.ts'

const PLAIN = { page: 1, search: '', state: 'all', order: 'newest' } as const

test('the unfiltered list has a URL without a query', () => {
  expect(writeListQuery(PLAIN).toString()).toBe('')
  expect(readListQuery(new URLSearchParams())).toEqual(PLAIN)
})

test('filters are read back from the URL', () => {
  const query = { page: 3, search: 'a & b', state: 'inactive', order: 'most-clicks' } as const
  expect(readListQuery(writeListQuery(query))).toEqual(query)
})

test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=1e99', 'state=odd', 'order=odd', 'other=1'])(
  'a URL with %s is the unfiltered list',
  (text) => expect(readListQuery(new URLSearchParams(text))).toEqual(PLAIN),
)

test('a search longer than the server takes is cut', () => {
  expect(readListQuery(new URLSearchParams({ search: 'a'.repeat(300) })).search).toHaveLength(255)
})

test('archived links are asked for by their own parameter', () => {
  const archived = { ...PLAIN, state: 'archived' } as const
  expect(readListQuery(writeListQuery(archived))).toEqual(archived)
  expect(linksQuery(archived)).toEqual({ ...PLAIN, state: 'all', archived: 'only' })
  expect(linksQuery(PLAIN)).toEqual(PLAIN)
})
