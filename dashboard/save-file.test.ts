import { describe, expect, test } from 'bun:test'
import { toCsv } from './save-file.ts'

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
