import { afterEach, describe, expect, test } from 'bun:test'
import { type Kysely, sql } from 'kysely'
import { makeStoreBefore } from '../../../test/rigs/store-before.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { type Engine, enginesToTest } from '../../../test/rigs/test-store.ts'
import { shownOptions } from '../../links/link-fields.ts'
import { openStore } from '../open-store.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

const link = (id: number, code: string) => ({
  ...{ id, account_id: 1, code, svc_id: `svc_${id}`, original_url: `https://example.com/${id}` },
  ...{
    target_url: id === 2 ? 'https://example.com/%C3%A4' : null,
    title: 'Ä',
    is_active: id % 2,
    created_at: id,
  },
})
const LINKS = [link(2, 'two'), link(7, 'seven')].map((row) => ({ ...row, updated_at: 3 }))
const DELETED = { ...link(30, 'deleted'), deleted_at: 5 }
const CODES = [
  { code: 'deleted', account_id: 1, lost_at: null },
  { code: 'lost', account_id: 1, lost_at: 9 },
  { code: 'nobodys', account_id: null, lost_at: null },
  { code: 'seven', account_id: 1, lost_at: null },
  { code: 'two', account_id: 1, lost_at: null },
]

async function fill(db: Kysely<any>, engine: Engine): Promise<void> {
  const workspace = { id: 1, name: '', plan: 'free', subscription_status: 'active', created_at: 0 }
  await db.insertInto('workspaces').values(workspace).execute()
  await db.insertInto('codes').values(CODES).execute()
  const gone = { ...LINKS[0]!, id: 30, code: 'deleted' }
  await db
    .insertInto('links')
    .values([...LINKS, gone])
    .execute()
  await db.deleteFrom('links').where('id', '=', gone.id).execute()
  // Rows that bring their id draw none from PostgreSQL's sequence.
  if (engine === 'postgres') await sql`SELECT setval('links_id_seq', 30)`.execute(db)
  await db.insertInto('deleted_links').values(DELETED).execute()
}

describe.each(enginesToTest('domains'))('a store of before domains, on %s', (engine) => {
  test('keeps its codes and links on the default domain, and each code opens the link that it did', async () => {
    const dataDir = folders.make()
    const place = await makeStoreBefore({ dataDir, engine, migration: '-domains' }, (db) => fill(db, engine))
    const store = await openStore(place, 'same-thread')
    const { db } = store
    expect(
      await db.selectFrom('domains').select(['id', 'host', 'account_id', 'is_shared']).execute(),
    ).toEqual([{ id: 0, host: null, account_id: null, is_shared: 1 }])
    const opens: Record<string, number> = { seven: 7, two: 2 }
    expect(await db.selectFrom('codes').selectAll().orderBy('code').execute()).toEqual(
      CODES.map((row) => ({ ...row, domain_id: 0, link_id: opens[row.code] ?? null })),
    )
    const links = await db.selectFrom('links').selectAll().orderBy('id').execute()
    expect(links).toMatchObject(LINKS.map((row) => ({ ...row, domain_id: 0 })))
    for (const link of links) expect(shownOptions(link)).toEqual(shownOptions({}))
    const deleted = await db.selectFrom('deleted_links').selectAll().execute()
    expect(deleted).toMatchObject([{ ...DELETED, domain_id: 0 }])
    const { id: _, ...fresh } = LINKS[0]!
    const { id } = await db.insertInto('links').values(fresh).returning('id').executeTakeFirstOrThrow()
    expect(id).toBeGreaterThan(30)
    await store.close()
  })
})
