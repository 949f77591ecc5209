import { describe, expect, test } from 'bun:test'
import truth from '../../../test/fixtures/import/csv/truth.json'
import { fixture, itemsOf, linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

const PLAIN = [
  'bom-commas.csv',
  'semicolons.csv',
  'semicolons-windows-1252.csv',
  'tabs.tsv',
  'tabs-utf-16.txt',
  'quoted-newlines.csv',
  'no-header.csv',
  'header-only.csv',
] as const

test.each(PLAIN)('%s is read as a careful reader reads it', async (name) => {
  const { rows, ...file } = truth.files[name]
  const links = await linksOf('csv', fixture(`csv/${name}`))
  expect(
    links.map(({ code, destination, title, tags, createdAt, notes }) => ({
      code: code ?? null,
      destination,
      title: title ?? null,
      tags,
      created_at: createdAt ?? null,
      ...(notes && { notes }),
    })),
  ).toEqual(
    rows.map((row: any) => ({
      ...row,
      created_at: isoOf(row.created_at),
      notes: row.notes ?? undefined,
    })) as never,
  )
  for (const { domain } of links)
    if ('domain' in file) expect([file.domain, undefined]).toContain(domain ?? undefined)
})

const isoOf = (text: string | null) => text && new Date(text).toISOString()

test('dates are read in every way in which they are written, unless they are ambiguous', async () => {
  const items = await linksOf('csv', fixture('csv/dates.csv'))
  for (const { code, written, means } of truth.files['dates.csv'].rows) {
    const { createdAt, lost } = items.find((link) => link.code === code)!
    const isUnread = ['date-us-ambiguous', 'date-broken'].includes(code)
    const time = isUnread ? null : means && timeIn(means)
    expect({ code, time: createdAt ?? null }).toEqual({ code, time })
    expect([written, lost!.length]).toEqual([written, isUnread ? 1 : 0])
  }
})

/** The time in a sentence about what is meant. */
function timeIn(means: string): string {
  const [, day, time = '00:00'] = /(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(means) ?? []
  return day === undefined ? '2026-03-29T02:30:00.000Z' : `${day}T${time}:00.000Z`
}

test('the day comes first in a file that has a date which proves it', async () => {
  const file = temporaryFile('url,created\nhttps://a.example,03/04/2026\nhttps://b.example,29/03/2026\n')
  expect((await linksOf('csv', file)).map(({ createdAt }) => createdAt)).toEqual([
    '2026-04-03T00:00:00.000Z',
    '2026-03-29T00:00:00.000Z',
  ])
})

test('a row that cannot be read is refused with its line, and the others are read', async () => {
  const items = await itemsOf('csv', fixture('csv/broken-rows.csv'))
  const rows = truth.files['broken-rows.csv'].rows.filter(({ line }) => line !== 18)
  expect(items.map(({ at }) => at)).toEqual(rows.map(({ line }) => `line ${line}`))
  expect(items.flatMap((item) => ('refused' in item ? [[item.at, item.refused]] : []))).toEqual([
    ['line 17', 'The row has 5 values for 3 columns.'],
    ['line 20', 'A quote is opened and never closed, so the rest of the file was not read.'],
  ])
})

const TITLED = 'Links of 2024,\r\nMade on,5 January\r\n\r\nLong URL,Back-half,Created Date,Total Clicks\r\n'

test('what is above the names of a report is left out', async () => {
  const file = temporaryFile(`${TITLED}https://a.example,one,2024-01-05,7\r\n`)
  expect(await linksOf('csv', file)).toMatchObject([
    { destination: 'https://a.example', code: 'one', createdAt: '2024-01-05T00:00:00.000Z', clicks: 7 },
  ])
})

test('titles do not hide the delimiter', async () => {
  const file = temporaryFile('Links, as of 5 January\n\nurl;slug;title\nhttps://a.example;one;A, B\n')
  expect(await linksOf('csv', file)).toMatchObject([{ code: 'one', title: 'A, B' }])
})

test('without known names, the column of destinations is that with URLs', async () => {
  const file = temporaryFile('Kurz,Ziel\none,https://a.example\n')
  expect((await linksOf('csv', file)).map(({ destination }) => destination)).toEqual([
    'Ziel',
    'https://a.example',
  ])
})

test('a code is also read from a short URL or a path in its column', async () => {
  const file = temporaryFile('url,slug\nhttps://a.example,https://Go.example/one\nhttps://a.example,/two\n')
  expect((await linksOf('csv', file)).map(({ domain, code }) => [domain, code])).toEqual([
    ['go.example', 'one'],
    [undefined, 'two'],
  ])
})

test.each([
  ['1,065', 1065],
  ['1.065.000', 1_065_000],
  ['12\u202f345', 12_345],
  ['1’065', 1065],
  ['12.0', 12],
  ['1,065.00', 1065],
  ['1.065,0', 1065],
  ['1,23,456', 123_456],
  ['1.5', null],
  ['1,5', null],
  ['some', null],
])('%s clicks are %p', async (written, clicks) => {
  const [link] = await linksOf('csv', temporaryFile(`url;slug;clicks\nhttps://a.example;one;${written}\n`))
  expect(link).toMatchObject({
    clicks: clicks ?? undefined,
    lost: clicks === null ? [expect.stringContaining(written)] : [],
  })
})

describe('columns', () => {
  const text = 'Ziel|Kurz|Slug\nhttps://a.example|one|two\n'

  test('are named by the caller, by name or number', async () => {
    const columns = new Map([
      ['destination', 'ziel'],
      ['code', '2'],
    ])
    expect(await linksOf('csv', temporaryFile(text), { columns })).toMatchObject([
      { destination: 'https://a.example', code: 'one' },
    ])
  })

  test.each([
    ['code', 'Nowhere', 'names Nowhere'],
    ['code', '9', 'names 9'],
    ['colour', '1', 'must name one of'],
  ])('that are not there are refused: %s=%s', async (what, column, sentence) => {
    const columns = new Map([[what, column]])
    await expect(itemsOf('csv', temporaryFile(text), { columns })).rejects.toThrow(sentence)
  })
})
