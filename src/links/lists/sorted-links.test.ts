import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AccountRig, openAccountRig } from '../../../test/rigs/service/account-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { manualClock } from '../../runtime/clock.ts'
import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { openLinkList } from './link-list.ts'
import type { LinkFilters } from './list-parameters.ts'
import { sortedIds } from './sorted-links.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'

const folders = temporaryFolders()
/** Of the links 1 to 12; undefined: never clicked. Those with 0 had bots only, and every third is switched off. */
const CLICKS = [5, undefined, 0, 7, 5, undefined, 1, undefined, 7, 0, 2, undefined]
let rig: AccountRig

beforeAll(async () => {
  rig = await openAccountRig(folders.make())
  const { workspaceId: own } = await rig.makeAccount()
  const { workspaceId: others } = await rig.makeAccount({ email: 'bob@example.com' })
  for (const [i, clicks] of [...CLICKS, 100].entries()) {
    const workspace_id = i < CLICKS.length ? own : others
    const code = `code-${i + 1}`
    await rig.db.insertInto('codes').values({ code, workspace_id }).execute()
    const texts = { svc_id: 'svc', original_url: 'https://example.com/', target_url: null, title: '' }
    await rig.db
      .insertInto('links')
      .values({ ...texts, workspace_id, code, is_active: i % 3 === 2 ? 0 : 1, created_at: i, updated_at: i })
      .execute()
    if (clicks === undefined) continue
    const counts = { clicks, visitors: 1, bots: 1, last_clicked_at: null }
    await rig.db
      .insertInto('link_totals')
      .values({ ...counts, link_id: i + 1, workspace_id })
      .execute()
  }
  // Deleted since, with more clicks than all others.
  const deleted = {
    link_id: 99,
    workspace_id: own,
    clicks: 1_000,
    visitors: 1,
    bots: 0,
    last_clicked_at: null,
  }
  await rig.db.insertInto('link_totals').values(deleted).execute()
})
afterAll(async () => {
  await rig.store.close()
  folders.remove()
})

const numbers = CLICKS.map((_, i) => i + 1)
const byClicksAndAge = (a: number, b: number) => (CLICKS[b - 1] ?? 0) - (CLICKS[a - 1] ?? 0) || b - a

test.each([
  ['all', undefined],
  ['active', 'active'],
  ['disabled', 'disabled'],
] as const)(
  'every slice of %s links has the right ones, by clicks and then by age, both ways',
  async (_, status) => {
    const wanted = numbers.filter((id) => status === undefined || (status === 'active') === (id % 3 !== 0))
    const filters: LinkFilters = { archived: 'include', ...(status && { status: [status] }) }
    const deps = { db: rig.store.readDb, clock: manualClock(1), domains: noOtherDomains() }
    const list = await openLinkList(deps, ownerOf(1), { search: '', filters })
    for (const direction of ['desc', 'asc'] as const) {
      const sorted = wanted.toSorted((a, b) => byClicksAndAge(a, b) * (direction === 'desc' ? 1 : -1))
      for (let limit = 1; limit <= 5; limit++) {
        for (let offset = 0; offset <= CLICKS.length; offset++) {
          const ids = await sortedIds(list, { order: { sort: 'clicks', direction }, limit, offset })
          expect([limit, offset, ids]).toEqual([limit, offset, sorted.slice(offset, offset + limit)])
        }
      }
    }
  },
)
