import { expect, test } from 'bun:test'
import { readListQuery, writeListQuery } from './list-query.ts'

const PLAIN = { page: 1, search: '', state: 'all', order: 'newest' } as const

test('the plain list has the plain address', () => {
  expect(writeListQuery(PLAIN).toString()).toBe('')
  expect(readListQuery(new URLSearchParams())).toEqual(PLAIN)
})

test('what is looked at comes back from the address', () => {
  const query = { page: 3, search: 'a & b', state: 'inactive', order: 'most-clicks' } as const
  expect(readListQuery(writeListQuery(query))).toEqual(query)
})

test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=1e99', 'state=odd', 'order=odd', 'other=1'])(
  'an address with %s is the plain list',
  (text) => expect(readListQuery(new URLSearchParams(text))).toEqual(PLAIN),
)

test('a search longer than the server takes is cut', () => {
  expect(readListQuery(new URLSearchParams({ search: 'a'.repeat(300) })).search).toHaveLength(255)
})
