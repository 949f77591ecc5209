import { describe, expect, test } from 'bun:test'
import { decodeFile } from './bulk-input.tsx'
import { guessColumns, overlongRows, readTable } from './bulk-columns.ts'
import {
  commonErrors,
  inBatches,
  refusedRows,
  repeatedCodes,
  rowsOfTable,
  rowsRefusedAs,
  withCommon,
} from './bulk-rows.ts'

function parseLines(text: string) {
  const table = readTable(text)
  return rowsOfTable(table, guessColumns(table))
}
const linksOf = (text: string) => parseLines(text).map(({ link }) => link)

describe('lines without names of columns', () => {
  test('are a URL, a title and a code; empty ones are left out and still counted', () => {
    expect(parseLines('https://a.test\n\nhttps://b.test, Title\r\nhttps://c.test, Title, my-code')).toEqual([
      { line: 1, link: { original_url: 'https://a.test' } },
      { line: 3, link: { original_url: 'https://b.test', title: 'Title' } },
      { line: 4, link: { original_url: 'https://c.test', title: 'Title', custom_code: 'my-code' } },
    ])
  })

  test.each([
    'https://a.test/25,Put a space,bk25',
    'https://a.test/25;Put a space;bk25',
    'https://a.test/25\tPut a space\tbk25',
    '"https://a.test/25","Put a space",bk25',
    'https://a.test/25 , "Put a space" , bk25',
  ])('are split at every separator: %j', (line) => {
    const link = { original_url: 'https://a.test/25', title: 'Put a space', custom_code: 'bk25' }
    expect(linksOf(line)).toEqual([link])
  })

  test('have a code without a title, and quotes around a URL with commas', () => {
    expect(linksOf('https://a.test/25,,bk25\n"https://maps.test/@64.1,-21.9,12z", Iceland')).toEqual([
      { original_url: 'https://a.test/25', custom_code: 'bk25' },
      { original_url: 'https://maps.test/@64.1,-21.9,12z', title: 'Iceland' },
    ])
  })

  test('are too long with more than three fields', () => {
    const table = readTable('https://a.test, A\nhttps://maps.test/@64.1,-21.9,12z/x,y\nhttps://c.test')
    expect(overlongRows(table).map(({ line }) => line)).toEqual([2])
  })

  test('may begin with an invalid URL, which is not a head', () => {
    for (const first of ['example.com/page, Title', 'no address', 'example.com'])
      expect(parseLines(`${first}\nhttps://a.test`).length).toBe(2)
  })
})

describe('columns with names', () => {
  test('are found by their names, wherever they stand', () => {
    expect(linksOf('Titel;Kurzcode;Ziel-URL\nEins;one;https://a.test/?a=1,2')).toEqual([
      { original_url: 'https://a.test/?a=1,2', title: 'Eins', custom_code: 'one' },
    ])
  })

  test.each([
    'Long URL,Short URL,Clicks\nhttps://example.com/a,https://bit.ly/abc123,1234',
    'Wohin,Wie,Was\nhttps://example.com/a,1234,https',
    '1,https://example.com/a,abc,1234\n2,https://example.com/b,abd,5678',
  ])('that are not known are not read until they are chosen: %j', (text) => {
    expect(linksOf(text)[0]).toEqual({ original_url: 'https://example.com/a' })
  })

  test('have no URL to read if two of them could be it', () => {
    expect(linksOf('Lang,Kurz\nhttps://example.com/a,https://bit.ly/abc123')).toEqual([])
  })

  test('are read as chosen', () => {
    const table = readTable('Long URL,Slug of it,Name\nhttps://example.com/a,abc,A page')
    expect(rowsOfTable(table, { url: 0, code: 1, title: 2 })).toEqual([
      { line: 2, link: { original_url: 'https://example.com/a', title: 'A page', custom_code: 'abc' } },
    ])
  })

  test('of the export of Tern give code, title and tags, without the apostrophe before a formula', () => {
    const head = 'id,short_code,domain,original_url,short_url,title,clicks,tags,utm_source'
    const line = `7,winter,go.example,https://a.test/x,http://go.example/winter,'-20% today,12,"Retail, Winter",mail`
    expect(linksOf(`\uFEFF${head}\r\n${line}\r\n`)).toEqual([
      {
        original_url: 'https://a.test/x',
        title: '-20% today',
        custom_code: 'winter',
        tags: ['Retail', 'Winter'],
      },
    ])
  })
})

describe('a file', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values)

  test('is UTF-8, UTF-16 or Windows-1252', () => {
    expect(decodeFile(new TextEncoder().encode('\uFEFFGröße'))).toEqual({
      text: 'Größe',
      isWindows1252: false,
    })
    expect(decodeFile(bytes(0xff, 0xfe, 0xe4, 0, 0xac, 0x20))).toEqual({ text: 'ä€', isWindows1252: false })
    expect(decodeFile(bytes(0xe4, 0x20, 0x96, 0x20, 0x80))).toEqual({ text: 'ä – €', isWindows1252: true })
  })

  test('is not text with zero bytes in it', () => {
    expect(decodeFile(bytes(0x50, 0x4b, 3, 4, 0, 0))).toBeUndefined()
  })
})

describe('refusals', () => {
  const rows = parseLines('https://a.test\nbad\nhttps://c.test, T, taken')

  const messages = ['It must be an address.']

  test('stand at the rows that they are about, each sentence once', () => {
    const checked = [
      { index: 0, errors: {}, error_codes: {} },
      { index: 1, errors: { original_url: messages, url: messages }, error_codes: {} },
      { index: 2, errors: { custom_code: ['It is taken.'] }, error_codes: {} },
    ]
    const refused = [
      { ...rows[1]!, reasons: messages },
      { ...rows[2]!, reasons: ['It is taken.'] },
    ]
    expect(refusedRows(rows, checked)).toEqual(refused)
    const fields = {
      'links.1.original_url': messages,
      'links.1.url': messages,
      'links.2.custom_code': ['It is taken.'],
    }
    expect(rowsRefusedAs(rows, fields)).toEqual(refused)
  })

  test('are none where there are no errors, or none that name a row', () => {
    expect(refusedRows(rows, [])).toEqual([])
    expect(rowsRefusedAs(rows, { idempotency_key: ['No.'], 'links.9.url': ['No.'] })).toEqual([])
  })

  test('name a duplicate code on its second line, and say where the first one is', () => {
    const twice = parseLines('https://a.test, , same\nhttps://b.test\n\nhttps://c.test, , same')
    expect(repeatedCodes(twice)).toEqual([{ ...twice[2]!, reasons: ['The code is already used on line 1.'] }])
  })
})

test('batches hold everything once, in order', () => {
  const items = Array.from({ length: 250 }, (_, at) => at)
  const batches = inBatches(items, 100)
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50])
  expect(batches.flat()).toEqual(items)
  expect(inBatches([], 100)).toEqual([])
})

describe('tags and a folder for all rows', () => {
  const rows = parseLines('https://a.test, Title\nhttps://b.test')

  test('are sent with each; those that are empty are not', () => {
    expect(
      withCommon(rows, { tags: ['Winter', ' Retail ', ''], folder: ' Campaigns ', domain: 'go.example' }),
    ).toEqual([
      {
        line: 1,
        link: {
          original_url: 'https://a.test',
          title: 'Title',
          tags: ['Winter', 'Retail'],
          folder: 'Campaigns',
          domain: 'go.example',
        },
      },
      {
        line: 2,
        link: {
          original_url: 'https://b.test',
          tags: ['Winter', 'Retail'],
          folder: 'Campaigns',
          domain: 'go.example',
        },
      },
    ])
    const own = [{ line: 1, link: { original_url: 'https://a.test', tags: ['Own', 'Winter'] } }]
    const [row] = withCommon(own, { tags: ['Winter', ' '], folder: '', domain: '' })
    expect(row!.link.tags).toEqual(['Winter', 'Own'])
    expect(withCommon(rows, { tags: ['', ' '], folder: ' ', domain: '' })).toEqual(rows)
  })

  test('have errors of their own, beside those of the rows', () => {
    const ofRow = { original_url: ['A'], foldername: ['B'] }
    const common = ['Winter', 'Retail']
    const sent = { 'tags.1': ['The links.0.tags.1 is long.'], folder: ['The folder is long.'] }
    expect(commonErrors([{ index: 0, error_codes: {}, errors: { ...ofRow, ...sent } }], common)).toEqual({
      'tags.1': ['The tags.1 is long.'],
      folder: ['The folder is long.'],
    })
    expect(
      commonErrors([{ index: 0, error_codes: {}, errors: { ...ofRow, 'tags.2': ['C'] } }], common),
    ).toBeUndefined()
    expect(commonErrors([], common)).toBeUndefined()
  })
})
