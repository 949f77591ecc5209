/**
 * `npm run bench:migration`: how long a migration takes for a store full of links, and what it does to the disk.
 * `ENGINE=postgres LINKS=1000000 MIGRATION=-domains`: on which engine, of how many links, and from which migration on.
 */
import { statSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { storePath } from '../src/store/sqlite/open-sqlite-store.ts'
import { openStore, type StoreLocation } from '../src/store/open-store.ts'
import { makeStoreBefore } from '../test/rigs/store-before.ts'
import { temporaryFolders } from '../test/rigs/temporary-folders.ts'
import { type Engine, testPostgres } from '../test/rigs/test-store.ts'

const { ENGINE = 'sqlite', LINKS = '1000000', MIGRATION = '-domains' } = process.env
const engine = ENGINE as Engine

const NUMBERS = `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${LINKS})`
const RANDOM_CODE = { sqlite: 'lower(hex(randomblob(6)))', postgres: 'substr(md5(CAST(i AS TEXT)), 1, 12)' }

async function fill(db: Kysely<any>): Promise<void> {
  const workspace = { id: 1, name: '', plan: 'free', subscription_status: 'active', created_at: 0 }
  await db.insertInto('workspaces').values(workspace).execute()
  const codes = sql.raw(`${NUMBERS} SELECT ${RANDOM_CODE[engine]}, 1 FROM numbers`)
  await sql`INSERT INTO codes (code, account_id) ${codes}`.execute(db)
  await sql`INSERT INTO links (account_id, code, svc_id, original_url, title, is_active, created_at, updated_at)
    SELECT 1, code, 'svc_0193b1c0-0000-7000-8000-000000000000',
      'https://www.example.com/launch/summer-sale/' || code || '?utm_source=news', 'summer sale ' || code, 1, 1, 1
    FROM codes`.execute(db)
  await sql`INSERT INTO link_texts (link_id, account_id, text)
    SELECT id, 1, title || ' ' || original_url || ' ' || code FROM links`.execute(db)
}

async function megabytes({ dataDir, databaseUrl }: StoreLocation): Promise<number> {
  if (databaseUrl === undefined) return statSync(storePath(dataDir)).size / 1e6
  const name = new URL(databaseUrl).pathname.slice(1)
  const [row] = await (await testPostgres()).run(`SELECT pg_database_size('${name}') AS bytes`)
  return Number(row!.bytes) / 1e6
}

const folders = temporaryFolders()
const place = await makeStoreBefore({ dataDir: folders.make(), engine, migration: MIGRATION }, (db) =>
  db.transaction().execute(async (tx) => {
    if (engine === 'postgres') await sql`SET LOCAL statement_timeout = 0`.execute(tx)
    await fill(tx)
  }),
)
const before = await megabytes(place)
const startedMs = performance.now()
await (await openStore(place, 'same-thread')).close()
const seconds = (performance.now() - startedMs) / 1000
const after = await megabytes(place)
console.log(`${engine}: ${seconds.toFixed(1)} s, ${before.toFixed()} MB before, ${after.toFixed()} MB after`)
folders.remove()
process.exit()
