import { afterAll, describe, expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/service/add-account.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import { countLinks } from '../links/lists/count-links.ts'
import { transact } from '../store/transact.ts'
import { linksOfDomains } from './links-of-domains.ts'

const folders = temporaryFolders()
afterAll(() => folders.remove())

const OWN = 6
const SHARED = 8

describe.each(enginesToTest('the links of domains'))('on %s', (engine) => {
  test('are those of the workspace alone, on the default domain too', async () => {
    const { db, reportDb, close } = await openTestStore(folders.make(), engine)
    const [{ workspaceId: one }, { workspaceId: two }] = [
      await addAccount(db, { email: 'one@example.com' }),
      await addAccount(db, { email: 'two@example.com' }),
    ]
    async function add(workspaceId: number, domainId: number, links: number): Promise<void> {
      const rows = Array.from({ length: links }, (_, i) => ({
        workspace_id: workspaceId,
        domain_id: domainId,
        title: '',
        is_active: 1,
        code: `code-${workspaceId}-${i}`,
        svc_id: `${workspaceId}-${domainId}-${i}`,
        original_url: 'https://example.com/',
        created_at: i,
        updated_at: i,
      }))
      await transact(db, async (tx) => {
        await tx.insertInto('links').values(rows).execute()
        await countLinks(tx, workspaceId, { links, active: links, archived: 0 })
      })
    }
    expect(Object.fromEntries(await linksOfDomains(reportDb, one))).toEqual({ 0: 0 })
    await add(one, 0, 3)
    await add(one, OWN, 2)
    await add(one, SHARED, 5)
    await add(two, SHARED, 7)
    expect(Object.fromEntries(await linksOfDomains(reportDb, one))).toEqual({ 0: 3, [OWN]: 2, [SHARED]: 5 })
    expect(Object.fromEntries(await linksOfDomains(reportDb, two))).toEqual({ 0: 0, [SHARED]: 7 })
    await close()
  })
})
