import { expect, test } from 'bun:test'
import { invalid, Refusal } from '../../errors/refusal.ts'
import { readTogether } from './read-together.ts'

const refuse = (field: string) => () => {
  throw invalid({ [field]: [`The ${field} is wrong.`] })
}
const failureOf = (readers: Record<string, () => unknown>): unknown => {
  try {
    return readTogether(readers)
  } catch (error) {
    return error
  }
}

test('each value is read under its name', () => {
  expect(readTogether({ page: () => 2, search: () => 'a' })).toEqual({ page: 2, search: 'a' })
})

test('all that is wrong is said at once, in the order of reading', () => {
  const failure = failureOf({ page: refuse('page'), search: () => 'a', limit: refuse('limit') }) as Refusal
  expect([failure.kind, failure.message]).toEqual(['invalid', 'The page is wrong. (and 1 more error)'])
  expect(failure.fields).toEqual({ page: ['The page is wrong.'], limit: ['The limit is wrong.'] })
})

test('other errors are thrown unchanged', () => {
  for (const other of [new Refusal('link_not_found', 'Link not found.'), new Error('ours')]) {
    const readOther = () => {
      throw other
    }
    expect(failureOf({ page: refuse('page'), other: readOther })).toBe(other)
  }
})
