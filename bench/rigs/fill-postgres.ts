import { transact } from '../../src/store/transact.ts'
import type { SQL } from 'bun'
import { rollUpNextHours } from '../../src/clicks/counters/link-days.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { countLinks } from '../../src/links/lists/count-links.ts'
import { raiseIds } from '../../src/store/engine-sql.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import type { Store } from '../../src/store/open-store.ts'
import { postgresSchema } from '../../test/rigs/store/postgres-schema.ts'
import type { MadeClicks } from './click-rows.ts'
import { copyClicks } from './copy-clicks.ts'
import { CopyWriter } from './copy-writer.ts'
import { LINKS_AT_ONCE, linkRows } from './make-links.ts'
import { dropIndexes } from './postgres-indexes.ts'

const LINK_TABLES = ['codes', 'links', 'link_texts']

/** `sql`: one connection, as the operator. */
export type Filling = { url: string; sql: SQL; made: MadeClicks }

/** Fills the program's own tables, whose account is there already. Gives how many clicks there are. */
export async function fillPostgres({ url, sql, made }: Filling): Promise<number> {
  const schema = await postgresSchema(url)
  const store = await openPostgresStore({ url })
  try {
    const makeIndexes = await timed('dropping the indexes of links', () => dropIndexes(sql, LINK_TABLES))
    await timed('copying links', () => copyLinks(store, new CopyWriter(url), made))
    // Side by side: the one is work of the server's, the other mostly ours.
    const [clicks] = await Promise.all([
      timed('copying clicks', () => copyClicks(store, new CopyWriter(url), made)),
      timed('indexing links', makeIndexes),
    ])
    await sql`SELECT setval(pg_get_serial_sequence('click_dimensions', 'id'), max(id)) FROM click_dimensions`
    if ((await postgresSchema(url)) !== schema) throw new Error('The tables are not as they were.')
    // What autovacuum would have done in the ninety days.
    await timed('vacuuming', () => sql`VACUUM (ANALYZE)`)
    await timed('summing up days', async () => {
      while (await rollUpNextHours(store.relaxedDb, systemClock.nowUs()));
    })
    await timed('writing everything to the disk', async () => {
      await sql`VACUUM (ANALYZE) link_days`
      await sql`CHECKPOINT`
    })
    return clicks
  } finally {
    await store.close()
  }
}

async function copyLinks({ relaxedDb }: Store, writer: CopyWriter, made: MadeClicks): Promise<void> {
  const { links, workspaceId } = made
  for (let from = 1; from <= links; from += LINKS_AT_ONCE) {
    const ids = Array.from({ length: Math.min(LINKS_AT_ONCE, links - from + 1) }, (_, i) => from + i)
    for (const [target, rows] of linkRows(ids, { ownerOf: () => workspaceId }))
      await writer.write(target, rows)
  }
  await writer.end()
  await transact(relaxedDb, async (tx) => {
    await countLinks(tx, workspaceId, { links, active: links, archived: 0 })
    await raiseIds(tx, 'links', links)
  })
}

async function timed<Result>(what: string, work: () => PromiseLike<Result>): Promise<Result> {
  const startedMs = performance.now()
  const result = await work()
  console.log(`${what}: ${Math.round((performance.now() - startedMs) / 1000)} s`)
  return result
}
