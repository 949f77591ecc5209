import { expect, test } from 'bun:test'
import { optionRows } from './option-rows.ts'

const OPTIONS = [
  { value: 'DE', label: 'Germany', detail: 'DE' },
  { value: 'AT', label: 'Österreich', detail: 'AT' },
  { value: 'MN', label: 'Many' },
]

test('everything is shown until something is typed', () => {
  expect(labels('  ')).toEqual(['Germany', 'Österreich', 'Many'])
})

test('options are found by any part of their name and by their detail, the beginning first', () => {
  expect(labels('man')).toEqual(['Many', 'Germany'])
  expect(labels('OSTER')).toEqual(['Österreich'])
  expect(labels('at')).toEqual(['Österreich'])
  expect(labels('nothing')).toEqual([])
})

test('a new option is offered unless there is one of that name', () => {
  expect(labels(' Mani ', true)).toEqual(['+Mani'])
  expect(labels('many', true)).toEqual(['Many', 'Germany'])
  expect(labels('mn', true)).toEqual([])
  expect(labels('', true)).toEqual(['Germany', 'Österreich', 'Many'])
})

test('at most 200 are shown', () => {
  const many = Array.from({ length: 201 }, (_, at) => ({ value: `${at}`, label: `Tag ${at}` }))
  expect(optionRows(many, '', false).rows).toHaveLength(200)
  expect(optionRows(many, '', false).isCut).toBe(true)
  expect(optionRows(many, 'tag 20', false)).toMatchObject({ isCut: false, rows: { length: 2 } })
})

const labels = (text: string, canCreate = false) =>
  optionRows(OPTIONS, text, canCreate).rows.map((row) =>
    row.kind === 'create' ? `+${row.text}` : row.option.label,
  )
