import { expect, test } from 'bun:test'
import { temporaryFile } from '../../../test/rigs/import-fixtures.ts'
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

function shlinkPage(currentPage: number) {
  return { shortUrls: { data: [], pagination: { currentPage, pagesCount: 2 } } }
}

async function descriptionOf(source: string, page: object): Promise<string[]> {
  const file = await openImportFile(temporaryFile(JSON.stringify(page)))
  return (await SOURCES[source]!.open(file, { columns: new Map() })).description
}
