import { describe, expect, test } from 'bun:test'
import {
  csvToLines,
  inBatches,
  commonErrors,
  parseLines,
  refusedRows,
  repeatedCodes,
  rowsRefusedAs,
  withCommon,
} from './bulk-rows.ts'

describe('lines that were pasted', () => {
  test('are a URL, a title and a code; empty ones are left out and still counted', () => {
    expect(parseLines('https://a.test\n\nhttps://b.test, Title\r\nhttps://c.test, Title, my-code')).toEqual([
      { line: 1, link: { original_url: 'https://a.test' } },
      { line: 3, link: { original_url: 'https://b.test', title: 'Title' } },
      { line: 4, link: { original_url: 'https://c.test', title: 'Title', custom_code: 'my-code' } },
    ])
  })

  test('keep the commas of a URL, and a code without a title', () => {
    expect(parseLines('https://maps.test/@64.1,-21.9,12z\nhttps://a.test, , code')).toEqual([
      { line: 1, link: { original_url: 'https://maps.test/@64.1,-21.9,12z' } },
      { line: 2, link: { original_url: 'https://a.test', custom_code: 'code' } },
    ])
  })

  test('may come from a spreadsheet, with tabs', () => {
    expect(parseLines('https://a.test\tTitle')).toEqual([
      { line: 1, link: { original_url: 'https://a.test', title: 'Title' } },
    ])
  })
})

describe('a CSV file', () => {
  test('may have semicolons between its fields', () => {
    expect(csvToLines('url;title\nhttps://a.test/?a=1,2;Eins')).toBe('https://a.test/?a=1,2, Eins')
  })

  test('becomes lines with the same values, without its head', () => {
    const lines = csvToLines(
      'url,title,code\nhttps://a.test,"One, two",first\n"https://b.test/x,y",,\nhttps://c.test,,only-code',
    )
    expect(parseLines(lines).map(({ link }) => link)).toEqual([
      { original_url: 'https://a.test', title: 'One, two', custom_code: 'first' },
      { original_url: 'https://b.test/x,y' },
      { original_url: 'https://c.test', custom_code: 'only-code' },
    ])
  })
})

describe('refusals', () => {
  test('of a URL that has taken in a title say how to write the line', () => {
    const lines = parseLines('https://a.test/b3,three,Title three\nhttps://a.test/no title')
    const checked = lines.map((_, index) => ({
      index,
      errors: { original_url: ['No.'] },
      error_codes: { original_url: ['url_invalid' as const] },
    }))
    const plain = 'Enter a full URL, for example https://example.com/page.'
    expect(refusedRows(lines, checked).map(({ reasons }) => reasons)).toEqual([
      [plain, 'Put a space after each comma.'],
      [plain],
    ])
  })

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
          ...{ original_url: 'https://b.test', tags: ['Winter', 'Retail'], folder: 'Campaigns' },
          domain: 'go.example',
        },
      },
    ])
    expect(withCommon(rows, { tags: ['', ' '], folder: ' ', domain: '' })).toEqual(rows)
  })

  test('have errors of their own, beside those of the rows', () => {
    const ofRow = { original_url: ['A'], foldername: ['B'] }
    const sent = { 'tags.1': ['The links.0.tags.1 is long.'], folder: ['The folder is long.'] }
    expect(commonErrors([{ index: 0, error_codes: {}, errors: { ...ofRow, ...sent } }])).toEqual({
      'tags.1': ['The tags.1 is long.'],
      folder: ['The folder is long.'],
    })
    expect(commonErrors([{ index: 0, error_codes: {}, errors: ofRow }])).toBeUndefined()
    expect(commonErrors([])).toBeUndefined()
  })
})
