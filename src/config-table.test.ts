import { expect, test } from 'bun:test'
import { configTable, settingsMarkdown } from './config-table.ts'
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

test('the table of the README names every setting with its default', () => {
  const lines = settingsMarkdown().trimEnd().split('\n')
  const cells = lines.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()))

  expect(cells[0]).toEqual(['Setting', 'Default', 'Value', 'Meaning'])
  expect(cells.slice(2).map(([name]) => name)).toEqual(SETTING_NOTES.map((note) => `\`${note.name}\``))
  expect(cells.find(([name]) => name === '`JOURNAL_SEGMENT_BYTES`')?.[1]).toBe('16MiB')
  expect(cells.find(([name]) => name === '`GEOIP_DB`')?.[1]).toBe('none')
})

test('the formatter finds nothing to change in the table of the README', async () => {
  const formatter = Bun.spawn([process.execPath, 'fmt', '--no-script', '--stdin-filepath=settings.md'], {
    stdin: new Blob([settingsMarkdown()]),
    stderr: 'ignore',
  })
  expect(await formatter.stdout.text()).toBe(settingsMarkdown())
})
