import { describe, expect, test } from 'bun:test'
import { parseCsv, separatorOf, toCsv } from './csv.ts'

describe('a CSV that is taken away', () => {
  test('quotes what would end a field or a line', () => {
    const rows = [
      ['a,b', 1],
      ['say "c"', 2],
      ['two\nlines', 3],
    ]
    expect(toCsv({ heads: ['Name', 'Clicks'], rows })).toBe(
      'Name,Clicks\r\n"a,b",1\r\n"say ""c""",2\r\n"two\nlines",3\r\n',
    )
  })

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '=HYPERLINK("https://evil.test")',
    ' =1',
    '\n=1',
    '＝1+1',
  ])('has %j as text, not as a formula', (value) => {
    const [, line = ''] = toCsv({ heads: ['Name'], rows: [[value]] }).split('\r\n')
    expect(line.replace(/^"/, '')).toStartWith("'")
  })

  test('leaves numbers as they are, negative ones too', () => {
    expect(toCsv({ heads: ['Change'], rows: [[-12]] })).toBe('Change\r\n-12\r\n')
  })
})

describe('a CSV that is read', () => {
  test('keeps quoted commas, quotes and line breaks, and counts lines as the file has them', () => {
    const text = 'https://a.test,"One, two"\r\n\r\n"https://b.test","say ""b""\nagain",code\nhttps://c.test'
    expect(parseCsv(text)).toEqual([
      { line: 1, fields: ['https://a.test', 'One, two'] },
      { line: 3, fields: ['https://b.test', 'say "b"\nagain', 'code'] },
      { line: 5, fields: ['https://c.test'] },
    ])
  })

  test('reads what toCsv wrote', () => {
    const rows = [
      ['a "quoted" text', 'b, c'],
      ['d\ne', 'f'],
    ]
    expect(parseCsv(toCsv({ heads: ['1', '2'], rows })).map(({ fields }) => fields)).toEqual([
      ['1', '2'],
      ...rows,
    ])
  })

  test.each([
    ['url,title\nx', ','],
    ['url;title\nhttps://a.test/?a,b,c;x', ';'],
    ['url\ttitle', '\t'],
    ['"a;b;c",title', ','],
    ['https://a.test', ','],
  ] as const)('knows what separates the fields of %j', (text, separator) => {
    expect(separatorOf(text)).toBe(separator)
  })
})
