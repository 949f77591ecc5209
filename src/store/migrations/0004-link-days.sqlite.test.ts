import { afterEach, expect, test } from 'bun:test'
import { Kysely, sql } from 'kysely'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { migrate, SQLITE_MIGRATIONS } from './migrate.ts'
import { storePath } from '../sqlite/open-sqlite-store.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { openSqliteFile } from '../sqlite/sqlite-file.ts'
import { SqliteWriter } from '../sqlite/sqlite-writer.ts'
import { WriteLock } from '../sqlite/write-lock.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

test('days that were summed up count as begun, and what is there stays as it is', async () => {
  const database = openSqliteFile(storePath(folders.make()))
  const db = new Kysely<any>({ dialect: sqliteDialect(new SqliteWriter(database, new WriteLock()), 'full') })
  const before = Object.entries(SQLITE_MIGRATIONS).filter(([name]) => name < '0004')
  await migrate(db, Object.fromEntries(before))
  await sql`UPDATE link_days_progress SET summed_to = 20000`.execute(db)
  await sql`INSERT INTO codes VALUES ('abc', NULL)`.execute(db)
  await sql`INSERT INTO journal_segments VALUES ('s', 'node', '', 1, 2, 3, 4, 5, 6)`.execute(db)
  await migrate(db, Object.fromEntries(Object.entries(SQLITE_MIGRATIONS).slice(0, 4)))
  const rowsOf = async (table: string) => db.selectFrom(table).selectAll().execute()
  expect(await rowsOf('link_days_progress')).toEqual([{ summed_to: 20_000, begun_to: 20_000 }])
  expect(await rowsOf('codes')).toEqual([{ code: 'abc', account_id: null, lost_at: null }])
  expect(await rowsOf('journal_segments')).toMatchObject([{ segment: 's', finished_at: 6, folder: '' }])
  database.close()
})
