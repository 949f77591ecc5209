import { expect, test } from 'bun:test'
import { groupOperations, slug } from './list-operations.ts'
import { SAMPLE_OPENAPI } from '../../../../test/rigs/http/sample-openapi.ts'

const groups = groupOperations(SAMPLE_OPENAPI)

test('operations are grouped by tag in declared order, untagged ones last, empty tags left out', () => {
  const names = groups.map(({ name, operations }) => [name, operations.map(({ title }) => title)])
  expect(names).toEqual([
    ['Parcels', ['Read a parcel', 'Change a parcel']],
    ['Other', ['List depots']],
  ])
})

test('parameters of the path come first and references are followed', () => {
  expect(groups[0]?.operations[0]?.parameters.map(({ name }) => name)).toEqual(['id', 'fields'])
})

test('scopes come from the operation, else any key will do, and an empty list means no key', () => {
  const [read, write] = groups[0]?.operations ?? []
  expect(read?.access).toMatchObject({ isKeyNeeded: true, scopes: [] })
  expect(write?.access).toMatchObject({ isKeyNeeded: true, scopes: ['parcels:write'] })
  expect(groups[1]?.operations[0]?.access).toEqual({ isKeyNeeded: false, scopes: [], schemes: [] })
})

test('an empty alternative makes the key optional', () => {
  const paths = { '/a': { get: { security: [{ header: [] }, {}] } } }
  expect(groupOperations({ ...SAMPLE_OPENAPI, paths })[0]?.operations[0]?.access.isKeyNeeded).toBe(false)
})

test('anchors are readable and unique', () => {
  const paths = { '/a': { get: { operationId: 'same' }, put: { operationId: 'same' } } }
  const [group] = groupOperations({ ...SAMPLE_OPENAPI, paths })
  expect(group?.operations.map(({ anchor }) => anchor)).toEqual(['same', 'same-2'])
  expect(slug('get-/api/links/{short_code}')).toBe('get-api-links-short-code')
  expect(slug('createLink')).toBe('create-link')
  expect(slug('/')).toBe('section')
})
