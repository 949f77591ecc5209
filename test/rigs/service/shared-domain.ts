import { readConfig } from '../../../src/config/config.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { testSettings } from '../store/test-store.ts'

type Pages = { home_url?: string; not_found_url?: string; expired_url?: string }

/** Settings of a store in which the operator offers a domain to every workspace. */
export async function settingsWithDomain(
  folder: string,
  host: string,
  pages: Pages = {},
): Promise<Record<string, string>> {
  const settings = await testSettings(folder)
  const store = await openStore(readConfig(settings), 'same-thread')
  const row = { host, name: host, is_shared: 1, verified_at: 1, ...pages }
  await store.db.insertInto('domains').values(row).execute()
  await store.close()
  return settings
}
