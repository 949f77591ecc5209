import { afterEach, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts'

const DUMP = join(import.meta.dir, 'schema.sqlite.sql')
const folders = temporaryFolders()
afterEach(folders.remove)

test('the tables are those of schema.sqlite.sql; to refresh it after a new migration, delete it and run this test', async () => {
  const store = await openSqliteStore(folders.make(), 'same-thread')
  const { rows } = await sql<{ sql: string }>`SELECT sql FROM sqlite_schema
    WHERE sql IS NOT NULL AND name NOT LIKE 'kysely_%' AND name NOT LIKE 'sqlite_%' ORDER BY name`.execute(
    store.db,
  )
  await store.close()
  const dump = rows.map((row) => `${row.sql.replaceAll(/^ {2}/gm, '')};\n`).join('\n')
  if (!existsSync(DUMP)) writeFileSync(DUMP, dump)
  expect(dump).toBe(readFileSync(DUMP, 'utf8'))
})
