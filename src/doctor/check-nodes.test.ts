import { describe, expect, test } from 'bun:test'
import { useFolders } from '../../test/rigs/use-rig.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import { checkNodes } from './check-nodes.ts'

const folders = useFolders()

describe.each(enginesToTest('what tern doctor says of the names of nodes'))('on %s', (engine) => {
  test('nodes with names of their own are well', async () => {
    expect(await found([])).toEqual([
      { check: 'nodes', severity: 'ok', message: 'No node has journaled a click yet.' },
    ])
    expect(await found([...AT_WORK, ['a', 'a', false], ['a', 'before', true]])).toEqual([
      { check: 'nodes', severity: 'ok', message: 'Nodes that journal: a, b.' },
    ])
  })

  test('two of one name are reported', async () => {
    expect(await found([...AT_WORK, ['a', 'copy', false]])).toEqual([
      {
        check: 'nodes',
        severity: 'warning',
        message: expect.stringMatching(/^2 journals of nodes named a /),
      },
    ])
  })

  async function found(segments: [node: string, folder: string, isFinished: boolean][]) {
    const store = await openTestStore(folders.make(), engine)
    const rows = segments.map(([node, folder, isFinished], i) => ({
      segment: String(i),
      node,
      folder,
      previous_segment: '',
      base_count: 0,
      position: 0,
      clicks: 0,
      dead_letters: 0,
      damaged_bytes: 0,
      finished_at: isFinished ? 1 : null,
    }))
    if (rows.length > 0) await store.db.insertInto('journal_segments').values(rows).execute()
    return checkNodes(store.db).finally(() => store.close())
  }
})

/** Segments, as node, folder and whether it is counted to its end. */
const AT_WORK: [string, string, boolean][] = [
  ['a', 'a', false],
  ['b', 'b', false],
]
