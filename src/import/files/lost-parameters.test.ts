import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fixture, linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

const fileOf = (page: unknown) => temporaryFile(JSON.stringify(page))
const NAMED = ['Its utm_medium is not in its destination, so it is left out.']

test('parameters that Short.io keeps apart from the destination are named', async () => {
  const link = {
    path: 'one',
    originalURL: 'https://a.example/?utm_source=news',
    utmSource: 'news',
    utmMedium: 'email',
    utmTerm: null,
  }
  expect(await linksOf('shortio', fileOf({ links: [link] }))).toMatchObject([{ lost: NAMED }])
})

test('so are those of Kutt, from its API and from its database', async () => {
  const fields = { address: 'one', target: 'https://a.example/', utm_source: null, utm_medium: 'email' }
  expect(await linksOf('kutt', fileOf({ data: [fields] }))).toMatchObject([{ lost: NAMED }])
  expect(await linksOf('kutt', databaseWith(fields))).toMatchObject([{ code: 'one', lost: NAMED }])
})

test('tracking pixels of Short.io are named', async () => {
  const link = { path: 'one', originalURL: 'https://a.example/', integrationGA: 'G-1', integrationFB: '' }
  const lost = ['Its tracking pixels are not imported.']
  expect(await linksOf('shortio', fileOf({ links: [link] }))).toMatchObject([{ lost }])
})

/** That of the fixture, with the columns of a newer version and one link. */
function databaseWith({ address, target, utm_medium: medium }: Record<string, string | null>): string {
  const path = temporaryFile(readFileSync(fixture('kutt/kutt.sqlite')))
  using database = new Database(path)
  database.run('PRAGMA foreign_keys = OFF')
  for (const table of ['visits', 'links']) database.run(`DELETE FROM ${table}`)
  for (const column of ['utm_source', 'utm_medium'])
    database.run(`ALTER TABLE links ADD ${column} varchar(255)`)
  database.run('INSERT INTO links (address, target, utm_medium) VALUES (?, ?, ?)', [
    address!,
    target!,
    medium!,
  ])
  return path
}
