import { expect, test } from 'bun:test'
import { draggedTo, moved } from './use-reorder.ts'

test('an element is moved to a place, and the others keep their order', () => {
  const list = ['a', 'b', 'c', 'd']
  expect(moved(list, 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moved(list, 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(moved(list, 1, 1)).toEqual(list)
})

test('what is dragged passes those whose middle the pointer has crossed', () => {
  const middles = [50, 150, 250]
  expect(draggedTo(middles, 0, 140)).toBe(0)
  expect(draggedTo(middles, 0, 160)).toBe(1)
  expect(draggedTo(middles, 0, 900)).toBe(2)
  expect(draggedTo(middles, 2, 149)).toBe(1)
  expect(draggedTo(middles, 2, -5)).toBe(0)
  expect(draggedTo(middles, 1, 150)).toBe(1)
})
