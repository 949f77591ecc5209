import { openStore, type Store } from '../../src/store/open-store.ts'
import { NOON_US } from './journal-rig.ts'
import type { PostgresServer } from './postgres-server.ts'
import { testPlace } from './test-store.ts'

/**
 * A new store in PostgreSQL, with two accounts: the operator's, 1, and 2, which has a link for each code. On the server of
 * all suites, or on one that the suite may stop.
 */
export async function openLinkedStore(codes: readonly string[], server?: PostgresServer) {
  const own = async () => ({ dataDir: '', databaseUrl: await server!.makeDatabase() })
  const place = await (server === undefined ? testPlace(crypto.randomUUID(), 'postgres') : own())
  const store = await openStore(place, 'same-thread')
  for (const name of ['operator', 'owner']) await addAccount(store, name)
  for (const code of codes) await addLink(store, code)
  return { store, url: place.databaseUrl!, addLink: (code: string) => addLink(store, code) }
}

async function addAccount({ db }: Store, name: string): Promise<void> {
  const email = `${name}@example.org`
  const nothing = { password_hash: '', email_verified_at: null, subscription_expires_at: null }
  const row = { name, email, plan: 'free', subscription_status: 'active', created_at: NOON_US, ...nothing }
  await db
    .insertInto('accounts')
    .values({ ...row, role: name === 'operator' ? 'admin' : 'user' })
    .execute()
}

async function addLink({ db }: Store, code: string): Promise<void> {
  await db.insertInto('codes').values({ code, account_id: 2 }).execute()
  const times = { created_at: NOON_US, updated_at: NOON_US }
  const original_url = `https://example.com/${code}`
  const row = {
    account_id: 2,
    code,
    svc_id: '',
    original_url,
    target_url: null,
    title: '',
    is_active: 1,
    ...times,
  }
  await db.insertInto('links').values(row).execute()
}
