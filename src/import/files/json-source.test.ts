import { expect, test } from 'bun:test'
import { linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'
import { SOURCES } from '../sources/all-sources.ts'
import { openImportFile } from './import-file.ts'

const MORE = '  There are more behind this page: the next one is another file.'

test.each([
  [
    'bitly',
    { links: [], pagination: { next: 'https://a.example/?size=50' } },
    { links: [], pagination: { next: '' } },
  ],
  ['shlink', shlinkPage(1), shlinkPage(2)],
  ['shortio', { links: [], nextPageToken: 'a' }, { links: [], nextPageToken: null }],
  ['sink', { links: [], list_complete: false, cursor: 'a' }, { links: [], list_complete: true }],
])('a page of %s says whether there are more behind it', async (source, page, lastPage) => {
  expect(await descriptionOf(source, page)).toContain(MORE)
  expect(await descriptionOf(source, lastPage)).not.toContain(MORE)
})

test.each([
  ['one behind the other', (pages: object[]) => pages.map((page) => JSON.stringify(page)).join('')],
  ['in a list', (pages: object[]) => JSON.stringify(pages)],
])('pages that are put together are read: %s', async (_, textOf) => {
  const link = (code: string) => ({ link: `https://go.example/${code}`, long_url: 'https://a.example/[' })
  const pages = [
    { links: [link('one')], pagination: { next: 'https://a.example/?a=b' } },
    { links: [link('two')] },
  ]
  const file = temporaryFile(textOf(pages))
  expect((await linksOf('bitly', file)).map(({ code }) => code)).toEqual(['one', 'two'])
  const { description } = await SOURCES.bitly!.open(await openImportFile(file), { columns: new Map() })
  expect(description).toEqual(['2 links of Bitly in JSON'])
})

test('a link a line is read, and what is cut is refused', async () => {
  const lines = '{"key":"one","url":"https://a.example/"}\n{"key":"two","url":"https://a.example/"}\n'
  expect((await linksOf('dub', temporaryFile(lines))).map(({ code }) => code)).toEqual(['one', 'two'])
  await expect(linksOf('dub', temporaryFile(`${lines}{"key":"th`))).rejects.toThrow('is not valid JSON')
})

function shlinkPage(currentPage: number) {
  return { shortUrls: { data: [], pagination: { currentPage, pagesCount: 2 } } }
}

async function descriptionOf(source: string, page: object): Promise<string[]> {
  const file = await openImportFile(temporaryFile(JSON.stringify(page)))
  return (await SOURCES[source]!.open(file, { columns: new Map() })).description
}
