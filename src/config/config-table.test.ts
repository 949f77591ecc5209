import { expect, test } from 'bun:test'
import { configTable } from './config-table.ts'
import { readConfig, SETTING_NOTES } from './config.ts'

test('the table has a line for each setting and marks those that are set', () => {
  const environment = { PORT: '4000', JOURNAL_RETENTION: '3d' }
  const lines = configTable(readConfig(environment), environment).trimEnd().split('\n')

  expect(lines).toHaveLength(SETTING_NOTES.length)
  expect(
    lines.filter((line) => line.startsWith('*')).map((line) => line.split(/\s{2,}/).slice(0, 2)),
  ).toEqual([
    ['* PORT', '4000'],
    ['* JOURNAL_RETENTION', '3d'],
  ])
})
