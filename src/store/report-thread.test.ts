import { afterEach, expect, test } from 'bun:test'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openSqliteStore, storePath } from './open-sqlite-store.ts'
import type { ReportAnswer, ReportMessage } from './report-line.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

test('the thread opens the file, answers each statement in order, and says when it has closed', async () => {
  const dataDir = folders.make()
  const store = await openSqliteStore(dataDir, 'same-thread')
  const thread = new Worker(new URL('./report-thread.ts', import.meta.url).href)
  const answers: ReportAnswer[] = []
  const closed = Promise.withResolvers<void>()
  thread.onmessage = ({ data }: MessageEvent<ReportAnswer>) => {
    answers.push(data)
    if (data === 'closed') closed.resolve()
  }
  const messages: ReportMessage[] = [
    { path: storePath(dataDir) },
    { id: 1, text: 'SELECT ? AS n', parameters: [5] },
    { id: 2, text: 'SELECT nowhere', parameters: [] },
    { id: 3, text: 'SELECT code FROM codes', parameters: [] },
    'close',
  ]
  for (const message of messages) thread.postMessage(message)
  await closed.promise
  expect(answers).toEqual([
    { id: 1, rows: [{ n: 5 }] },
    { id: 2, error: expect.stringContaining('no such column: nowhere') },
    { id: 3, rows: [] },
    'closed',
  ])
  thread.terminate()
  await store.close()
})
