import { expect, test } from 'bun:test'
import { removeStoredResponses } from '../links/idempotency.ts'
import { createAccount } from '../users/sign-up/create-account.ts'
import { findKey } from '../api-keys/find-key.ts'
import { clickSeries } from '../analytics/click-counts.ts'
import { systemClock } from '../runtime/clock.ts'
import { useSharedStore } from '../../test/rigs/store/test-store.ts'
import { writeRows } from './engine-sql.ts'
import type { AnyDb, CurrentDb, DurableDb, ReadOnlyDb, Tx } from './handles.ts'
import { transact } from './transact.ts'

const store = useSharedStore('sqlite')

const LOG = { log: 'a', position: 1 }
const LOG_ROWS = { table: 'code_log', columns: ['log', 'position'], texts: ['log'] } as const
const read = (db: AnyDb) => db.selectFrom('code_log').selectAll().execute()
const readCurrent = (db: CurrentDb) => read(db)
const readMuch = (db: ReadOnlyDb) => read(db)
const writeDurably = (db: DurableDb | Tx) => db.insertInto('code_log').values(LOG).execute()

test('each handle does what its type allows', async () => {
  await writeDurably(store.db)
  await transact(store.relaxedDb, (tx) => tx.updateTable('code_log').set({ position: 2 }).execute())
  await transact(store.clicksDb, (tx) => writeRows(tx, LOG_ROWS, [['b', 3]]))
  const expected = [
    { log: 'a', position: 2 },
    { log: 'b', position: 3 },
  ]
  const { db, relaxedDb, clicksDb, readDb, reportDb } = store
  for (const handle of [db, relaxedDb, clicksDb, readDb]) expect(await readCurrent(handle)).toEqual(expected)
  for (const handle of [readDb, reportDb]) expect(await readMuch(handle)).toEqual(expected)
  expect(await transact(db, (tx) => readCurrent(tx))).toEqual(expected)
})

/** Never called: `bun check` reports each of these that compiles. */
export const WRONG: (() => unknown)[] = [
  // @ts-expect-error a reader does not write
  () => store.readDb.insertInto('code_log').values(LOG).execute(),
  // @ts-expect-error a reader does not write
  () => store.reportDb.updateTable('code_log').set(LOG).execute(),
  // @ts-expect-error a reader does not write
  () => store.reportDb.deleteFrom('code_log').execute(),
  // @ts-expect-error a reader has no transactions
  () => transact(store.readDb, read),
  // @ts-expect-error a reader does not write
  () => writeRows(store.reportDb, LOG_ROWS, []),
  // @ts-expect-error what is acknowledged must be durable
  () => writeDurably(store.relaxedDb),
  // @ts-expect-error what is acknowledged must be durable
  () => writeDurably(store.clicksDb),
  // @ts-expect-error what is acknowledged must be durable
  () => createAccount({ db: store.relaxedDb, clock: systemClock }, {} as never),
  // @ts-expect-error a job does not wait for the disk
  () => removeStoredResponses(store.db, 0),
  // @ts-expect-error a report may be old: a key that was revoked, or made, a second ago
  () => readCurrent(store.reportDb),
  // @ts-expect-error a report may be old: a key that was revoked, or made, a second ago
  () => findKey({ db: store.reportDb, clock: systemClock }, ''),
  // @ts-expect-error long reads do not hold up those who write
  () => readMuch(store.db),
  // @ts-expect-error long reads do not hold up those who write
  () => clickSeries(store.db, { workspaceId: 1 }, {} as never),
  // @ts-expect-error long reads do not run inside a transaction
  () => transact(store.db, (tx) => readMuch(tx)),
  // @ts-expect-error transactions begin by transact only
  () => store.db.transaction(),
  // @ts-expect-error transactions do not nest
  () => transact(store.db, (tx) => transact(tx, read)),
  // @ts-expect-error what needs a transaction is not given a handle
  () => ((tx: Tx) => read(tx))(store.db),
]
