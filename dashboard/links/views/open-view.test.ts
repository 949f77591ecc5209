import { expect, test } from 'bun:test'
import { inLineAndMenu } from './open-view.ts'

const shown = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({ view: { id, name: id, query: '' } }))
const idsOf = (views: readonly (typeof shown)[number][]) => views.map(({ view }) => view.id).join('')
const parted = (count: number, opened?: number) =>
  inLineAndMenu(shown.slice(0, count), opened === undefined ? undefined : shown[opened]!.view).map(idsOf)

test('the first views stand in the line, and a menu has the others', () => {
  expect(parted(0)).toEqual(['', ''])
  expect(parted(4)).toEqual(['abcd', ''])
  expect(parted(7)).toEqual(['abcd', 'efg'])
})

test('the open view is always in the line', () => {
  expect(parted(7, 1)).toEqual(['abcd', 'efg'])
  expect(parted(7, 6)).toEqual(['abcg', 'def'])
})
