import { expect, test } from 'bun:test'
import { Refusal } from '../../errors/refusal.ts'
import { pageParameters } from '../../validation/query-parameters.ts'
import { readParameters, readQuery, textParameter } from './query.ts'

test('a query is read with every value of every parameter, decoded once', () => {
  const query = readQuery('/api/links?a=1&b=x%20y&a=2&c&d=%2561&e=1+1')
  expect({ ...query }).toEqual({ a: ['1', '2'], b: ['x y'], c: [''], d: ['%61'], e: ['1 1'] })
})

test('a path without a query has no parameters', () => {
  for (const target of ['/api/links', '/api/links?', '/', '']) expect({ ...readQuery(target) }).toEqual({})
})

test('only the first question mark begins the query', () => {
  expect({ ...readQuery('/a?b=c?d=e') }).toEqual({ b: ['c?d=e'] })
})

test('names that every object inherits are ordinary parameters', () => {
  const query = readQuery('/?__proto__=a&constructor=b&toString=c')
  expect(query.__proto__ as unknown).toEqual(['a'])
  expect(query.constructor as unknown).toEqual(['b'])
  expect(textParameter(readQuery('/'), 'constructor')).toBeUndefined()
  expect(({} as Record<string, unknown>).a).toBeUndefined()
})

test('the value of a parameter is undefined when it is absent or empty', () => {
  expect(textParameter(readQuery('/?a=x'), 'a')).toBe('x')
  expect(textParameter(readQuery('/?a='), 'a')).toBeUndefined()
  expect(textParameter(readQuery('/?b=x'), 'a')).toBeUndefined()
})

test('a parameter that is given twice is refused, even with one value', () => {
  const refused = { short_code: ['The short code may be given only once.'] }
  for (const target of [
    '/?short_code=a&short_code=b',
    '/?short_code=a&short_code=a',
    '/?short_code=&short_code=',
  ]) {
    expect(faultsOf(() => textParameter(readQuery(target), 'short_code'))).toEqual(refused)
  }
})

test('a count is a whole number of at least 1, clamped to the maximum', () => {
  expect(['1', '99', '100', '101', '999999999999999', '007'].map(perPageOf)).toEqual([
    1, 99, 100, 100, 100, 7,
  ])
  expect(['9'.repeat(16), '9'.repeat(400)].map(perPageOf)).toEqual([100, 100])
  expect(perPageOf('')).toBe(15)
})

test('anything else is refused as a count', () => {
  const refused = { per_page: ['The per page must be an integer of at least 1.'] }
  for (const text of [
    '0',
    '00',
    '-1',
    '%2B1',
    '1.0',
    '1e2',
    '0x1',
    '%201',
    '1%20',
    'x',
    'NaN',
    '１',
    '1%00',
  ]) {
    expect(faultsOf(() => perPageOf(text))).toEqual(refused)
  }
})

const perPageOf = (text: string) => readParameters(pageParameters, readQuery(`/?per_page=${text}`)).per_page

function faultsOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.fields
  }
  return undefined
}
