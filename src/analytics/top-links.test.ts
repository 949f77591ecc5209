import { beforeEach, expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { aFact, insertFacts, queriesOf } from '../../test/rigs/clicks/fact-rows.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { HOUR_US, quarterOf } from '../runtime/clock.ts'
import { cutStretch } from './time-range.ts'
import { topLinks } from './top-links.ts'

const rig = useAccountRig()
let workspaceId: number
let strangerId: number

beforeEach(async () => {
  workspaceId = (await rig.makeAccount()).workspaceId
  strangerId = (await rig.makeAccount({ email: 'bob@example.com' })).workspaceId
})

test('the links with the most clicks in the range come first, whatever they had before', async () => {
  await make([
    { id: 1, clicksEver: 1_000 },
    { id: 2, clicksEver: 500, clicks: 3 },
    { id: 3, clicksEver: 40, clicks: 20 },
    { id: 4, clicksEver: 20, clicks: 20 },
    { id: 5, clicksEver: 0 },
  ])
  expect(await counted(24)).toEqual([
    [4, 20],
    [3, 20],
    [2, 3],
  ])
  expect((await counted(1_000)).map(([id]) => id)).toEqual([1, 2, 3, 4])
  expect((await top(24, 1))[0]).toEqual({
    id: 4,
    domainId: 0,
    code: 'link-4',
    title: 'Title 4',
    createdAtUs: 5,
    clicks: 20,
  })
})

test('links of others, and deleted ones, are not among them', async () => {
  await make([
    { id: 1, clicksEver: 9, clicks: 9, owner: strangerId },
    { id: 2, clicksEver: 8, clicks: 8, isDeleted: true },
    { id: 3, clicksEver: 7, clicks: 7 },
  ])
  expect(await counted(24)).toEqual([[3, 7]])
})

test('a link is found behind hundreds that had more clicks once', async () => {
  const old = Array.from({ length: 250 }, (_, at) => ({
    id: at + 1,
    // Some as many, so that a page ends among them.
    clicksEver: 100 + Math.floor(at / 3),
    clicks: at % 2,
  }))
  await make([...old, { id: 300, clicksEver: 60, clicks: 60 }])
  expect((await counted(24, 2))[0]).toEqual([300, 60])
})

type Made = { id: number; clicksEver: number; clicks?: number; owner?: number; isDeleted?: boolean }

/** `clicks`: in the last hour; the others were long ago. */
async function make(all: Made[]) {
  for (const { id, clicksEver, clicks = 0, owner = workspaceId, isDeleted = false } of all) {
    const code = `link-${id}`
    if (!isDeleted) {
      await rig.db.insertInto('codes').values({ code, workspace_id: owner }).execute()
      await rig.db
        .insertInto('links')
        .values({
          id,
          workspace_id: owner,
          code,
          svc_id: code,
          original_url: 'https://example.com/',
          target_url: null,
          title: `Title ${id}`,
          is_active: 1,
          created_at: 5,
          updated_at: 5,
        })
        .execute()
    }
    const counts = { visitors: 0, bots: 0 }
    const last_clicked_at = clicks > 0 ? NOON_US : NOON_US - 900 * HOUR_US
    await rig.db
      .insertInto('link_totals')
      .values({ ...counts, link_id: id, workspace_id: owner, clicks: clicksEver, last_clicked_at })
      .execute()
    const ofLink = { ...counts, link_id: id, workspace_id: owner, workspace_visitors: 0 }
    await insertFacts(rig.store.relaxedDb, [
      aFact({ ...ofLink, clicks }),
      aFact({ ...ofLink, clicks: clicksEver - clicks, clicked_at: NOON_US - 900 * HOUR_US }),
    ])
  }
}

const top = async (hours: number, limit = 10) => {
  const range = cutStretch({
    fromQuarter: quarterOf(NOON_US - (hours - 1) * HOUR_US),
    toQuarter: quarterOf(NOON_US + HOUR_US),
    timezone: 'UTC',
    granularity: undefined,
  })
  return (await topLinks(queriesOf(rig.store), { workspaceId }, { range, limit })).links
}
const counted = async (hours: number, limit?: number) =>
  (await top(hours, limit)).map(({ id, clicks }) => [id, clicks])
