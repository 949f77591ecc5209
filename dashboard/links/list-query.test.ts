import { expect, test } from 'bun:test'
import { readListQuery, writeListQuery } from './list-query.ts'

const PLAIN = { page: 1, search: '', status: 'all', sort: 'newest' } as const

test('the plain list has the plain address', () => {
  expect(writeListQuery(PLAIN).toString()).toBe('')
  expect(readListQuery(new URLSearchParams())).toEqual(PLAIN)
})

test('what is looked at comes back from the address', () => {
  const query = { page: 3, search: 'a & b', status: 'inactive', sort: 'clicks' } as const
  expect(readListQuery(writeListQuery(query))).toEqual(query)
})

test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=1e99', 'status=odd', 'sort=odd', 'other=1'])(
  'an address with %s is the plain list',
  (text) => expect(readListQuery(new URLSearchParams(text))).toEqual(PLAIN),
)
