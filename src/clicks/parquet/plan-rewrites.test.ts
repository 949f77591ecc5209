import { expect, test } from 'bun:test'
import { DAY_US, isoDay } from '../../runtime/clock.ts'
import type { ClickFile } from './parquet-file.ts'
import { planRewrites } from './plan-rewrites.ts'

const dayUs = (day: string) => Date.parse(`${day}T00:00Z`) * 1000
const NOW_US = dayUs('2026-04-20') + DAY_US / 2

test('nothing is written again while there is one file for each period', () => {
  expect(plan([file('2026-03-01', 900), file('2026-04-17', 50), file('2026-04-20', 5)])).toEqual([])
})

test('the files of a day become one when it is over for a day, or before if they are many', () => {
  const [first, second] = [file('2026-04-18', 50), file('2026-04-18', 60)]
  const yesterday = [file('2026-04-19', 50), file('2026-04-19', 50)]
  const today = Array.from({ length: 15 }, () => file('2026-04-20', 50))
  expect(plan([second, ...yesterday, first, ...today])).toEqual([{ names: [first.name, second.name] }])
  const last = file('2026-04-20', 50)
  expect(plan([...today, last])).toEqual([{ names: [...today, last].map(({ name }) => name) }])
})

test('the files of a month become one when it is over', () => {
  const days = [1, 2, 3].map((day) => file(`2026-03-0${day}`, 50))
  expect(plan(days)).toEqual([{ names: days.map(({ name }) => name), coarsens: false }])
  expect(planRewrites(days, { nowUs: dayUs('2026-04-01') + DAY_US - 1, coarseBeforeUs: 0 })).toEqual([])
})

test('a month with many rows has files of eight days, each written when these are over', () => {
  const march = ['01', '08', '09', '31'].map((day) => file(`2026-03-${day}`, 3_000_000))
  expect(plan(march)).toEqual([{ names: namesOf(march.slice(0, 2)), coarsens: false }])
  const april = ['01', '08', '09', '16', '17', '18'].map((day) => file(`2026-04-${day}`, 3_000_000))
  expect(plan(april)).toEqual([
    { names: namesOf(april.slice(0, 2)), coarsens: false },
    { names: namesOf(april.slice(2, 4)), coarsens: false },
  ])
  expect(plan([file('2026-03-01', 20_000_000), file('2026-03-20', 1)])).toEqual([])
})

test('a few late clicks wait until they are a tenth of the others, or many files', () => {
  const month = file('2026-03-01', 1_000)
  const late = [file('2026-03-05', 60), file('2026-03-06', 39)]
  expect(plan([month, ...late])).toEqual([])
  expect(plan([month, ...late, file('2026-03-06', 1)])).toHaveLength(1)
  expect(plan([month, ...Array.from({ length: 10 }, () => file('2026-03-07', 1))])).toHaveLength(1)
})

test('a month becomes coarse when all of it is old enough, once', () => {
  const month = file('2026-03-01', 1_000)
  const late = file('2026-03-05', 1)
  const coarseBeforeUs = late.to_us
  expect(plan([month, late], coarseBeforeUs)).toEqual([{ names: [month.name, late.name], coarsens: true }])
  expect(plan([month, late], coarseBeforeUs - 1)).toEqual([])
  expect(
    plan([{ ...month, name: month.name.replace('.parquet', '.15m.parquet') }, late], coarseBeforeUs),
  ).toEqual([])
})

const namesOf = (files: ClickFile[]) => files.map(({ name }) => name)

const plan = (files: ClickFile[], coarseBeforeUs = 0) =>
  planRewrites(files, { nowUs: NOW_US, coarseBeforeUs })

function file(day: string, rows: number): ClickFile {
  const from_us = dayUs(day)
  expect(isoDay(from_us / DAY_US)).toBe(day)
  return { name: `${day}-${Bun.randomUUIDv7()}.parquet`, from_us, to_us: from_us + DAY_US, rows, sha256: '' }
}
