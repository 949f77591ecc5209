import { describe, expect, test } from 'bun:test'
import { toCsv } from '../../save-file.ts'
import { readCsv, separatorOf } from './bulk-columns.ts'

const fieldsOf = (text: string) => readCsv(text, separatorOf(text)).map(({ fields }) => fields)

describe('a CSV that is read', () => {
  test('keeps quoted commas, quotes and line breaks, and counts lines as the file has them', () => {
    const text =
      '\uFEFFhttps://a.test,"One, two"\r\n\r\n"https://b.test","say ""b""\nagain",code\rhttps://c.test'
    expect(readCsv(text, ',')).toEqual([
      { line: 1, fields: ['https://a.test', 'One, two'], source: 'https://a.test,"One, two"' },
      {
        line: 3,
        fields: ['https://b.test', 'say "b"\nagain', 'code'],
        source: '"https://b.test","say ""b""\nagain",code',
      },
      { line: 5, fields: ['https://c.test'], source: 'https://c.test' },
    ])
  })

  test('has empty fields, also the last one, and blanks around its fields and quotes', () => {
    expect(fieldsOf('https://a.test,,code\nhttps://b.test , "One, two" , \n,,\n')).toEqual([
      ['https://a.test', '', 'code'],
      ['https://b.test', 'One, two', ''],
    ])
  })

  test('has quotes as text where they enclose no field', () => {
    expect(
      fieldsOf('https://a.test,"Unclosed\nhttps://b.test,5" screen,b\nhttps://c.test,"a" or "b"'),
    ).toEqual([
      ['https://a.test', '"Unclosed'],
      ['https://b.test', '5" screen', 'b'],
      ['https://c.test', '"a" or "b"'],
    ])
  })

  test('is what toCsv wrote', () => {
    const rows = [
      ['a "quoted" text', 'b, c'],
      ['d\ne', 'f'],
    ]
    expect(fieldsOf(toCsv({ heads: ['1', '2'], rows }))).toEqual([['1', '2'], ...rows])
  })

  test.each([
    ['url,title\nx', ','],
    ['url;title\nhttps://a.test/?a,b,c;x', ';'],
    ['https://a.test/?a,b,c;x\nhttps://b.test;y', ';'],
    ['url\ttitle', '\t'],
    ['https://a.test/1,2;3\tTitle, of a page', '\t'],
    ['"a;b;c",title', ','],
    ['https://a.test', ','],
    ['https://a.test/p;v=2', ','],
    ['https://a.test/?a=1&amp;b=2,Title', ','],
    ['https://a.test, Title; with a semicolon', ','],
    ['https://a.test,A; B,a\nhttps://b.test,B,b', ','],
    ['', ','],
  ] as const)('knows what separates the fields of %j', (text, separator) => {
    expect(separatorOf(text)).toBe(separator)
  })
})
