import { expect } from 'bun:test'
import {
  CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { testOnSqlite, useTestStore } from '../../test/rigs/store/test-store.ts'
import { type CurrentDb, handleOn } from '../store/handles.ts'
import { findAllKeys } from './find-link.ts'

const store = useTestStore()
const CODES = 100

testOnSqlite('the links of many codes are found by their codes, in a workspace of any size', async () => {
  const queries: CompiledQuery[] = []
  const keys = Array.from({ length: CODES }, (_, at) => ({ domainId: 0, code: `code-${at}` }))
  await findAllKeys(recordingDb(queries), { workspaceId: 1 } as never, keys)
  expect(await Promise.all(queries.map(planOf))).toEqual([
    [
      'SEARCH asked USING PRIMARY KEY (code=? AND domain_id>? AND domain_id<?)',
      'SEARCH links USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH codes USING COVERING INDEX codes_of_link (link_id=?)',
    ],
  ])
})

async function planOf({ sql, parameters }: CompiledQuery): Promise<string[]> {
  const explain = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters])
  const { rows } = await store.db.executeQuery<{ detail: string }>(explain)
  return rows.map(({ detail }) => detail)
}

/** Keeps the queries instead of running them: every table is empty. */
function recordingDb(queries: CompiledQuery[]): CurrentDb {
  class Recorder extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      const connection = await super.acquireConnection()
      const executeQuery = async (query: CompiledQuery) => {
        queries.push(query)
        return { rows: [] }
      }
      return Object.assign(connection, { executeQuery })
    }
  }
  return handleOn({
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new Recorder(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  })
}
