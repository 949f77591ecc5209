import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { appendFileSync, readFileSync } from 'node:fs'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { openTestStore } from '../../../test/rigs/store/test-store.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import type { Store } from '../../store/open-store.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import { claimRecord, HEAD_BYTES } from './code-log-record.ts'
import { type LogFile, openLogFile } from './log-file.ts'
import { NodeCodeLog } from './node-code-log.ts'
import { codeLogPath } from './read-code-log.ts'

const folders = temporaryFolders()
let dataDir: string
let store: Store
let log: ReturnType<typeof recordingLog>

beforeEach(openStore)

afterEach(async () => {
  await store.close()
  folders.remove()
})

describe('a claim', () => {
  test('is on the disk when it is kept, and those that come together share a sync', async () => {
    let syncs = 0
    const codeLog = openLog((path) => {
      const file = openLogFile(path)
      return { ...file, sync: () => (syncs++, file.sync()) }
    })
    await codeLog.ready()
    await codeLog.keep([claim('first')])
    expect([lines(), syncs]).toEqual([claimRecord(claim('first')), 1])
    await Promise.all(['a1', 'b2', 'c3'].map((code) => codeLog.keep([claim(code)])))
    expect(lines().split('\n')).toHaveLength(5)
    expect(syncs).toBeLessThanOrEqual(3)
    await codeLog.close()
  })

  test('is refused when the disk refuses, and the next one opens the log again', async () => {
    let isFull = true
    const failing = (path: string): LogFile => {
      const file = openLogFile(path)
      const write: LogFile['write'] = (bytes, at) => (isFull ? 0 : file.write(bytes, at))
      return { ...file, write }
    }
    const codeLog = openLog(failing)
    await codeLog.ready()
    await expect(codeLog.keep([claim('refused')])).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(codeLog.keep([claim('closed')])).rejects.toBeInstanceOf(StoreUnavailable)
    isFull = false
    await addCode('taken')
    await codeLog.ready()
    await codeLog.keep([claim('taken')])
    expect(lines()).toBe(claimRecord(claim('taken')))
    await codeLog.close()
  })
})

describe('what the database has lost', () => {
  test('is blocked at the start, counted in the log of the program, and not looked at twice', async () => {
    const codeLog = openLog()
    await codeLog.ready()
    for (const code of ['kept', 'lost-1', 'lost-2']) await codeLog.keep([claim(code)])
    await addCode('kept')
    // Killed: it has not said how far database and log agree.
    const again = openLog()
    await again.ready()
    expect(await codes()).toEqual([
      ['kept', false],
      ['lost-1', true],
      ['lost-2', true],
    ])
    expect(log.lines.map(({ message, fields }) => [message, fields])).toEqual([
      ['The database lost acknowledged links; their codes are now blocked.', { links: 2 }],
    ])
    await again.close()
    await codeLog.close()
    await openLog().ready()
    expect(log.lines).toHaveLength(1)
  })

  test('is blocked as soon as another server has taken over', async () => {
    const codeLog = openLog()
    await codeLog.ready()
    await codeLog.keep([claim('gone')])
    await codeLog.blockLost()
    expect(await codes()).toEqual([['gone', true]])
    await codeLog.close()
  })

  test('is found in the logs of processes that are no more, too', async () => {
    const left = folders.make()
    const before = new NodeCodeLog({ db: store.db, log }, [left])
    await before.ready()
    await before.keep([claim('left')])
    const codeLog = new NodeCodeLog({ db: store.db, log }, [dataDir, left])
    await codeLog.ready()
    expect(await codes()).toEqual([['left', true]])
    await codeLog.close()
  })
})

test('half a line at the end is of a claim that nobody heard of', async () => {
  const codeLog = openLog()
  await codeLog.ready()
  await addCode('whole')
  await codeLog.keep([claim('whole')])
  appendFileSync(codeLogPath(dataDir), claimRecord(claim('half')).slice(0, -4))
  const again = openLog()
  await again.ready()
  await addCode('next')
  await again.keep([claim('next')])
  expect(lines()).toBe(claimRecord(claim('whole')) + claimRecord(claim('next')))
  await again.close()
  await codeLog.close()
})

async function openStore(): Promise<void> {
  dataDir = folders.make()
  store = await openTestStore(folders.make())
  log = recordingLog()
}

const claim = (code: string, linkId = 1) => ({ domainId: 0, code, workspaceId: 0, linkId })
const openLog = (openFile = openLogFile) => new NodeCodeLog({ db: store.db, log, openFile }, [dataDir])
const lines = () => readFileSync(codeLogPath(dataDir), 'latin1').slice(HEAD_BYTES)
const addCode = (code: string) => store.db.insertInto('codes').values({ code, workspace_id: null }).execute()
const codes = async () =>
  (await store.db.selectFrom('codes').select(['code', 'lost_at']).orderBy('code').execute()).map(
    ({ code, lost_at: lostAt }) => [code, lostAt !== null],
  )
