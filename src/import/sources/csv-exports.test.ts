import { describe, expect, test } from 'bun:test'
import { itemsOf, linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'
import { openImportFile } from '../files/import-file.ts'
import { SOURCES } from './all-sources.ts'

test('what databases write for no value is none, except as a code', async () => {
  const file = temporaryFile(
    'url,code,title,expires,clicks,password,tags,archived\nhttps://a.example,NULL,NULL,NULL,\\N,NULL,null,\\N\n',
  )
  const [link] = await linksOf('csv', file)
  const { title, expiresAt, clicks, password, tags, isArchived, lost } = link!
  expect([title, expiresAt, clicks, password, isArchived]).toEqual(Array(5).fill(undefined))
  expect([link!.code, tags, lost]).toEqual(['NULL', [], []])
})

test('a dash is no value, and a limit of 0 clicks is none', async () => {
  const file = temporaryFile(
    'url,slug,title,password,max clicks\nhttps://a.example,one,–,-,n/a\nhttps://a.example,two,,,0\n',
  )
  const links = await linksOf('csv', file)
  expect(links.map(({ title, password, maxClicks, lost }) => [title, password, maxClicks, lost])).toEqual([
    [undefined, undefined, undefined, []],
    [undefined, undefined, undefined, ['"0" is no limit of clicks, so it is left out.']],
  ])
})

test('an archived column that says neither yes nor no is named', async () => {
  const file = temporaryFile('url,slug,archived\nhttps://a.example,one,WAHR\nhttps://a.example,two,perhaps\n')
  expect(await linksOf('csv', file)).toMatchObject([
    { isArchived: true, lost: [] },
    {
      isArchived: undefined,
      lost: ['"perhaps" does not say whether the link is archived, so it is not.'],
    },
  ])
})

describe('names of columns', () => {
  test('may have a unit or an explanation in brackets', async () => {
    const file = temporaryFile(
      'Long URL (destination),Short link [URL],Created (UTC),Clicks (total),Tags (comma separated)\nhttps://a.example,https://go.example/one,2026-01-01 10:00,7,"a,b"\n',
    )
    expect(await linksOf('csv', file)).toMatchObject([
      {
        destination: 'https://a.example',
        domain: 'go.example',
        code: 'one',
        createdAt: '2026-01-01T10:00:00.000Z',
        clicks: 7,
        tags: ['a', 'b'],
      },
    ])
  })

  test('that are the same without brackets are not guessed', async () => {
    const file = temporaryFile('URL (short),URL (long),slug\nhttps://go.example/one,https://a.example,one\n')
    expect(await linksOf('csv', file)).toMatchObject([{ code: 'one', destination: undefined }])
  })

  test('of other languages are names where the caller names them', async () => {
    const file = temporaryFile('Название;Адрес;Код\nA;https://a.example;one\n')
    const columns = new Map([
      ['destination', 'Адрес'],
      ['code', 'Код'],
      ['title', 'Название'],
    ])
    expect(await linksOf('csv', file, { columns })).toMatchObject([
      { destination: 'https://a.example', code: 'one', title: 'A' },
    ])
  })

  test('are left out where they are repeated', async () => {
    const file = temporaryFile('url,slug\nhttps://a.example,one\nURL,Slug\nhttps://a.example,two\n')
    expect((await linksOf('csv', file)).map(({ code }) => code)).toEqual(['one', 'two'])
  })
})

test('empty values behind the last column are none', async () => {
  const file = temporaryFile('url,slug\nhttps://a.example,one,,\nhttps://a.example,two,,x\n')
  const items = await itemsOf('csv', file)
  expect(items).toMatchObject([
    { at: 'line 2', link: { code: 'one' } },
    { at: 'line 3', refused: 'The row has 4 values for 2 columns.' },
  ])
})

test.each([
  ['https://go.example/%E5%86%AC', 'go.example', '冬'],
  ['http://Go.example:8080/one/', 'go.example', 'one'],
  ['go.example/100%', 'go.example', '100%'],
  ['/one/', undefined, 'one'],
])('%s is a short URL', async (shortUrl, domain, code) => {
  const file = temporaryFile(`url,short url\nhttps://a.example,${shortUrl}\n`)
  expect(await linksOf('csv', file)).toMatchObject([{ domain, code }])
})

test('rows that are quoted as a whole are refused', async () => {
  const file = temporaryFile('"url;slug;title"\n"https://a.example;one;A"\n')
  await expect(itemsOf('csv', file)).rejects.toThrow('has each row in quotes as one value')
  const titled = temporaryFile('"Links, tags and clicks"\nurl,slug\nhttps://a.example,one\n')
  expect(await linksOf('csv', titled)).toMatchObject([{ code: 'one' }])
})

test('a table without codes says so', async () => {
  const file = await openImportFile(temporaryFile('Destination,Title\nhttps://a.example,A\n'))
  const { description } = await SOURCES.csv!.open(file, { columns: new Map() })
  expect(description.at(-1)).toBe('  no column has codes: each link gets a new one')
})

test('columns without names that are not used are counted', async () => {
  const file = await openImportFile(temporaryFile('https://a.example,one,A,7,2026-01-01\n'))
  const { description } = await SOURCES.csv!.open(file, { columns: new Map() })
  expect(description.at(-1)).toBe('  not used: column 4, column 5')
})

test.each([
  ['windows-1250', [0xa3, 0xf3, 0x64, 0x9f], 'Łódź'],
  ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
])('a table in %s is read where it is named', async (encoding, bytes, title) => {
  const file = temporaryFile(
    Buffer.concat([Buffer.from('url,slug,title\nhttps://a.example,one,'), Buffer.from(bytes)]),
  )
  expect(await linksOf('csv', file, { encoding })).toMatchObject([{ title }])
})
