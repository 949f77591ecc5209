import { expect, test } from 'bun:test'
import { columnsAfter } from './column-choices.ts'

const KINDS = [{ name: 'destination' }, { name: 'code' }, { name: 'title' }] as const
const COLUMNS = [{ kind: 'destination' }, { kind: 'code' }, { kind: null }] as const

test('a field that is chosen for a column leaves the one that had it', () => {
  expect(columnsAfter(COLUMNS, KINDS, { at: 2, kind: 'code' })).toEqual({
    destination: 1,
    code: 3,
    title: null,
  })
})

test('a column can be left out, so that nothing is guessed in its place', () => {
  expect(columnsAfter(COLUMNS, KINDS, { at: 1, kind: null })).toEqual({
    destination: 1,
    code: null,
    title: null,
  })
})

test('what is not touched stays', () => {
  expect(columnsAfter(COLUMNS, KINDS, { at: 2, kind: 'title' })).toEqual({
    destination: 1,
    code: 2,
    title: 3,
  })
})
