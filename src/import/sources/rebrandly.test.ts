import { expect, test } from 'bun:test'
import { linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

test('scripts of a link are named, and its short URL says where it is', async () => {
  const link = { slashtag: 'one', destination: 'https://a.example', shortUrl: 'go.example/one' }
  const page = [
    { ...link, scripts: [] },
    { ...link, scripts: [{ id: 'a' }] },
  ]
  const place = { domain: 'go.example', code: 'one' }
  expect(await linksOf('rebrandly', temporaryFile(JSON.stringify(page)))).toMatchObject([
    { ...place, lost: [] },
    { ...place, lost: ['Its tracking scripts are not imported.'] },
  ])
})
