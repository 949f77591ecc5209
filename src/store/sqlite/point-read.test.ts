import { expect, test } from 'bun:test'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { openSqliteStore, storePath } from './open-sqlite-store.ts'
import { openPointRead } from './point-read.ts'

const folders = useFolders()

test('a point read gives the row that is committed, or undefined', async () => {
  const dataDir = folders.make()
  const store = await openSqliteStore(dataDir, 'same-thread')
  const codes = openPointRead<{ workspace_id: number | null }>(
    storePath(dataDir),
    'SELECT workspace_id FROM codes WHERE code = ?',
  )
  expect(codes.get('abc')).toBeUndefined()
  await store.db.insertInto('codes').values({ code: 'abc', workspace_id: null }).execute()
  expect(codes.get('abc')).toEqual({ workspace_id: null })
  expect(codes.get('ABC')).toBeUndefined()
  await store.db.deleteFrom('codes').execute()
  expect(codes.get('abc')).toBeUndefined()
  codes.close()
  await store.close()
})
