import { eventually } from '../../../test/rigs/eventually.ts'
import type { DurableDb, Tx } from '../handles.ts'
import { transact } from '../transact.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { openLinkedStore } from '../../../test/rigs/store/linked-store.ts'
import { failureOf } from '../../../test/rigs/store/pool-rig.ts'
import { lacksPostgres, PostgresServer } from '../../../test/rigs/store/postgres-server.ts'
import { forgetChanges } from '../engine-sql.ts'
import { isStoreUnavailable } from '../store-errors.ts'
import type { Store } from '../open-store.ts'
import { type ChangeMark, openPostgresReader, type PostgresReader } from './postgres-reader.ts'

/** Its own: a transaction of another suite, however short, would make the reader look twice. */
let server: PostgresServer
let store: Store
let reader: PostgresReader
let mark: ChangeMark | undefined

describe.skipIf(lacksPostgres('news of PostgreSQL'))('a reader of PostgreSQL', () => {
  beforeAll(openReader)
  beforeEach(startHearing)
  afterEach(hearNothing)
  afterAll(closeReader)

  test('hears of nothing that was before it first asked', async () => {
    await edit('a')
    mark = undefined
    expect(await hear()).toEqual(NOTHING)
    expect(mark!.timeline).toBe('00000001')
  })

  test('hears of each change once, as often as it asks', async () => {
    await edit('a')
    await edit('a')
    await edit('b')
    expect(await hear()).toEqual({ codes: ['a', 'a', 'b'], hasState: false })
    expect(await hear()).toEqual(NOTHING)
    await edit('c')
    expect(await hear()).toEqual({ codes: ['c'], hasState: false })
  })

  test('hears of a change that was begun long before, and is committed after newer ones', async () => {
    const [hasEdited, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = transact(store.db, async (tx) => {
      await edit('a', tx)
      hasEdited.resolve()
      await mayCommit.promise
    })
    await hasEdited.promise
    for (let time = 0; time < 3; time++) {
      await edit('b')
      expect(await hear()).toEqual({ codes: ['b'], hasState: false })
      expect(await hear()).toEqual(NOTHING)
    }
    mayCommit.resolve()
    await slow
    expect(await hear()).toEqual({ codes: ['a'], hasState: false })
  })

  test('hears of what was undone nothing', async () => {
    const undone = transact(store.db, async (tx) => {
      await edit('a', tx)
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await hear()).toEqual(NOTHING)
  })

  test('misses none of many that go on at once, hears none twice, and keeps no more of them than it must', async () => {
    const heard: string[] = []
    const editAll = async (code: string) => {
      for (let time = 0; time < 20; time++) {
        await transact(store.db, async (tx) => {
          await edit(code, tx)
          await Bun.sleep(Math.random() * 4)
        })
      }
    }
    let isDone = false
    const editing = Promise.all(['a', 'b', 'c'].map(editAll)).then(() => (isDone = true))
    while (!isDone) heard.push(...(await hear()).codes)
    await editing
    heard.push(...(await hear()).codes)
    expect(['a', 'b', 'c'].map((code) => heard.filter((each) => each === code).length)).toEqual([20, 20, 20])
    await hear()
    expect(mark!.seen.size).toBe(0)
  })

  test('hears that blocks have changed, of hosts and of workspaces', async () => {
    const changes = [
      `INSERT INTO blocked_hosts VALUES ('example.com', '', 0)`,
      `UPDATE blocked_hosts SET reason = 'spam'`,
      'DELETE FROM blocked_hosts',
      'UPDATE workspaces SET suspended_at = 1 WHERE id = 2',
      'UPDATE workspaces SET suspended_at = NULL WHERE id = 2',
      'UPDATE workspaces SET closed_at = 1 WHERE id = 2',
    ]
    for (const change of changes) {
      await sql.raw(change).execute(store.db)
      expect(await hear()).toEqual({ codes: [], hasState: true })
    }
  })

  test('hears of nothing that does not change where links lead', async () => {
    const changes = [
      `UPDATE links SET title = 'other', updated_at = 2`,
      'UPDATE links SET is_active = is_active, target_url = target_url',
      `UPDATE workspaces SET name = 'other', plan = 'pro'`,
      'UPDATE users SET last_signed_in_at = 1',
      `INSERT INTO codes (code, workspace_id) VALUES ('new', 2)`,
      `INSERT INTO link_totals VALUES (1, 1, 1, 1, 0, NULL)`,
      'UPDATE link_totals SET clicks = clicks + 1',
    ]
    for (const change of changes) await sql.raw(change).execute(store.db)
    expect(await hear()).toEqual(NOTHING)
  })

  test('is called when a change is committed, not when it is made', async () => {
    let calls = 0
    reader.onNotify(() => void calls++)
    await eventually(
      () => edit('a'),
      () => calls > 0,
    )
    const seen = await eventually(hear, ({ codes }) => codes.length > 0)
    expect(seen.codes).toContain('a')
    // Those of the waiting above may still be on their way.
    await Bun.sleep(200)
    const before = calls
    await transact(store.db, async (tx) => {
      await edit('b', tx)
      await Bun.sleep(50)
      expect(calls).toBe(before)
    })
    await eventually(
      async () => calls,
      (now) => now > before,
    )
    expect(calls).toBe(before + 1)
    await hear()
  })

  test('hears of what was changed within the hour, also after older changes were forgotten', async () => {
    const stamp = (code: string, minutes: number) => sql`UPDATE changes SET code = ${`${code}, long ago`},
      changed_at = clock_timestamp() - make_interval(mins => ${minutes}::integer) WHERE code = ${code}`
    await sql`DELETE FROM changes`.execute(store.db)
    for (const [code, minutes] of [
      ['a', 61],
      ['b', 59],
    ] as const) {
      await edit(code)
      await stamp(code, minutes).execute(store.db)
    }
    await edit('c')
    await forgetChanges(store.relaxedDb)
    expect(await hear()).toEqual({ codes: ['b, long ago', 'c'], hasState: false })
  })

  test('writes nothing', async () => {
    expect(isStoreUnavailable(await failureOf(edit('a', reader.db as unknown as DurableDb)))).toBe(true)
  })

  async function openReader(): Promise<void> {
    server = await PostgresServer.start()
    const linked = await openLinkedStore(['a', 'b', 'c'], server)
    store = linked.store
    reader = openPostgresReader(linked.url)
  }

  async function startHearing(): Promise<void> {
    mark = undefined
    expect(await hear()).toEqual(NOTHING)
  }

  async function hearNothing(): Promise<void> {
    expect(await hear()).toEqual(NOTHING)
  }

  async function closeReader(): Promise<void> {
    await reader.close()
    await store.close()
    await server.remove()
  }
})

const NOTHING = { codes: [], hasState: false }

async function hear(): Promise<{ codes: string[]; hasState: boolean }> {
  const { keys, hasState, mark: next } = await reader.changesSince(mark)
  mark = next
  return { codes: keys.map(({ code }) => code).sort(), hasState }
}

let edits = 0

const edit = async (code: string, db: DurableDb | Tx = store.db): Promise<void> => {
  const original_url = `https://example.com/${++edits}`
  await db.updateTable('links').set({ original_url }).where('code', '=', code).execute()
}
