import { describe, expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/service/add-account.ts'
import { useSharedFolders } from '../../test/rigs/use-rig.ts'
import { openTestStore } from '../../test/rigs/store/test-store.ts'
import { Domains } from '../links/domains/domains.ts'
import { deletedLinkLines, linkLines } from './link-lines.ts'

const folders = useSharedFolders()

const DOMAIN_ID = 5

describe('lines of links', () => {
  test('links with the same code on two domains can be distinguished, and a link with a limit says how much of it is spent', async () => {
    const store = await openTestStore(folders.make())
    const { workspaceId } = await addAccount(store.db, { email: 'owner@example.com' })
    const domains = new Domains({ baseUrl: 'https://tern.example', unknownHosts: 'serve' })
    domains.replace([
      {
        id: DOMAIN_ID,
        host: 'go.example',
        isServed: true,
        workspaceId,
        isDefault: false,
        ignoresCase: false,
        pathPrefix: '',
        homeUrl: null,
        notFoundUrl: null,
        expiredUrl: null,
      },
    ])
    const link = {
      workspace_id: workspaceId,
      code: 'sale',
      svc_id: 's',
      title: '',
      created_at: 1,
      is_active: 1,
    }
    const here = { ...link, id: 1, original_url: 'https://example.com/', max_clicks: 9 }
    const there = { ...here, id: 2, domain_id: DOMAIN_ID }
    for (const row of [here, there, { ...there, id: 3, max_clicks: null }])
      await store.db
        .insertInto('links')
        .values({ ...row, updated_at: 1 })
        .execute()
    const gone = [there, { ...here, id: 3, domain_id: 0 }].map((row) => ({
      ...row,
      id: row.id + 10,
      deleted_at: 2,
    }))
    await store.db.insertInto('deleted_links').values(gone).execute()
    const openings = [2, 3, 12].map((id) => ({ link_id: id, opened: 7 }))
    await store.db.insertInto('link_openings').values(openings).execute()

    const linesOf = async (read: typeof linkLines) => {
      const { lines } = await read({ db: store.readDb, domains }, { workspaceId, after: 0 })
      return lines.map(({ id, domain, short_url: url, opened }) => [id, domain, url, opened])
    }
    expect(await linesOf(linkLines)).toEqual([
      [1, 'tern.example', 'https://tern.example/sale', 0],
      [2, 'go.example', 'https://go.example/sale', 7],
      [3, 'go.example', 'https://go.example/sale', null],
    ])
    expect(await linesOf(deletedLinkLines)).toEqual([
      [12, 'go.example', 'https://go.example/sale', 7],
      [13, 'tern.example', 'https://tern.example/sale', 0],
    ])
    await store.close()
  })
})
