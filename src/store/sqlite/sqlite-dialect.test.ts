import { kyselyOf, type DurableDb, type Tx, type WriteDb } from '../handles.ts'
import { transact } from '../transact.ts'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { isUniqueViolation } from '../store-errors.ts'
import { openSqliteStore, storePath } from './open-sqlite-store.ts'
import type { Store } from '../open-store.ts'
import { openSqliteReader } from './sqlite-file.ts'

const folders = temporaryFolders()
let dataDir: string
let store: Store

beforeEach(openStore)

afterEach(async () => {
  await store.close()
  folders.remove()
})

describe('transactions at the same time', () => {
  test('do not see each other half done, and all are committed when they are acknowledged', async () => {
    const transfers = Array.from({ length: 20 }, (_, n) =>
      transact(store.db, async (tx) => {
        const { length } = await tx.selectFrom('codes').select('code').execute()
        expect(length).toBe(2 * n)
        await add(tx, `a${n}`)
        await pause()
        await add(tx, `b${n}`)
      }),
    )
    await Promise.all(transfers)
    expect(committedCodes()).toHaveLength(40)
  })

  test.each(['a', 'b', 'c'])('harm no other when one of them fails: %s', async (failing) => {
    const attempt = (code: string) =>
      transact(store.db, async (tx) => {
        await add(tx, code)
        await add(tx, `${code}-2`)
        if (code === failing) throw new Error('changed my mind')
      })
    const codes = ['a', 'b', 'c']
    const outcomes = await Promise.allSettled(codes.map(attempt))
    const others = codes.filter((code) => code !== failing)
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(
      codes.map((code) => others.includes(code)),
    )
    expect(committedCodes()).toEqual(others.flatMap((code) => [code, `${code}-2`]))
    await transact(store.relaxedDb, (tx) => add(tx, 'later'))
    expect(committedCodes()).toContain('later')
  })

  test('of both kinds are all committed when they are acknowledged', async () => {
    await Promise.all([add(store.relaxedDb, 'a'), add(store.db, 'b'), add(store.relaxedDb, 'c')])
    expect(committedCodes()).toEqual(['a', 'b', 'c'])
  })
})

describe('a transaction', () => {
  test('that cannot be taken back takes its whole group with it: no half of it is committed', async () => {
    const outcomes = await Promise.allSettled([
      add(store.db, 'of-the-same-group'),
      transact(store.db, async (tx) => {
        await add(tx, 'half')
        await sql`RELEASE one_transaction_of_the_group`.execute(tx)
        throw new Error('changed my mind')
      }),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(committedCodes()).toEqual([])
    await add(store.db, 'next')
    expect(committedCodes()).toEqual(['next'])
  })

  test('that is refused for what another one did fails only when that is committed', async () => {
    void add(store.db, 'wanted')
    await expect(refuseIfTaken('wanted')).rejects.toThrow('taken')
    expect(committedCodes()).toEqual(['wanted'])
  })

  test('that is refused for what another one did fails as that does, when that is not committed', async () => {
    const outcomes = await Promise.allSettled([addOrphan('wanted'), refuseIfTaken('wanted')])
    expect(outcomes.map((each) => String((each as PromiseRejectedResult).reason))).toEqual([
      expect.stringContaining('FOREIGN KEY constraint failed'),
      expect.stringContaining('FOREIGN KEY constraint failed'),
    ])
    expect(committedCodes()).toEqual([])
  })

  test('goes on after a unique value was taken', async () => {
    await add(store.db, 'taken')
    await transact(store.db, async (tx) => {
      const failure = await add(tx, 'taken').catch((error: unknown) => error)
      expect(isUniqueViolation(failure)).toBe(true)
      await add(tx, 'free')
    })
    expect(committedCodes()).toEqual(['free', 'taken'])
  })

  test('that SQLite has rolled back takes no more statements, even if its caller goes on', async () => {
    await add(store.db, 'taken')
    const transaction = transact(store.db, async (tx) => {
      await add(tx, 'first')
      await sql`INSERT OR ROLLBACK INTO codes (code) VALUES ('taken')`.execute(tx).catch(() => {})
      await add(tx, 'second')
    })
    await expect(transaction).rejects.toThrow('rolled this transaction back')
    expect(committedCodes()).toEqual(['taken'])
  })

  test('whose commit fails leaves alone the one that came after it', async () => {
    const failing = addOrphan('orphan')
    const inSameGroup = transact(store.db, async (tx) => {
      for (let turn = 0; turn < 4; turn++) await pause()
      await add(tx, 'refused too')
    })
    // By now the commit waits for that one, and this one waits for the commit.
    await pause()
    await pause()
    const later = transact(store.db, async (tx) => {
      for (const code of ['a', 'b', 'c', 'd', 'e']) {
        await add(tx, code)
        await Promise.resolve()
      }
    })
    const outcomes = await Promise.allSettled([failing, inSameGroup, later])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(committedCodes()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('and the statements before and after it may use one connection', async () => {
    await onOneConnection(async (one) => {
      await add(one, 'before')
      const failing = transact(one, async (tx) => {
        await add(tx, 'never')
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      await transact(one, (tx) => add(tx, 'within'))
      expect(committedCodes()).toEqual(['before', 'within'])
      await add(one, 'after')
    })
    expect(committedCodes()).toEqual(['after', 'before', 'within'])
  })

  test("takes no other caller's statement along when it fails, whatever connection that keeps", async () => {
    await onOneConnection(async (one) => {
      await add(one, 'first')
      const began = Promise.withResolvers<void>()
      const failing = transact(store.db, async (tx) => {
        await add(tx, 'never')
        began.resolve()
        for (let turn = 0; turn < 5; turn++) await pause()
        throw new Error('changed my mind')
      })
      await began.promise
      const outcomes = await Promise.allSettled([add(one, 'second'), failing])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    })
    expect(committedCodes()).toEqual(['first', 'second'])
  })
})

describe('a single statement', () => {
  test('is committed when it is acknowledged', async () => {
    for (const code of ['a', 'b', 'c']) {
      await add(store.db, code)
      expect(committedCodes()).toContain(code)
    }
  })

  test('that breaks a constraint is refused alone', async () => {
    await add(store.db, 'taken')
    const outcomes = await Promise.allSettled(['a', 'taken', 'b'].map((code) => add(store.db, code)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(isUniqueViolation((outcomes[1] as PromiseRejectedResult).reason)).toBe(true)
    expect(committedCodes()).toEqual(['a', 'b', 'taken'])
  })

  test('that is refused for what another one did fails only when that is committed', async () => {
    void add(store.db, 'wanted')
    const refusal = await add(store.db, 'wanted').catch((error: unknown) => error)
    expect(isUniqueViolation(refusal)).toBe(true)
    expect(committedCodes()).toEqual(['wanted'])
  })

  test('tells how many rows it changed, and gives those it returns', async () => {
    await Promise.all(['a', 'b'].map((code) => add(store.db, code)))
    const update = store.db.updateTable('codes').set({ workspace_id: null })
    expect((await update.executeTakeFirstOrThrow()).numUpdatedRows).toBe(2n)
    const returned = await update.where('code', '=', 'a').returning('code').execute()
    expect(returned).toEqual([{ code: 'a' }])
    expect((await store.db.deleteFrom('codes').executeTakeFirstOrThrow()).numDeletedRows).toBe(2n)
  })

  test('cannot be streamed', async () => {
    const stream = store.db.selectFrom('codes').selectAll().stream()
    await expect(stream.next()).rejects.toThrow('ask for a page')
  })
})

describe('a full disk', () => {
  test('refuses what does not fit; what was acknowledged is there, what was refused is not, and it goes on later', async () => {
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(store.db)
    await sql.raw(`PRAGMA max_page_count = ${rows[0]!.page_count + 4}`).execute(store.db)
    const codes = Array.from({ length: 40 }, (_, n) => `${n}-${'x'.repeat(1000)}`)
    const attempt = (code: string, n: number) =>
      n % 2 === 0 ? add(store.db, code) : transact(store.db, (tx) => add(tx, code))
    const outcomes = await Promise.allSettled(codes.map(attempt))
    const acknowledged = codes.filter((_, n) => outcomes[n]!.status === 'fulfilled')
    expect(acknowledged.length).toBeLessThan(40)
    expect(committedCodes()).toEqual(acknowledged.sort())
    await sql`PRAGMA max_page_count = 1000000`.execute(store.db)
    await add(store.db, 'later')
    expect(committedCodes()).toContain('later')
  })
})

async function openStore(): Promise<void> {
  dataDir = folders.make()
  store = await openSqliteStore(dataDir, 'same-thread')
}

const add = (db: WriteDb | Tx, code: string) =>
  db.insertInto('codes').values({ code, workspace_id: null }).execute()
const onOneConnection = (work: (one: DurableDb) => Promise<void>) =>
  kyselyOf(store.db)
    .connection()
    .execute((one) => work(one as unknown as DurableDb))
const pause = () => new Promise((resolve) => setImmediate(resolve))

/** Its commit fails: the code's account does not exist. */
const addOrphan = (code: string) =>
  transact(store.db, async (tx) => {
    await sql`PRAGMA defer_foreign_keys = ON`.execute(tx)
    await sql`INSERT INTO codes (code, workspace_id) VALUES (${code}, 404)`.execute(tx)
  })

const refuseIfTaken = (code: string) =>
  transact(store.db, async (tx) => {
    const taken = await tx.selectFrom('codes').select('code').where('code', '=', code).executeTakeFirst()
    if (taken !== undefined) throw new Error('taken')
  })

/** What a second handle on the file sees: what is committed. */
function committedCodes(): string[] {
  const reader = openSqliteReader(storePath(dataDir))
  const codes = reader.query('SELECT code FROM codes ORDER BY code').values().flat() as string[]
  reader.close()
  return codes
}
