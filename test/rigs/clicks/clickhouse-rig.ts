import { sql } from 'kysely'
import { FACT_COLUMNS } from '../../../src/clicks/facts/fact-columns.ts'
import { ClickHouse } from '../../../src/clicks/clickhouse/clickhouse.ts'
import { ClickMover } from '../../../src/clicks/clickhouse/move-clicks.ts'
import { ClickQueries } from '../../../src/clicks/queries/click-queries.ts'
import type { ClickQuery } from '../../../src/clicks/queries/click-query.ts'
import { manualClock } from '../../../src/runtime/clock.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { openTestStore, testPlace } from '../store/test-store.ts'
import { usePerSuite, usePerTest } from '../use-rig.ts'
import { START_US } from './click-store-rig.ts'
import { ClickHouseServer, lacksClickHouse } from './clickhouse-server.ts'
import { aFact, type FactRow, insertFacts } from './fact-rows.ts'
import { recordingLog } from './ingest-rig.ts'

/** A store in PostgreSQL, and a database of ClickHouse beside it. */
export class ClickHouseRig {
  readonly clock = manualClock(START_US)
  readonly log = recordingLog()
  readonly clickHouse: ClickHouse
  readonly mover: ClickMover
  readonly queries: ClickQueries
  #lastId = 0

  constructor(
    readonly store: Store,
    readonly databaseUrl: string,
    readonly url: string,
  ) {
    this.clickHouse = new ClickHouse(url)
    this.mover = this.newMover()
    this.queries = this.newQueries()
  }

  newMover(clickHouse = this.clickHouse): ClickMover {
    return new ClickMover({ db: this.store.relaxedDb, clickHouse, clock: this.clock, rawClickDays: 30 })
  }

  newQueries(clickHouse = this.clickHouse): ClickQueries {
    return new ClickQueries({ db: this.store.reportDb, clickHouse, log: this.log })
  }

  /** Returns them with their ids. */
  async add(facts: Partial<FactRow>[]): Promise<FactRow[]> {
    const rows = facts.map((fact) => ({ ...aFact({ clicked_at: START_US, ...fact }), id: ++this.#lastId }))
    await insertFacts(this.store.relaxedDb, rows)
    return rows
  }

  /** The same click this many times. */
  async addMany(clicks: number): Promise<void> {
    const [fact] = await this.add([{}])
    const columns = sql.join(FACT_COLUMNS.map((name) => sql.ref(name)))
    await sql`INSERT INTO clicks (id, ${columns}) SELECT ${fact!.id} + number, ${columns} FROM clicks,
      generate_series(1, ${clicks - 1}) AS number WHERE id = ${fact!.id}`.execute(this.store.relaxedDb)
    this.#lastId += clicks - 1
  }

  /** As in an older database. */
  async setBatch(batch: number): Promise<void> {
    await sql`UPDATE clickhouse_progress SET batch = ${batch}`.execute(this.store.relaxedDb)
  }

  /** All, whatever their months. */
  async moveAll(mover = this.mover): Promise<void> {
    while ((await this.openRows()) > 0) await mover.moveUpTo(this.#lastId)
  }

  async openRows(): Promise<number> {
    const { rows } = await this.store.db
      .selectFrom('clicks')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return Number(rows)
  }

  /** What ClickHouse has, whether it counts or not. */
  async storedRows(): Promise<number> {
    const [row] = await this.clickHouse.rows<[number]>('SELECT count() FROM clicks')
    return row![0]
  }

  answer(query: Partial<ClickQuery> & Pick<ClickQuery, 'groups'>, queries = this.queries) {
    return queries.answer({ fromUs: 0, toUs: 4e15, ...query })
  }

  /** Clicks of the whole store, wherever they are. */
  async total(queries = this.queries): Promise<number> {
    const [rows] = await this.answer({ groups: [{ by: [] }] }, queries)
    return rows![0]!.clicks
  }
}

/** A server for the suite, and a rig for each test. */
export function useClickHouse(): { server: ClickHouseServer; rig: ClickHouseRig } {
  const used = {} as { server: ClickHouseServer; rig: ClickHouseRig }
  // What is left out starts no server.
  if (lacksClickHouse) return used
  usePerSuite(
    async (folder) => (used.server = await ClickHouseServer.start(folder)),
    () => used.server.stop(),
  )
  usePerTest(
    async (folder) => {
      const store = await openTestStore(folder, 'postgres')
      const { databaseUrl } = await testPlace(folder, 'postgres')
      return (used.rig = new ClickHouseRig(store, databaseUrl!, await used.server.makeDatabase()))
    },
    () => used.rig.store.close(),
  )
  return used
}
