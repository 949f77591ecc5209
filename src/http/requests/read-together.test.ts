import { expect, test } from 'bun:test'
import { invalid, Refusal } from '../../errors/refusal.ts'
import { readTogether } from './read-together.ts'

const refuse = (field: string) => () => {
  throw invalid({ [field]: [`The ${field} is wrong.`] })
}
const failureOf = (readers: Record<string, () => unknown>): Promise<unknown> =>
  readTogether(readers).catch((error) => error)

test('each value is read under its name', async () => {
  expect(await readTogether({ page: () => 2, search: async () => 'a' })).toEqual({ page: 2, search: 'a' })
})

test('all that is wrong is said at once, in the order of reading', async () => {
  const readers = { page: refuse('page'), search: () => 'a', limit: refuse('limit') }
  const failure = (await failureOf(readers)) as Refusal
  expect([failure.kind, failure.message]).toEqual(['invalid', 'The page is wrong. (and 1 more error)'])
  expect(failure.fields).toEqual({ page: ['The page is wrong.'], limit: ['The limit is wrong.'] })
})

test('other errors are thrown unchanged', async () => {
  for (const other of [new Refusal('link_not_found', 'Link not found.'), new Error('ours')]) {
    const readOther = () => {
      throw other
    }
    expect(await failureOf({ page: refuse('page'), other: readOther })).toBe(other)
  }
})

test('a field that is called as the prototype of objects is refused like any other', async () => {
  const fields = JSON.parse('{ "__proto__": ["The field is unknown."] }')
  const refuseField = () => {
    throw invalid(fields)
  }
  const failure = (await failureOf({ page: () => 2, input: refuseField })) as Refusal
  expect(Object.entries(failure.fields)).toEqual([['__proto__', ['The field is unknown.']]])
})
