import { expect, test } from 'bun:test'
import { countedValues } from '../../../test/rigs/clicks/batch-counter.ts'
import { agreedCounts, countAll, forgetCounts } from '../../../test/rigs/clicks/ingest-rig.ts'
import { openReaderRig, upTo } from '../../../test/rigs/clicks/reader-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'

test('after a failover that lost the counts, nothing is taken for stored that the new server does not have', async () => {
  const folders = temporaryFolders()
  const rig = await openReaderRig(folders.make())
  await rig.journaled(upTo(10))
  const reader = rig.readerOf()
  await reader.findSegments()
  await countAll(reader)
  // The new server has none of the commits, and so none of the dimension sets either.
  await forgetCounts(rig.store.db)
  await reader.lookAgain()
  await countAll(reader)
  expect(await agreedCounts(rig.store.db)).toMatchObject({ clicks: 10 })
  expect(await countedValues(rig.store.db, 'browser')).toEqual(new Map([['Browser', 10]]))
  await rig.store.close()
  folders.remove()
})
