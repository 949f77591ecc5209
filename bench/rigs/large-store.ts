import { createAccount } from '../../src/users/sign-up/create-account.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { makeLinks } from './make-links.ts'
import { BENCH_ACCOUNT } from './tern-server.ts'

/** A data folder with this many links of the bench's account. Gives the ID of its workspace. */
export async function makeLargeStore(dataDir: string, links: number): Promise<number> {
  const store = await openSqliteStore(dataDir, 'same-thread')
  try {
    const { workspaceId } = await createAccount(
      { db: store.db, clock: systemClock },
      { ...BENCH_ACCOUNT, isVerified: true },
    )
    await makeLinks(store, { count: links, ownerOf: () => workspaceId })
    return workspaceId
  } finally {
    await store.close()
  }
}
