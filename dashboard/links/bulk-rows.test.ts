import { describe, expect, test } from 'bun:test'
import { csvToLines, inBatches, parseLines, refusedRows } from './bulk-rows.ts'

describe('lines that were pasted', () => {
  test('are an address, a title and a code; empty ones are left out and still counted', () => {
    expect(parseLines('https://a.test\n\nhttps://b.test, Title\r\nhttps://c.test, Title, my-code')).toEqual([
      { line: 1, link: { original_url: 'https://a.test' } },
      { line: 3, link: { original_url: 'https://b.test', title: 'Title' } },
      { line: 4, link: { original_url: 'https://c.test', title: 'Title', custom_code: 'my-code' } },
    ])
  })

  test('keep the commas of an address, and a code without a title', () => {
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
  test('becomes lines that say the same, without its head', () => {
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
  const rows = parseLines('https://a.test\nbad\nhttps://c.test, T, taken')

  test('stand at the rows that they are about, each sentence once', () => {
    const errors = {
      'links.1.original_url': ['It must be an address.'],
      'links.1.url': ['It must be an address.'],
      'links.2.custom_code': ['It is taken.'],
    }
    expect(refusedRows(rows, errors)).toEqual([
      { ...rows[1]!, reasons: ['It must be an address.'] },
      { ...rows[2]!, reasons: ['It is taken.'] },
    ])
  })

  test('are none where there are no errors', () => {
    expect(refusedRows(rows, {})).toEqual([])
  })
})

test('batches hold everything once, in order', () => {
  const items = Array.from({ length: 250 }, (_, at) => at)
  const batches = inBatches(items, 100)
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50])
  expect(batches.flat()).toEqual(items)
  expect(inBatches([], 100)).toEqual([])
})
