import { openStore, type Store } from '../../../src/store/open-store.ts'
import { NOON_US } from '../clicks/journal-rig.ts'
import type { PostgresServer } from './postgres-server.ts'
import { testPlace } from './test-store.ts'
import { addAccount } from '../service/add-account.ts'

/**
 * A new store in PostgreSQL, with two accounts: the operator's, 1, and 2, which has a link for each code. On the server of
 * all suites, or on one that the suite may stop.
 */
export async function openLinkedStore(codes: readonly string[], server?: PostgresServer) {
  const own = async () => ({ dataDir: '', databaseUrl: await server!.makeDatabase() })
  const place = await (server === undefined ? testPlace(crypto.randomUUID(), 'postgres') : own())
  const store = await openStore(place, 'same-thread')
  for (const name of ['operator', 'owner'])
    await addAccount(store.db, {
      name,
      email: `${name}@example.org`,
      role: name === 'operator' ? 'admin' : 'user',
    })
  for (const code of codes) await addLink(store, code)
  return { store, url: place.databaseUrl!, addLink: (code: string) => addLink(store, code) }
}

export type LinkedStore = Awaited<ReturnType<typeof openLinkedStore>>

async function addLink({ db }: Store, code: string): Promise<void> {
  const times = { created_at: NOON_US, updated_at: NOON_US }
  const original_url = `https://example.com/${code}`
  const row = {
    workspace_id: 2,
    code,
    svc_id: '',
    original_url,
    target_url: null,
    title: '',
    is_active: 1,
    ...times,
  }
  const { id } = await db.insertInto('links').values(row).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('codes').values({ code, workspace_id: 2, link_id: id }).execute()
}
