import { createAccount } from '../../src/accounts/create-account.ts'
import { systemClock } from '../../src/clock.ts'
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts'
import { makeLinks } from './make-links.ts'
import { BENCH_ACCOUNT } from './tern-server.ts'

/** A data folder with so many links of the account that the server of a bench is asked by. */
export async function makeLargeStore(dataDir: string, links: number): Promise<void> {
  const store = await openSqliteStore(dataDir, 'same-thread')
  try {
    const { id } = await createAccount(
      { db: store.db, clock: systemClock },
      { ...BENCH_ACCOUNT, isVerified: true },
    )
    await makeLinks(store, { count: links, ownerOf: () => id })
  } finally {
    await store.close()
  }
}
