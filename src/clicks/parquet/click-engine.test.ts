import { expect, test } from 'bun:test'
import { START_US, useClickStore } from '../../../test/rigs/clicks/click-store-rig.ts'
import { HOUR_US } from '../../runtime/clock.ts'

const store = useClickStore()

const counts = (clicks: number, visitors = clicks, bots = 0) => ({
  clicks,
  visitors,
  workspace_visitors: visitors,
  bots,
})

test('an empty store is answered with zeros and no rows', async () => {
  expect(await store.rig.query({ groups: [{ by: 'total' }, { by: 'country', top: 10 }, { by: 'quarter' }] })).toEqual({
    upToId: 0,
    missingFiles: [],
    groups: [[{ value: null, ...counts(0) }], [], []],
  })
})

test('clicks count once, whether they are open, closed, or closed between two queries', async () => {
  store.rig.add([{ country: 'DE' }, { country: 'DE', visitors: 0, workspace_visitors: 0 }, { country: 'FR' }])
  const query = { groups: [{ by: 'country' as const, top: 10 }] }
  const expected = [
    { value: 'DE', clicks: 2, visitors: 1, workspace_visitors: 1, bots: 0 },
    { value: 'FR', ...counts(1) },
  ]
  expect(await store.rig.query(query)).toEqual({ upToId: 3, missingFiles: [], groups: [expected] })
  await store.rig.closeUpTo(2)
  expect(await store.rig.query(query)).toEqual({ upToId: 3, missingFiles: [], groups: [expected] })
  await store.rig.closeUpTo()
  expect(await store.rig.query(query)).toEqual({ upToId: 3, missingFiles: [], groups: [expected] })
  store.rig.add([{ country: 'FR', clicked_at: START_US + HOUR_US }, { country: 'FR' }])
  expect((await store.rig.query(query)).groups[0]).toEqual([
    { value: 'FR', ...counts(3) },
    { value: 'DE', clicks: 2, visitors: 1, workspace_visitors: 1, bots: 0 },
  ])
})
