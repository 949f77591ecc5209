import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { openTestStore } from '../../../test/rigs/store/test-store.ts'
import { realFiles } from '../journal/files.ts'
import { otherNodes } from './other-nodes.ts'

const folders = useFolders()

test('nodes are elsewhere that have a segment which is neither counted to its end nor in the folder', async () => {
  const folder = folders.make()
  const store = await openTestStore(folders.make())
  const counts = { base_count: 0, position: 64, clicks: 0, dead_letters: 0, damaged_bytes: 0 }
  const segment = (name: string, node: string, finished_at: number | null) => ({
    segment: name,
    node,
    previous_segment: '',
    finished_at,
    folder: '',
    ...counts,
  })
  await store.db
    .insertInto('journal_segments')
    .values([
      segment('a', 'here', null),
      segment('b', 'there', null),
      segment('c', 'there', null),
      segment('d', 'done', 1),
      segment('e', 'another', null),
    ])
    .execute()
  writeFileSync(join(folder, 'a.journal'), '')
  expect(await otherNodes({ db: store.db, files: realFiles }, folder)).toEqual(['another', 'there'])
  expect(await otherNodes({ db: store.db, files: realFiles }, join(folder, 'none'))).toEqual([
    'another',
    'here',
    'there',
  ])
  await store.close()
})
