import { describe, expect, test } from 'bun:test'
import { CsvSplitter } from './csv-splitter.ts'

test.each([
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\rc,d\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [' a b ,\t"c " \n', [['a b', 'c ']]],
  ['\xa0a\xa0b\xa0,c', [['a\xa0b', 'c']]],
  ['"a,""b""\nc",\n', [['a,"b"\nc', '']]],
  ['a"b,c""d\n', [['a"b', 'c""d']]],
  ['\n\n,\n" "\na\n\n', [['a']]],
  ['a,b\nc\nd,e,f', [['a', 'b'], ['c'], ['d', 'e', 'f']]],
])('%j', (text, rows) => {
  expect(split(text).map((row) => ('cells' in row ? row.cells : row))).toEqual(rows)
})

test('a row has the line in which it begins, whatever ends the lines', () => {
  for (const end of ['\n', '\r\n', '\r'])
    expect(split(['a', '', '"b', 'c"', 'd'].join(end)).map(({ line }) => line)).toEqual([1, 3, 5])
})

test.each([',', ';', '\t', '|', ' ', ']', '^', '-', '\\'])('rows are separated by %j', (delimiter) => {
  expect(split(`a${delimiter}"b${delimiter}"${delimiter}\n`, delimiter)).toEqual([
    { line: 1, cells: ['a', `b${delimiter}`, ''] },
  ])
})

describe('quotes that do not fit', () => {
  test('leave out the lines that they are in, and no other', () => {
    expect(split('a\n"b"c,"d"\n"e,f\ng,"h"\ni\n')).toEqual([
      { line: 1, cells: ['a'] },
      { line: 2, refused: leftOut(2) },
      { line: 3, refused: leftOut(4) },
      { line: 5, cells: ['i'] },
    ])
  })

  test('may leave one open at the end', () => {
    expect(split('a\n"b\nc')).toEqual([
      { line: 1, cells: ['a'] },
      { line: 2, refused: 'A quote is opened and never closed, so the rest of the file was not read.' },
    ])
  })

  const leftOut = (line: number) =>
    `A value goes on behind its closing quote in line ${line}: a quote is missing or one too many. Up to there, nothing was read.`
})

test.each([
  ['no line ends', 'x'.repeat(1_100_000)],
  ['there are only delimiters', ','.repeat(1_100_000)],
  ['a quote is never closed', `"${'x\n'.repeat(600_000)}`],
  ['many values have a line end', '"\n",'.repeat(300_000)],
])('a row of more than 1 MB is the last: %s', (_, row) => {
  const splitter = new CsvSplitter(',')
  const rows = [...splitter.rows('a\n'), ...splitter.rows(`${row}\nb\n`)]
  expect(rows).toEqual([
    { line: 1, cells: ['a'] },
    { line: 2, refused: expect.stringContaining('The row is longer than 1 MB') },
  ])
  expect([...splitter.rows('c\n'), ...splitter.rows('', true)]).toEqual([])
})

/** The same, whole and character by character. */
function split(text: string, delimiter = ',') {
  const rows = [...new CsvSplitter(delimiter).rows(text, true)]
  const splitter = new CsvSplitter(delimiter)
  const inPieces = [...[...text].flatMap((part) => [...splitter.rows(part)]), ...splitter.rows('', true)]
  expect(inPieces).toEqual(rows)
  return rows
}
