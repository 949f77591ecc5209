import { expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import { jsonLog } from '../../runtime/log.ts'
import { systemClock } from '../../runtime/clock.ts'
import { openSqliteStore, storePath } from '../../store/sqlite/open-sqlite-store.ts'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { openRouteSource } from './route-source.ts'

const folders = useFolders()

test('a database file that can no longer be read makes a link unavailable, and is not an unexpected error', async () => {
  const dataDir = folders.make()
  await (await openSqliteStore(dataDir, 'same-thread')).close()
  const source = await openRouteSource(
    { dataDir },
    { clock: systemClock, log: jsonLog('silent', 'redirect') },
  )
  const path = storePath(dataDir)
  writeFileSync(path, Buffer.alloc(statSync(path).size, 0x5a))
  await expect(source.routes.get({ domainId: 0, code: 'abc' })).rejects.toBeInstanceOf(StoreUnavailable)
  await source.close()
})
