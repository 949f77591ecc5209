import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  cannotMove,
  contents,
  ENGINES,
  move,
  MoveRig,
  moveWith,
  nameFor,
  opened,
  other,
  refusalOf,
  within,
  withoutCodeLog,
} from '../../../test/rigs/store/move-rig.ts'
import { aFact } from '../../../test/rigs/clicks/fact-rows.ts'
import { EVERY_TABLE } from '../../../test/rigs/store/every-table.data.ts'
import { startScript } from '../../../test/rigs/program/run-script.ts'
import { isStoreUnavailable } from '../store-errors.ts'
import { MovedStore, UnfinishedMove } from '../store-identity.ts'
import type { MoveLocation } from './move-location.ts'
import type { MoveProgress } from './progress.ts'

let rig: MoveRig

/** In a month that has clicks. */
const CLICKED_AT = Number(EVERY_TABLE.clicks[0]!.clicked_at)

describe.skipIf(cannotMove())('a move', () => {
  beforeAll(async () => {
    rig = await MoveRig.start()
  })

  afterAll(() => rig.remove())

  describe.each(ENGINES)('from %s', (engine) => {
    test('takes every row of every table along, and back again', async () => {
      const [from, to] = await rig.places(engine)
      const before = await contents(from)
      const { tables, wasFinished } = await move(from, to)
      expect([tables.length, wasFinished]).toEqual([before.length, false])
      expect(tables.map(({ table, rows }) => [table, rows])).toEqual(
        before.map(([table, rows]) => [table, rows.length] as never),
      )
      expect(withoutCodeLog(await contents(to))).toEqual(withoutCodeLog(before))
      // SQLite keeps what was moved away, where another takes its place; of PostgreSQL it takes a new database.
      const back = engine === 'sqlite' ? from : await rig.emptyPlace(engine)
      await move(to, back)
      expect(withoutCodeLog(await contents(back))).toEqual(withoutCodeLog(before))
    })

    test('makes every index and every rule that a store has', async () => {
      const [to, fresh] = [await rig.emptyPlace(other(engine)), await rig.emptyPlace(other(engine))]
      await move(await rig.filledPlace(engine), to)
      await within(fresh, async () => {})
      expect(await schemaOf(to)).toEqual(await schemaOf(fresh))
    })

    test('gives no id again, also of rows that are gone', async () => {
      const [from, to] = await rig.places(engine)
      await move(from, to)
      const invitation = { email: 'new@example.com', token_hash: 'x', created_at: 0, expires_at: 0 }
      const link = { workspace_id: 1, code: 'gone', svc_id: '', original_url: '', title: '' }
      const times = { is_active: 1, created_at: 0, updated_at: 0 }
      const ids = await within(to, async ({ db }) => [
        await db
          .insertInto('clicks')
          .values(aFact({ clicked_at: CLICKED_AT }))
          .returning('id')
          .executeTakeFirstOrThrow(),
        await db.insertInto('invitations').values(invitation).returning('id').executeTakeFirstOrThrow(),
        await db
          .insertInto('links')
          .values({ ...link, ...times })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ])
      expect(ids).toEqual([{ id: 1_001 }, { id: 13 }, { id: 4_000_000_124 }])
    })

    test('leaves a source that takes no change and that nobody opens, and says where it went', async () => {
      const [from, to] = await rig.places(engine)
      const store = await opened(from)
      await move(from, to)
      const write = store.db.insertInto('seen_visits').values({ visit: 5 }).execute()
      expect(isStoreUnavailable(await refusalOf(write))).toBe(true)
      expect(await store.db.selectFrom('workspaces').select('id').execute()).toHaveLength(3)
      await store.close()
      expect(await unrefused(from)).toEqual([])
      const refusal = await refusalOf(opened(from))
      expect(refusal).toBeInstanceOf(MovedStore)
      expect(refusal.message).toContain(
        to.engine === 'sqlite' ? `moved to sqlite:${to.dataDir} at 20` : 'moved to postgres://127.0.0.1:',
      )
    })

    test('freezes the source for those who write, not for those who read, and no longer than it lives', async () => {
      const from = await rig.filledPlace(engine)
      const store = await opened(from)
      const started = startScript(
        'killed-move.script.ts',
        nameFor(from),
        nameFor(await rig.emptyPlace(other(engine))),
        '40',
      )
      await started.exited
      expect(started.signalCode).toBe('SIGKILL')
      await store.db.insertInto('seen_visits').values({ visit: 6 }).execute()
      let read = 0
      const visits: Promise<unknown>[] = []
      await move(from, await rig.emptyPlace(other(engine)), {
        report({ step }: MoveProgress) {
          if (step !== 'copy' || read++ > 0) return
          visits.push(store.db.selectFrom('seen_visits').selectAll().execute())
          visits.push(refusalOf(store.db.insertInto('seen_visits').values({ visit: 7 }).execute()))
        },
      })
      const [rows, refusal] = await Promise.all(visits)
      expect(rows).toHaveLength(3)
      expect(isStoreUnavailable(refusal)).toBe(true)
      await store.close()
    })

    test('refuses to finish when a row of the target was changed, and names the table', async () => {
      const [from, to] = await rig.places(engine)
      const changes = [
        `UPDATE links SET title = 'changed' WHERE id = 1`,
        'DELETE FROM clicks WHERE id = 12',
        `INSERT INTO codes (code) VALUES ('more')`,
      ]
      let isChanged = false
      const spoil = async () => {
        for (const change of changes) await rig.byHand(to, change)
      }
      const spoiled = Promise.withResolvers<void>()
      const refusal = await refusalOf(
        moveWith(from, to, async () => {
          if (isChanged) return
          isChanged = true
          await spoil().then(spoiled.resolve, spoiled.reject)
        }),
      )
      await spoiled.promise
      expect(refusal.message).toContain(
        'differs from ' + (from.engine === 'sqlite' ? 'sqlite:' : 'postgres://'),
      )
      expect(refusal.message).toContain(
        'codes (8 rows in the source, 9 in the target), links (4 rows in the source, 4 in the target), clicks (4 rows in the source, 3 in the target)',
      )
      expect(await refusalOf(opened(to))).toBeInstanceOf(UnfinishedMove)
      const before = await contents(from)
      await move(from, to)
      expect(withoutCodeLog(await contents(to))).toEqual(withoutCodeLog(before))
    })
  })
})

const RULES = `SELECT indexdef AS rule FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'clicks_of%'
  UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT tgrelid::regclass || ' ' || tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`

const schemaOf = (location: MoveLocation) =>
  rig.byHand(
    location,
    location.engine === 'postgres' ? RULES : 'SELECT name, sql FROM sqlite_schema ORDER BY name',
  )

/** What is left of a change of any table where the store was moved away. */
async function unrefused(location: MoveLocation): Promise<string[]> {
  const statements = ['workspaces', 'codes', 'clicks', 'journal_segments', 'click_progress'].flatMap(
    (table) => [`DELETE FROM ${table}`, `INSERT INTO ${table} SELECT * FROM ${table}`],
  )
  const done: string[] = []
  for (const statement of [...statements, 'UPDATE links SET title = title']) {
    const error = await rig.byHand(location, statement).then(
      () => undefined,
      (each: unknown) => each,
    )
    if (!isStoreUnavailable(error)) done.push(statement)
  }
  return done
}
