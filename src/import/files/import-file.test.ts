import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { SourceLink } from '../source.ts'
import { fixture, itemsOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

describe('a file that is none of links is refused with a sentence', () => {
  test.each<[what: string, content: string | Uint8Array, sentence: string]>([
    ['a ZIP archive', 'PK\x03\x04 links.csv', 'is a ZIP archive'],
    ['a compressed file', new Uint8Array([0x1f, 0x8b, 8, 0]), 'is compressed'],
    ['a file of xz', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'is compressed'],
    ['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), 'is a workbook'],
    ['XML', '<?xml version="1.0"?>\n<mysqldump/>', 'is XML'],
    ['a form to sign in', '<!doctype html>\n<form>', 'is a page of a website'],
    ['a PDF', '%PDF-1.7', 'is a PDF document'],
    ['a database', 'SQLite format 3\0 and more', 'is not a text file'],
    [
      'text with a NUL behind its first bytes',
      `url\n${'https://a.example\n'.repeat(9_000)}\0`,
      'is not a text file: there is a NUL byte in line 9002.',
    ],
    [
      'text of windows-1252 with a NUL',
      Buffer.from('url,slug,title\nhttps://a.example,a,caf\xe9\nhttps://a.example,b,\0\n', 'latin1'),
      'is not a text file: there is a NUL byte in line 3.',
    ],
  ])('%s', async (_, content, sentence) => {
    await expect(itemsOf('csv', temporaryFile(content))).rejects.toThrow(sentence)
  })

  test('a folder, or a device', async () => {
    const notAFile = 'is not a file but a folder, a pipe or a device.'
    for (const path of [tmpdir(), '/dev/null']) await expect(itemsOf('csv', path)).rejects.toThrow(notAFile)
  })
})

describe('of a row without an end, no more than a piece is read', () => {
  const NEVER_CLOSED =
    'The row is longer than 1 MB: a quote may not be closed. The rest of the file was not read.'
  const good = 'url,slug\nhttps://example.com/good,good\n'

  test.each([
    ['no line ends', 'x'.repeat(5_000_000)],
    ['a quote is never closed', `"${'https://example.com,a\n'.repeat(200_000)}`],
  ])('%s', async (_, rest) => {
    expect(await itemsOf('csv', temporaryFile(good + rest))).toEqual([
      { at: 'line 2', link: expect.objectContaining({ code: 'good' }) },
      { at: 'line 3', refused: NEVER_CLOSED },
    ])
  })

  test('in our own export', async () => {
    const items = await itemsOf('tern', temporaryFile(`{"short_code":"good"}\n{"a":${'['.repeat(5_000_000)}`))
    expect(items).toEqual([
      { at: 'line 1', link: expect.objectContaining({ code: 'good' }) },
      { at: 'line 2', refused: 'The line is not a JSON object.' },
    ])
  })
})

test.each([
  ['forward_query', 'true', true],
  ['forward_query', 'false', undefined],
  ['forward_query', 'replace', 'replace'],
  ['forward_path', 'true', true],
  ['max_clicks', '7', 7],
  ['title', '7', '7'],
  ['rules', '[{"to":"https://b.example/"}]', [{ to: 'https://b.example/' }]],
  ['rules', 'none', 'none'],
  ['aliases', 'one two', ['one', 'two']],
])('our own export in CSV says what %s is: %s', async (name, cell, value) => {
  const quoted = `"${cell.replaceAll('"', '""')}"`
  const file = temporaryFile(
    `short_code,original_url,qr_code_url,${name}\ngood,https://a.example/,,${quoted}\n`,
  )
  const [item] = await itemsOf('csv', file)
  expect(item).toMatchObject({ link: { code: 'good' } })
  expect((item as { link: SourceLink }).link.others?.[name]).toEqual(value)
})

describe('what a program would not write is refused with a sentence', () => {
  const TOO_MANY = 'is no page of links: it has too many lists and objects.'
  const NO_KUTT = 'is not a database of Kutt that can be read:'
  const kutt = readFileSync(fixture('kutt/kutt.sqlite'))

  test.each<[what: string, source: string, content: string | Uint8Array, sentence: string]>([
    ['no JSON', 'rebrandly', 'nonsense', 'is not JSON, as the API of Rebrandly answers.'],
    ['half a JSON text', 'shlink', '{"shortUrls": {"data": [', 'is not valid JSON.'],
    ['deep JSON without an end', 'dub', '['.repeat(500_000), TOO_MANY],
    ['millions of objects', 'sink', `{"links": [${'{},'.repeat(2_100_000)}{}]}`, TOO_MANY],
    ['another page', 'shlink', '{"tags": {"data": []}}', 'has no list of links where one is expected.'],
    ['an error of Dub', 'dub', '{"error": "unauthorized"}', 'has no list of links where one is expected.'],
    ['a page of Kutt', 'rebrandly', '{"data": []}', 'has no list of links where one is expected.'],
    [
      'JSON with NUL',
      'bitly',
      '{"links": [\n{"id": "\0"}]}',
      'is not a text file: there is a NUL byte in line 2.',
    ],
    ['a page of 65 MB', 'sink', `[${' '.repeat(65 * 1024 * 1024)}]`, 'is larger than 64 MB.'],
    [
      'a title above 1,001 columns',
      'csv',
      `Links\nurl${',a'.repeat(1_000)}\n`,
      'has more than 1,000 columns',
    ],
    ['a table of 1,001 columns', 'csv', `url${',a'.repeat(1_000)}\n`, 'has more than 1,000 columns'],
    ['no database', 'kutt', 'SQLite format 3\0 and nonsense', NO_KUTT],
    ['half a database', 'kutt', kutt.subarray(0, kutt.length / 2), NO_KUTT],
    [
      'a database of nonsense',
      'kutt',
      Buffer.concat([kutt.subarray(0, 100), Buffer.alloc(100_000, 7)]),
      NO_KUTT,
    ],
    [
      'an SQL dump with NUL',
      'yourls',
      '-- dump\nINSERT INTO \0',
      'is not a text file: there is a NUL byte in line 2.',
    ],
  ])('%s', async (_, source, content, sentence) => {
    await expect(itemsOf(source, temporaryFile(content))).rejects.toThrow(sentence)
  })

  test('a database whose links are a view without an end', async () => {
    const path = temporaryFile('')
    const database = new Database(path)
    database.run('CREATE TABLE domains (id, address)')
    database.run(
      'CREATE VIEW links AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT * FROM n',
    )
    database.close()
    await expect(itemsOf('kutt', path)).rejects.toThrow(`${NO_KUTT} no table links.`)
  })

  test.each<[what: string, list: string, refused: string]>([
    ['a text', '["a"]', 'It is not a JSON object.'],
    ['lists in lists', `[${'['.repeat(90)}${']'.repeat(90)}]`, 'It is not a JSON object.'],
  ])('a link that is %s', async (_, list, refused) => {
    expect(await itemsOf('sink', temporaryFile(`{"links": ${list}}`))).toEqual([{ at: 'link 1', refused }])
  })

  test('fields of other kinds', async () => {
    const link = { slug: ['a'], url: 7, expiration: 'soon', geo: 'DE', tags: 'one', password: {} }
    expect(await itemsOf('sink', temporaryFile(JSON.stringify({ links: [link] })))).toEqual([
      {
        at: 'link 1',
        link: expect.objectContaining({ destination: '7', hasUnknownPassword: true, lost: UNREAD }),
      },
    ])
  })

  test('SQL with a line of nonsense of 5 MB', async () => {
    expect(await itemsOf('yourls', temporaryFile(`-- dump\n${'x'.repeat(5_000_000)}`))).toEqual([
      { at: 'after row 0', refused: expect.stringContaining('The rest of the file was not read.') },
    ])
  })
})

const UNREAD = [
  'Its slug ["a"] is no text, so it is left out.',
  'Its tags "one" is no list, so it is left out.',
  '"soon" is no date that can be read, so it is left out.',
  'Its geo "DE" is no object, so it is left out.',
]

test('control characters that JSON does not allow are blanks', async () => {
  expect(await itemsOf('bitly', fixture('bitly/bitlinks-page-not-json.txt'))).toEqual([
    { at: 'link 1', link: expect.objectContaining({ title: 'tab here and bell  there' }) },
  ])
})

describe('text that would be damaged is refused with its line', () => {
  const latin = Buffer.from('url,title\nhttps://a.example,Cafe\nhttps://b.example,Caf\u00e9\n', 'latin1')
  const utf8 = Buffer.from(latin.toString('latin1'))
  const utf16 = Buffer.from(`\uFEFF${latin.toString('latin1')}`, 'utf16le')
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  const notIn = (encoding: string) =>
    `is not in ${encoding} as a whole: line 3 has bytes that are no letters there.`
  const isUtf8 = 'is in utf-8: in windows-1252, line 3 would have other letters. Leave --encoding out.'

  test.each<[what: string, content: Uint8Array, encoding: string | undefined, sentence: string]>([
    ['windows-1252, named utf-8', latin, 'utf-8', notIn('utf-8')],
    ['utf-8, named windows-1252', utf8, 'windows-1252', isUtf8],
    ['windows-1252 behind a mark of utf-8', Buffer.concat([mark, latin]), undefined, notIn('utf-8')],
    ['utf-8 with bytes of windows-1252', Buffer.from([...utf8, 0xe9, 0x0a]), undefined, 'line 4 has bytes'],
    ['utf-8 that was cut', Buffer.concat([utf8, utf8]).subarray(0, -2), undefined, 'line 6 has bytes'],
    ['utf-16 that was cut', utf16.subarray(0, -1), undefined, notIn('utf-16le')],
  ])('%s', async (_, content, encoding, sentence) => {
    await expect(itemsOf('csv', temporaryFile(content), { encoding })).rejects.toThrow(sentence)
  })

  test.each([
    ['utf-8', utf8],
    ['windows-1252', latin],
    ['utf-16le', utf16],
  ])('and is read in %s, which is named or recognized', async (encoding, content) => {
    const file = temporaryFile(content)
    for (const options of [{}, { encoding }])
      expect(await itemsOf('csv', file, options)).toMatchObject([
        { link: { title: 'Cafe' } },
        { link: { title: 'Caf\u00e9' } },
      ])
  })

  test('also in our own export', async () => {
    const line = '{"short_code":"caf","original_url":"https://a.example","title":"Caf\u00e9 \u2615"}\n'
    const damaged = Buffer.concat([Buffer.from(line), Buffer.from(line, 'latin1')])
    await expect(itemsOf('tern', temporaryFile(damaged))).rejects.toThrow('line 2 has bytes')
  })
})

describe('an empty file is refused', () => {
  test.each(['csv', 'dub', 'kutt', 'sink', 'yourls', 'tern'])('%s', async (source) => {
    await expect(itemsOf(source, temporaryFile(''))).rejects.toThrow(' is empty.')
  })

  test('but blank lines, and a row of names, have no links', async () => {
    for (const text of ['\uFEFF\n\n', 'url,slug\n'])
      expect(await itemsOf('csv', temporaryFile(text))).toEqual([])
  })
})
