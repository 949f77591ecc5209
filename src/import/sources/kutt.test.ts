import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fixture, linksOf, temporaryFile } from '../../../test/rigs/import-fixtures.ts'

test('a database with a write-ahead log is read where no file can be written beside it', async () => {
  const path = temporaryFile(readFileSync(fixture('kutt/kutt.sqlite')))
  const database = new Database(path)
  database.run('PRAGMA journal_mode = WAL')
  database.close()
  // With what SQLite appends, the name is longer than any may be.
  const longPath = join(dirname(path), 'd'.repeat(252))
  renameSync(path, longPath)
  expect(await linksOf('kutt', longPath)).toHaveLength(78)
})
