import { kyselyOf } from '../handles.ts'
import { afterEach, expect, test } from 'bun:test'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { openTestStore } from '../../../test/rigs/test-store.ts'
import { up } from './0006-hours-of-link-days.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

test.each([
  ['nothing is summed up yet', [0, 0], [0, 0]],
  ['all days up to one are', [20_000, 20_000], [480_024, 480_024]],
  ['the next one is being summed up', [20_000, 20_001], [480_024, 480_048]],
])('where %s, that stays so', async (...[, [summed_to, begun_to], [summedTo, begunTo]]) => {
  const store = await openTestStore(folders.make())
  await store.db.updateTable('link_days_progress').set({ summed_to, begun_to }).execute()
  await up(kyselyOf(store.db))
  expect(await store.db.selectFrom('link_days_progress').selectAll().execute()).toEqual([
    { summed_to: summedTo!, begun_to: begunTo! },
  ])
  await store.close()
})
