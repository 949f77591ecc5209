import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AccountRig, openAccountRig } from '../../../test/rigs/account-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { sql } from 'kysely'
import { nearSortedIds, sortedIds } from './sorted-links.ts'
import { ownerOf } from '../../../test/rigs/owner-of.ts'

const folders = temporaryFolders()
/** Of the links 1 to 12; undefined: never clicked. Those with 0 had bots only, and every third is switched off. */
const CLICKS = [5, undefined, 0, 7, 5, undefined, 1, undefined, 7, 0, 2, undefined]
let rig: AccountRig

beforeAll(async () => {
  rig = await openAccountRig(folders.make())
  const { workspaceId: own } = await rig.makeAccount()
  const { workspaceId: others } = await rig.makeAccount({ email: 'bob@example.com' })
  for (const [i, clicks] of [...CLICKS, 100].entries()) {
    const account_id = i < CLICKS.length ? own : others
    const code = `code-${i + 1}`
    await rig.db.insertInto('codes').values({ code, account_id }).execute()
    const texts = { svc_id: 'svc', original_url: 'https://example.com/', target_url: null, title: '' }
    await rig.db
      .insertInto('links')
      .values({ ...texts, account_id, code, is_active: i % 3 === 2 ? 0 : 1, created_at: i, updated_at: i })
      .execute()
    if (clicks === undefined) continue
    const counts = { clicks, visitors: 1, bots: 1, last_clicked_at: null }
    await rig.db
      .insertInto('link_totals')
      .values({ ...counts, link_id: i + 1, account_id })
      .execute()
  }
  // Deleted since, with more clicks than all others.
  const deleted = { link_id: 99, account_id: own, clicks: 1_000, visitors: 1, bots: 0, last_clicked_at: null }
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
  ['active', true],
  ['inactive', false],
] as const)(
  'every slice of %s links has the right ones, by clicks and then by age, both ways',
  async (_, isActive) => {
    const wanted = numbers.filter((id) => isActive === undefined || isActive === (id % 3 !== 0))
    for (const direction of ['desc', 'asc'] as const) {
      const sorted = wanted.toSorted((a, b) => byClicksAndAge(a, b) * (direction === 'desc' ? 1 : -1))
      for (let limit = 1; limit <= 5; limit++) {
        for (let offset = 0; offset <= CLICKS.length; offset++) {
          const ids = await sortedIds(rig.store.readDb, ownerOf(1), {
            order: { sort: 'clicks', direction },
            where: isActive === undefined ? undefined : sql<boolean>`links.is_active = ${Number(isActive)}`,
            limit,
            offset,
          })
          expect([limit, offset, ids]).toEqual([limit, offset, sorted.slice(offset, offset + limit)])
        }
      }
    }
  },
)

test('a slice among the first links of all is that of the whole list, and one that may reach further is not given', async () => {
  const clicked = numbers.filter((id) => (CLICKS[id - 1] ?? 0) > 0).toSorted(byClicksAndAge)
  const where = sql<boolean>`links.is_active = 1`
  for (let within = 1; within <= CLICKS.length; within++) {
    const near = clicked.slice(0, within).filter((id) => id % 3 !== 0)
    for (let limit = 1; limit <= 6; limit++) {
      for (let offset = 0; offset <= 3; offset++) {
        const view = { order: { sort: 'clicks', direction: 'desc' }, where, within, limit, offset } as const
        const ids = await nearSortedIds(rig.store.readDb, ownerOf(1), view)
        const wanted = offset + limit <= near.length ? near.slice(offset, offset + limit) : undefined
        expect([within, limit, offset, ids]).toEqual([within, limit, offset, wanted])
      }
    }
  }
})
