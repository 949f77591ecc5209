import { until } from '../../../test/rigs/eventually.ts'
import { transact } from '../../store/transact.ts'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import type { Store } from '../../store/open-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import { jsonLog } from '../../runtime/log.ts'
import { CodeLog } from './code-log.ts'
import { type LogFile, openLogFile } from './log-file.ts'
import { openCodeLog } from './open-code-log.ts'
import { codeLogPath } from './read-code-log.ts'

const folders = temporaryFolders()
let dataDir: string
let store: Store
let codeLog: CodeLog
/** What the next call of the name does in place of its work. */
let errors: Partial<Record<keyof LogFile, () => never | Promise<never> | number>>

beforeEach(openLog)
afterEach(closeLog)

describe('the code log', () => {
  test('has every code before its transaction is acknowledged, and the store agrees with all of it', async () => {
    await claim('one', 1)
    expect(logged()).toEqual(['0 1 one'])
    await claim('two', 2)
    expect(logged()).toEqual(['0 1 one', '0 2 two'])
    expect(await position()).toBe(size())
  })

  test('is written once and synced once for all transactions of one group', async () => {
    let [writes, syncs] = [0, 0]
    const file = openLogFile(codeLogPath(dataDir))
    codeLog.close()
    codeLog = new CodeLog(
      async () => ({ log: '', path: codeLogPath(dataDir), end: size() }),
      () => ({
        ...file,
        write: (bytes, at) => (writes++, file.write(bytes, at)),
        sync: () => (syncs++, file.sync()),
      }),
    )
    await store.close()
    store = await openSqliteStore(dataDir, 'same-thread', { commitHook: codeLog })
    await codeLog.ready()
    await Promise.all([1, 2, 3, 4].map((id) => claim(`code-${id}`, id)))
    expect(logged()).toHaveLength(4)
    expect([writes, syncs]).toEqual([1, 1])
  })

  test('is not touched by transactions that claim nothing', async () => {
    const before = readFileSync(codeLogPath(dataDir))
    await store.db.insertInto('codes').values({ code: 'past-it', workspace_id: null }).execute()
    expect(readFileSync(codeLogPath(dataDir))).toEqual(before)
  })

  test('that cannot be written refuses the whole group, keeps nothing of it, and goes on by itself', async () => {
    await claim('before', 1)
    const bytes = readFileSync(codeLogPath(dataDir))
    errors.write = eio
    const ends = await Promise.allSettled([claim('a', 2), claim('b', 3)])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(ends.every((end) => end.status === 'rejected' && isStoreUnavailable(end.reason))).toBe(true)
    expect(await known()).toEqual(['before'])
    expect(readFileSync(codeLogPath(dataDir))).toEqual(bytes)
    await claim('a', 2)
    expect(logged()).toEqual(['0 1 before', '0 2 a'])
  })

  test('is written to the end where the disk takes less than it was given, and a disk that takes nothing refuses', async () => {
    errors.write = () => 0
    await expect(claim('a', 1)).rejects.toThrow('The code log cannot be written.')
    expect(logged()).toEqual([])
    const writes: number[] = []
    const file = openLogFile(codeLogPath(dataDir))
    codeLog.close()
    codeLog = new CodeLog(
      async () => ({ log: '', path: codeLogPath(dataDir), end: size() }),
      () => ({
        ...file,
        write(bytes, at) {
          const written = file.write(bytes.subarray(0, 5), at)
          writes.push(written)
          return written
        },
      }),
    )
    await store.close()
    store = await openSqliteStore(dataDir, 'same-thread', { commitHook: codeLog })
    await codeLog.ready()
    await claim('in-pieces', 7)
    expect(logged()).toEqual(['0 7 in-pieces'])
    expect(writes.length).toBeGreaterThan(4)
  })

  test('forgets what it has written when the commit fails, also where it cannot be cut back', async () => {
    await claim('before', 1)
    for (const cut of [undefined, eio]) {
      if (cut !== undefined) errors.truncate = cut
      const failing = transact(store.db, async (tx) => {
        // So that the commit fails, and not the statement.
        await sql`PRAGMA defer_foreign_keys = ON`.execute(tx)
        await tx
          .insertInto('workspace_link_counts')
          .values({ workspace_id: 1, shard: 0, links: 1, active_links: 1 })
          .execute()
        codeLog.note([{ domainId: 0, code: 'lost-long-code', workspaceId: 0, linkId: 2 }])
      })
      await expect(failing).rejects.toThrow()
    }
    await claim('c', 2)
    expect(logged().slice(0, 2)).toEqual(['0 1 before', '0 2 c'])
    expect(await known()).toEqual(['before', 'c'])
  })

  test('that the disk refuses to sync acknowledges nothing, and is rewritten from the store before it goes on', async () => {
    await claim('before', 1)
    errors.sync = async () => eio()
    await expect(claim('unsure', 2)).rejects.toThrow('The code log cannot be written.')
    await expect(claim('too-early', 3)).rejects.toThrow('The code log is closed.')
    await codeLog.ready()
    await claim('after', 4)
    expect(logged()).toEqual(['0 1 before', '0 2 unsure', '0 0 before', '0 0 unsure', '0 4 after'])
    expect(await known()).toEqual(['after', 'before', 'unsure'])
    expect(await position()).toBe(size())
  })

  test('refuses the groups that were waiting for the disk when it refused another: they may be lost as well', async () => {
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    errors.sync = () => first.promise as Promise<never>
    const claiming = claim('a', 1)
    await until(() => errors.sync === undefined)
    errors.sync = () => second.promise as Promise<never>
    const claimingToo = claim('b', 2)
    await until(() => errors.sync === undefined)
    first.reject(new Error('EIO'))
    await expect(claiming).rejects.toThrow('The code log cannot be written.')
    second.resolve()
    await expect(claimingToo).rejects.toThrow('The code log cannot be written.')
  })

  test('has nothing of a group that SQLite rolls back by itself', async () => {
    await claim('before', 1)
    const bytes = readFileSync(codeLogPath(dataDir))
    const claiming = claim('a', 2)
    const breaking = transact(store.db, (tx) =>
      sql`INSERT OR ROLLBACK INTO codes (code) VALUES ('before')`.execute(tx),
    )
    const ends = await Promise.allSettled([claiming, breaking])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(readFileSync(codeLogPath(dataDir))).toEqual(bytes)
    await claim('b', 2)
    expect(logged()).toEqual(['0 1 before', '0 2 b'])
  })
})

async function openLog(): Promise<void> {
  dataDir = folders.make()
  errors = {}
  const uncountedIds = async () => ({ link: 0, workspace: 0 })
  const open = (isDistrusted: boolean) =>
    openCodeLog({ db: store.db, log: jsonLog('silent', 'test'), uncountedIds, isDistrusted }, dataDir)
  codeLog = new CodeLog(open, faultyFile)
  store = await openSqliteStore(dataDir, 'same-thread', { commitHook: codeLog })
  await codeLog.ready()
}

async function closeLog(): Promise<void> {
  await store.close()
  codeLog.close()
  folders.remove()
}

function faultyFile(path: string): LogFile {
  const file = openLogFile(path)
  const fault = (name: keyof LogFile) => {
    const planned = errors[name]
    delete errors[name]
    return planned
  }
  return {
    write: (bytes, position) => (fault('write')?.() as number | undefined) ?? file.write(bytes, position),
    truncate: (size) => (fault('truncate') ?? file.truncate)(size as never) as void,
    sync: () => (fault('sync')?.() as Promise<never> | undefined) ?? file.sync(),
    close: () => file.close(),
  }
}

/** As a link is made: the code is claimed, and noted as the last step. */
function claim(code: string, linkId: number): Promise<void> {
  return transact(store.db, async (tx) => {
    await tx.insertInto('codes').values({ code, workspace_id: null }).execute()
    codeLog.note([{ domainId: 0, code, workspaceId: 0, linkId }])
  })
}

const logged = () =>
  readFileSync(codeLogPath(dataDir), 'latin1')
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(' ').slice(1).join(' '))

const known = async () =>
  (await store.db.selectFrom('codes').select('code').orderBy('code').execute()).map(({ code }) => code)

const position = async () =>
  (await store.db.selectFrom('code_log').selectAll().executeTakeFirstOrThrow()).position

const size = () => readFileSync(codeLogPath(dataDir)).length

const eio = () => {
  throw Object.assign(new Error('EIO'), { code: 'EIO' })
}
