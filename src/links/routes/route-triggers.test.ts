import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { becomes, eventually } from '../../../test/rigs/eventually.ts'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { openLinkedStore } from '../../../test/rigs/store/linked-store.ts'
import { lacksPostgres } from '../../../test/rigs/store/postgres-server.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { newSharedMetrics, openMetrics } from '../../metrics/metrics.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Store } from '../../store/open-store.ts'
import { Blocks } from '../destinations/blocks.ts'
import { LinkCache } from './link-cache.ts'
import { ROUTE_SELECT } from './link-route.ts'
import type { RedirectState } from './redirect-state.ts'
import { openRouteSource, type RouteSource } from './route-source.ts'
import { defaultKey } from '../link-key.ts'

const folders = temporaryFolders()
let store: Store
let addLink: (code: string) => Promise<void>
/** Of another node. */
let source: RouteSource
let cache: LinkCache
const states: RedirectState[] = []

describe.skipIf(lacksPostgres('the triggers on routes'))('another node', () => {
  beforeAll(openBoth)
  afterAll(closeBoth)

  test('follows a change of each column that a route is read from', async () => {
    const columns = await routeColumns()
    expect(columns.length).toBeGreaterThan(3)
    await dropForeignKeys(columns)
    for (const column of columns) {
      const code = `of-${column.table}-${column.column}`
      await addLink(code)
      const before = await cache.get(defaultKey(code))
      expect(before).toBeDefined()
      await change(column, code)
      const changed = await eventually(
        async () => cache.get(defaultKey(code)),
        (route) => !Bun.deepEquals(route, before),
      )
      expect([column, changed]).not.toEqual([column, before])
    }
  })

  test('follows what workspaces do not count', async () => {
    const { id } = await store.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
    const excluded = () => states.at(-1)?.ownTraffic
    await store.db.updateTable('workspaces').set({ uncounted_key: 'key' }).where('id', '=', id).execute()
    await becomes(excluded, [{ workspaceId: id, cookieKey: 'key', networks: [] }])
    const row = { workspace_id: id, name: 'uncounted_networks', value: '["192.0.2.1"]', updated_at: 1 }
    await store.db.insertInto('workspace_settings').values(row).execute()
    await becomes(excluded, [{ workspaceId: id, cookieKey: 'key', networks: ['192.0.2.1'] }])
    const settings = store.db.updateTable('workspace_settings').where('workspace_id', '=', id)
    await settings.set({ value: '["192.0.2.2"]' }).execute()
    await becomes(excluded, [{ workspaceId: id, cookieKey: 'key', networks: ['192.0.2.2'] }])
    await store.db.deleteFrom('workspace_settings').where('name', '=', 'uncounted_networks').execute()
    await becomes(excluded, [{ workspaceId: id, cookieKey: 'key', networks: [] }])
  })

  async function openBoth(): Promise<void> {
    const linked = await openLinkedStore([])
    store = linked.store
    addLink = linked.addLink
    source = await openRouteSource(
      { dataDir: folders.make(), databaseUrl: linked.url },
      { clock: systemClock, log: recordingLog() },
    )
    const deps = {
      ownHosts: new Set<string>(),
      blocks: new Blocks(),
      metrics: openMetrics(newSharedMetrics()),
    }
    cache = new LinkCache({ ...source, ...deps }, 100)
    const ready = Promise.withResolvers<void>()
    source.follow(cache, { onState: (state) => void states.push(state), onAnotherServer: ready.resolve })
    await ready.promise
  }

  async function closeBoth(): Promise<void> {
    await source.close()
    await store.close()
    folders.remove()
  }
})

/** What PostgreSQL says that the query uses, inside expressions and conditions too. */
async function routeColumns(): Promise<Column[]> {
  await sql.raw(`CREATE VIEW routes AS ${ROUTE_SELECT}`).execute(store.db)
  const { rows } = await sql<Column>`
    SELECT used.table_name AS "table", used.column_name AS "column", data_type AS type
    FROM information_schema.view_column_usage AS used
    JOIN information_schema.columns USING (table_schema, table_name, column_name)
    WHERE used.view_name = 'routes' ORDER BY 1, 2
  `.execute(store.db)
  await sql`DROP VIEW routes`.execute(store.db)
  return rows
}

/** So that each column can be changed by itself. */
async function dropForeignKeys(columns: readonly Column[]): Promise<void> {
  for (const table of new Set(columns.map((column) => column.table))) {
    const { rows } = await sql<{ name: string; table: string }>`
      SELECT conname AS name, CAST(conrelid AS regclass) AS "table" FROM pg_constraint
      WHERE contype = 'f' AND CAST(${table} AS regclass) IN (conrelid, confrelid)
    `.execute(store.db)
    for (const key of rows)
      await sql`ALTER TABLE ${sql.table(key.table)} DROP CONSTRAINT ${sql.ref(key.name)}`.execute(store.db)
  }
}

/** To another value that the column's type allows. */
async function change({ table, column, type }: Column, code: string): Promise<void> {
  const name = sql.ref(column)
  const value =
    type === 'text'
      ? sql`${`https://example.com/${column}`}`
      : type === 'smallint'
        ? sql`1 - coalesce(${name}, 0)`
        : sql`coalesce(${name}, 0) + 1000`
  const result = await sql`UPDATE ${sql.table(table)} SET ${name} = ${value} WHERE code = ${code}`.execute(
    store.db,
  )
  expect(result.numAffectedRows).toBe(1n)
}

type Column = { table: string; column: string; type: string }
