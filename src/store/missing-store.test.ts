import { expect, test } from 'bun:test'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { useFolders } from '../../test/rigs/use-rig.ts'
import { refuseMissingStore } from './missing-store.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'

const folders = useFolders()

test('a folder without a database is refused and left as it is, one with a database is not', async () => {
  const dataDir = join(folders.make(), 'data')
  const refusal = `There is no database in ${dataDir}. Check DATA_DIR. On a new installation, tern serve creates it.`
  expect(refuseMissingStore({ dataDir })).rejects.toThrow(refusal)
  expect(existsSync(dataDir)).toBe(false)
  mkdirSync(dataDir)
  expect(refuseMissingStore({ dataDir })).rejects.toThrow(refusal)
  await (await openSqliteStore(dataDir, 'same-thread')).close()
  await refuseMissingStore({ dataDir })
})
