import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { growthChart } from '../bench/growth-chart.ts'

const DOCS = join(import.meta.dir, '../docs')
const read = (name: string) => readFileSync(join(DOCS, name), 'utf8')

test('the growth chart has the numbers of its table; draw it again with npm run bench:growth-chart', () => {
  expect(growthChart(read('performance.md'))).toBe(read('growth.svg'))
})

test('a number twice as large has a bar twice as long', () => {
  const table = '## As an account grows\n\n| | 10⁴ links | 10⁵ links |\n|-|-|-|\n| pages | 5 | 10 |\n'
  const lengths = [...growthChart(table).matchAll(/<rect [^>]*width="([\d.]+)" height="14"/g)].map(
    ([, length]) => Number(length),
  )
  expect(lengths).toEqual([75, 150])
})
