import { expect, test } from 'bun:test'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { Thread } from '../../runtime/thread.ts'
import { openSqliteStore, storePath } from './open-sqlite-store.ts'
import type { FromReportThread, ToReportThread } from './report-channel.ts'

const folders = useFolders()

test('the thread opens the file, answers each statement in order, and stops when it has closed', async () => {
  const dataDir = folders.make()
  const store = await openSqliteStore(dataDir, 'same-thread')
  const answers: FromReportThread[] = []
  const thread = new Thread<ToReportThread, FromReportThread>({
    name: 'report',
    file: new URL('./report-thread.ts', import.meta.url),
    onMessage: (message) => void answers.push(message),
  })
  thread.send({ kind: 'open', path: storePath(dataDir) })
  thread.send({ kind: 'query', id: 1, text: 'SELECT ? AS n', parameters: [5] })
  thread.send({ kind: 'query', id: 2, text: 'SELECT nowhere', parameters: [] })
  thread.send({ kind: 'query', id: 3, text: 'SELECT code FROM codes', parameters: [] })
  await thread.stop({ kind: 'stop' })
  expect(answers).toEqual([
    { kind: 'rows', id: 1, rows: [{ n: 5 }] },
    { kind: 'error', id: 2, error: expect.stringContaining('no such column: nowhere'), code: 'SQLITE_ERROR' },
    { kind: 'rows', id: 3, rows: [] },
  ])
  await store.close()
})
