import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addAccount } from '../../../test/rigs/service/add-account.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'
import { useSharedFolders } from '../../../test/rigs/use-rig.ts'
import { openTestStore } from '../../../test/rigs/store/test-store.ts'
import type { Store } from '../../store/open-store.ts'
import { NO_DOMAIN } from './domain-hosts.ts'
import { Domains } from './domains.ts'
import { keysOf } from './key-of.ts'
import { readDomains } from './read-domains.ts'

const folders = useSharedFolders()

describe('the domain of a code', () => {
  let store: Store
  let owner: number
  let stranger: number
  const domains = new Domains({ baseUrl: 'https://tern.example', unknownHosts: 'serve' })

  beforeAll(openWithDomains)
  afterAll(() => store.close())

  test('is the one that is named', async () => {
    expect(await idsOf(owner, ['everywhere', 'one'], 'go.example')).toEqual([5, 5])
    expect(await idsOf(owner, ['everywhere'], 'TERN.example')).toEqual([0])
    expect(await idsOf(owner, ['one'], 'not-yet.example')).toEqual([NO_DOMAIN])
    expect(await idsOf(stranger, ['one'], 'go.example')).toEqual([NO_DOMAIN])
  })

  test('is, of several with that host, the one that has the code', async () => {
    expect(await idsOf(owner, ['since', 'before', 'nowhere'], 'again.example')).toEqual([9, 8, 9])
  })

  test('is else the default of the workspace, then that of BASE_URL, then the first that has the code', async () => {
    expect(await idsOf(owner, ['everywhere', 'two', 'one', 'nowhere', 'foreign'])).toEqual([6, 0, 5, 6, 6])
    expect(await idsOf(stranger, ['everywhere', 'foreign'])).toEqual([0, 0])
  })

  async function openWithDomains(): Promise<void> {
    store = await openTestStore(folders.make())
    const { db } = store
    owner = (await addAccount(db, { email: 'first@example.com' })).workspaceId
    stranger = (await addAccount(db, { email: 'second@example.com' })).workspaceId
    const own = { workspace_id: owner, verified_at: 1 }
    await db
      .insertInto('domains')
      .values([
        { id: 5, host: 'go.example', name: 'go.example', ...own },
        { id: 6, host: 'buy.example', name: 'buy.example', ...own },
        { id: 7, name: 'not-yet.example', workspace_id: owner },
        { id: 9, host: 'again.example', name: 'again.example', ...own },
      ])
      .execute()
    const shared = { id: 8, name: 'again.example', is_shared: 1, verified_at: 1, removed_at: 1 }
    await db.insertInto('domains').values(shared).execute()
    await db.updateTable('workspaces').set({ default_domain_id: 6 }).where('id', '=', owner).execute()
    const codes: [string, number, number][] = [
      ['everywhere', 0, owner],
      ['everywhere', 5, owner],
      ['everywhere', 6, owner],
      ['two', 0, owner],
      ['two', 5, owner],
      ['one', 5, owner],
      ['foreign', 0, stranger],
      ['before', 8, owner],
      ['since', 9, owner],
    ]
    await db
      .insertInto('codes')
      .values(codes.map(([code, domain_id, workspace_id]) => ({ code, domain_id, workspace_id })))
      .execute()
    domains.replace(await readDomains(db))
  }

  const idsOf = async (workspaceId: number, codes: string[], domain?: string) => {
    const deps = { db: store.db, domains }
    const keys = await keysOf(deps, ownerOf(workspaceId), { codes, domain })
    expect(keys.map(({ code }) => code)).toEqual(codes)
    return keys.map(({ domainId }) => domainId)
  }
})
