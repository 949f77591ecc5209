import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { itemsOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

describe('a file that is none of links is refused with a sentence', () => {
  test.each<[what: string, content: string | Uint8Array, sentence: string]>([
    ['a ZIP archive', 'PK\x03\x04 links.csv', 'is a ZIP archive'],
    ['a compressed file', new Uint8Array([0x1f, 0x8b, 8, 0]), 'is compressed'],
    ['a PDF', '%PDF-1.7', 'is a PDF document'],
    ['a database', 'SQLite format 3\0 and more', 'is not a text file'],
    [
      'text with a NUL behind its first bytes',
      `url\n${'https://a.example\n'.repeat(9_000)}\0`,
      'is not a text file',
    ],
  ])('%s', async (_, content, sentence) => {
    await expect(itemsOf('csv', temporaryFile(content))).rejects.toThrow(sentence)
  })

  test('a folder', async () => {
    await expect(itemsOf('csv', tmpdir())).rejects.toThrow('cannot be read: EISDIR')
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

test('an empty file has no links', async () => {
  expect(await itemsOf('csv', temporaryFile(''))).toEqual([])
})
