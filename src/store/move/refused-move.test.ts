import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  cannotMove,
  contents,
  ENGINES,
  move,
  MoveRig,
  moveWith,
  opened,
  other,
  refusalOf,
  within,
} from '../../../test/rigs/store/move-rig.ts'
import { MovedStore } from '../store-identity.ts'

let rig: MoveRig

describe.skipIf(cannotMove())('a move', () => {
  beforeAll(async () => {
    rig = await MoveRig.start()
  })

  afterAll(() => rig.remove())

  test('into a folder whose database somebody has open is refused, though there is nothing in it', async () => {
    const to = await rig.emptyPlace('sqlite')
    const store = await opened(to)
    const from = await rig.filledPlace('postgres')
    expect((await refusalOf(move(from, to))).message).toContain('A program has the database in')
    await store.close()
    expect(await move(from, to)).toMatchObject({ wasFinished: false })
  })

  test('within one engine is refused', async () => {
    const refusal = await refusalOf(move(await rig.filledPlace('sqlite'), await rig.emptyPlace('sqlite')))
    expect(refusal.message).toContain('from SQLite to PostgreSQL or back')
  })

  test('from where nothing is, or into what is another program’s, is refused', async () => {
    const [sqlite, database] = [await rig.emptyPlace('sqlite'), await rig.emptyPlace('postgres')]
    expect((await refusalOf(move(sqlite, database))).message).toContain('There is no database in')
    expect((await refusalOf(move(database, sqlite))).message).toContain('There is no store at postgres://')
    await rig.byHand(database, 'CREATE TABLE albums (id INTEGER)')
    expect((await refusalOf(move(await rig.filledPlace('sqlite'), database))).message).toContain(
      'holds the tables of another program (albums',
    )
  })

  test('of a store whose clicks are in ClickHouse is refused, and so is opening it without', async () => {
    const [from, to] = await rig.places('postgres')
    await rig.byHand(from, 'UPDATE clickhouse_progress SET batch = 1')
    expect((await refusalOf(move(from, to))).message).toBe(
      'Clicks of this store are in ClickHouse, from where tern store move does not take them. Nothing was moved.',
    )
    await expect(opened(from)).rejects.toThrow(
      'Clicks of this store are in ClickHouse: set CLICKHOUSE_URL to its database.',
    )
    await rig.byHand(from, 'UPDATE clickhouse_progress SET batch = 0')
    expect(await move(from, to)).toMatchObject({ wasFinished: false })
  })

  describe.each(ENGINES)('from %s', (engine) => {
    test('refuses a place that holds a store, or one that another move has begun with', async () => {
      const from = await rig.filledPlace(engine)
      const taken = await rig.filledPlace(other(engine))
      const before = await contents(taken)
      expect((await refusalOf(move(from, taken))).message).toContain('holds a store already (users has rows)')
      expect(await contents(taken)).toEqual(before)
      const begun = await rig.emptyPlace(other(engine))
      await within(begun, async () => {})
      await rig.byHand(begun, `UPDATE store_identity SET filled_from = 'another'`)
      expect((await refusalOf(move(from, begun))).message).toContain('A move from another store into')
      expect((await refusalOf(move(begun, await rig.emptyPlace(engine)))).message).toContain(
        'is not finished',
      )
      await within(from, async ({ db }) =>
        expect(await db.selectFrom('links').select('id').execute()).toHaveLength(4),
      )
    })

    test('takes a place where tables were about to be made when the program was killed', async () => {
      const [from, begun] = [await rig.filledPlace(engine), await rig.emptyPlace(other(engine))]
      await rig.byHand(
        begun,
        'CREATE TABLE kysely_migration (name VARCHAR(255) PRIMARY KEY, timestamp VARCHAR(255))',
      )
      await move(from, begun)
      await within(begun, async ({ db }) =>
        expect(await db.selectFrom('links').select('id').execute()).toHaveLength(4),
      )
    })

    test('refuses a store of another version, on either side, and changes nothing', async () => {
      const newer = `INSERT INTO kysely_migration VALUES ('9999-later', '')`
      const early = `UPDATE kysely_migration SET name = '0001-foundation' WHERE name = '0001-first'`
      for (const [change, sentence] of [
        [newer, 'newer Tern (it has 9999-later)'],
        [early, 'was written by an early Tern'],
      ] as const) {
        const from = await rig.filledPlace(engine)
        await rig.byHand(from, change)
        expect((await refusalOf(move(from, await rig.emptyPlace(other(engine))))).message).toContain(sentence)
        const to = await rig.emptyPlace(other(engine))
        await within(to, async () => {})
        await rig.byHand(to, change)
        expect((await refusalOf(move(await rig.filledPlace(engine), to))).message).toContain(sentence)
      }
    })

    test('is one at a time, whichever side two have in common', async () => {
      const [from, to] = await rig.places(engine)
      const [otherFrom, otherTo] = await rig.places(engine)
      const refusals: Promise<Error>[] = []
      await moveWith(from, to, async () => {
        if (refusals.length > 0) return
        refusals.push(refusalOf(move(from, otherTo)), refusalOf(move(otherFrom, to)))
        await Promise.all(refusals)
      })
      for (const { message } of await Promise.all(refusals))
        expect(message).toMatch(/Another move is already running on|is being moved by process/)
    })

    test('of what was moved elsewhere is refused; run again, it says that it is finished', async () => {
      const [from, to] = await rig.places(engine)
      await move(from, to)
      const elsewhere = await rig.emptyPlace(other(engine))
      expect(await refusalOf(move(from, elsewhere))).toBeInstanceOf(MovedStore)
      await within(elsewhere, async () => {})
      expect(await move(from, to)).toMatchObject({ wasFinished: true, tables: [] })
    })
  })
})
