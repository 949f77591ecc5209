/**
 * `npm run bench:migration`: how long the migrations of this version take for a store of the version before, full of links
 * and clicks, and what they do to the disk. `ENGINE=postgres LINKS=1000000 CLICKS=10000000`: on which engine, and how much.
 */
import { statSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { storePath } from '../src/store/sqlite/open-sqlite-store.ts'
import { openStore, type StoreLocation } from '../src/store/open-store.ts'
import { makeClickDays } from '../src/store/postgres/postgres-sql.ts'
import { makeStoreBefore } from '../test/rigs/store-before.ts'
import { temporaryFolders } from '../test/rigs/temporary-folders.ts'
import { type Engine, testPostgres } from '../test/rigs/test-store.ts'

const { ENGINE = 'sqlite', LINKS = '1000000', CLICKS = '10000000' } = process.env
const engine = ENGINE as Engine
/** The first that the version before does not have. */
const MIGRATION = { sqlite: '-click-dimensions', postgres: '-route-triggers' }[engine]

const DAYS = 30
const FIRST_DAY = 20_000
const DAY_US = 86_400_000_000

const upTo = (count: string) =>
  `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})`
const RANDOM_CODE = { sqlite: 'lower(hex(randomblob(6)))', postgres: 'substr(md5(CAST(i AS TEXT)), 1, 12)' }

async function fill(db: Kysely<any>): Promise<void> {
  const state = { plan: 'free', subscription_status: 'active', created_at: 0 }
  const account = { id: 1, name: '', email: 'ann@example.com', password_hash: '', ...state }
  await db.insertInto('accounts').values(account).execute()
  const codes = sql.raw(`${upTo(LINKS)} SELECT ${RANDOM_CODE[engine]}, 1 FROM numbers`)
  await sql`INSERT INTO codes (code, account_id) ${codes}`.execute(db)
  await sql`INSERT INTO links (account_id, code, svc_id, original_url, title, is_active, created_at, updated_at)
    SELECT 1, code, 'svc_0193b1c0-0000-7000-8000-000000000000',
      'https://www.example.com/launch/summer-sale/' || code || '?utm_source=news', 'summer sale ' || code, 1, 1, 1
    FROM codes`.execute(db)
  await sql`INSERT INTO link_texts (link_id, account_id, text)
    SELECT id, 1, title || ' ' || original_url || ' ' || code FROM links`.execute(db)
  await fillClicks(db)
}

/** As many single clicks as hours of links, over thirty days. */
async function fillClicks(db: Kysely<any>): Promise<void> {
  const audience = { country: 'DE', device: 'desktop', browser: 'Firefox', os: 'Linux', referrer: '' }
  await db
    .insertInto('audiences')
    .values({ id: 1, ...audience })
    .execute()
  const days = Array.from({ length: DAYS }, (_, i) => FIRST_DAY + i)
  if (engine === 'postgres') for (const statement of makeClickDays(days)) await sql.raw(statement).execute(db)
  const numbers = sql.raw(upTo(CLICKS))
  const link = sql.raw(`1 + i % ${LINKS}`)
  await sql`INSERT INTO clicks (link_id, account_id, clicked_at, audience_id, visitor, is_bot) ${numbers}
    SELECT ${link}, 1, (${FIRST_DAY} + i % ${DAYS}) * ${DAY_US}, 1, i, 0 FROM numbers`.execute(db)
  await sql`INSERT INTO link_hours (link_id, hour, audience_id, clicks, visitors, bots) ${numbers}
    SELECT ${link}, ${FIRST_DAY * 24} + i / ${sql.raw(LINKS)}, 1, 1, 1, 0 FROM numbers ORDER BY 1, 2`.execute(
    db,
  )
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
