import { sql } from 'kysely'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { prepareClickTable } from '../../src/clicks/clickhouse/click-table.ts'
import { ClickHouse } from '../../src/clicks/clickhouse/clickhouse.ts'
import { storeBatch } from '../../src/clicks/clickhouse/store-batch.ts'
import { FACT_COLUMNS } from '../../src/clicks/facts/fact-columns.ts'
import { FACT_ROW } from '../../src/clicks/facts/write-facts.ts'
import { planRewrites } from '../../src/clicks/parquet/plan-rewrites.ts'
import { ClickQueries } from '../../src/clicks/queries/click-queries.ts'
import type { ClickQuery } from '../../src/clicks/queries/click-query.ts'
import { DAY_US, monthOf } from '../../src/runtime/clock.ts'
import { jsonLog } from '../../src/runtime/log.ts'
import { prepareClickMonths, writeRows } from '../../src/store/engine-sql.ts'
import type { Store } from '../../src/store/open-store.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { transact } from '../../src/store/transact.ts'
import { ClickStoreRig } from '../../test/rigs/clicks/click-store-rig.ts'
import { ClickHouseServer } from '../../test/rigs/clicks/clickhouse-server.ts'
import type { FactRow } from '../../test/rigs/clicks/fact-rows.ts'
import { childrenOf, cpuUs, familyCpuUs } from './measure.ts'
import { databaseOf, MeasuredPostgres } from './measured-postgres.ts'

export type FactsOfDay = { dayUs: number; facts: Iterable<FactRow[]> }

/** A store of clicks on one of the engines, and what it takes. */
export type MeasuredClicks = {
  writeDay(day: FactsOfDay): Promise<void>
  query(query: ClickQuery): Promise<unknown>
  /** Of its engine so far. */
  cpuUs(): number
  /** Of its engine, after everything is written. */
  written(clicks: number): Promise<string>
  memory(): string
  close(): Promise<void>
}

/** SQLite, and files of DuckDB's. Days are closed and written again as they would be in time. */
export async function openEmbedded(folder: string): Promise<MeasuredClicks> {
  const rig = await ClickStoreRig.open(folder)
  await rig.total()
  const [pid] = childrenOf(process.pid)
  const cost = { closeUs: 0, rewriteUs: 0 }
  const measured = async (part: keyof typeof cost, work: () => Promise<unknown>) => {
    const beforeUs = cpuUs(pid!)
    await work()
    cost[part] += cpuUs(pid!) - beforeUs
  }
  return {
    async writeDay({ dayUs, facts }) {
      for (const some of facts) {
        rig.add(some)
        await measured('closeUs', () => rig.closeUpTo())
      }
      const nowUs = dayUs + DAY_US
      for (const rewriting of planRewrites(await rig.files(), { nowUs: nowUs + DAY_US, coarseBeforeUs: 0 }))
        await measured('rewriteUs', () => rig.rewrite(rewriting, { nowUs }))
    },
    query: (query) => rig.query(query),
    cpuUs: () => cpuUs(pid!),
    async written(clicks) {
      const files = await rig.files()
      const bytes = files.reduce((sum, { name }) => sum + statSync(join(rig.folder, name)).size, 0)
      const [closeUs, rewriteUs] = [cost.closeUs, cost.rewriteUs].map((us) => (us / clicks).toFixed(1))
      return `${(bytes / clicks).toFixed(1)} bytes a click in ${files.length} files; CPU a click: ${closeUs} µs to close, ${rewriteUs} µs to write again`
    },
    memory: () => memoryOf(pid!),
    close: () => rig.close(),
  }
}

/** PostgreSQL alone, which keeps all clicks in its table. */
export async function openPostgres(): Promise<MeasuredClicks> {
  const postgres = await MeasuredPostgres.start()
  const url = await postgres.makeTables()
  const store = await openPostgresStore({ url })
  const queries = queriesOf(store)
  return {
    async writeDay({ dayUs, facts }) {
      await prepareClickMonths(store.relaxedDb, [monthOf(dayUs)])
      for (const some of facts) {
        const rows = some.map((fact) => FACT_COLUMNS.map((name) => fact[name as keyof FactRow]))
        await transact(store.relaxedDb, (tx) => writeRows(tx, FACT_ROW, rows))
      }
    },
    query: (query) => queries.answer(query),
    cpuUs: () => postgres.cpuUs(),
    async written(clicks) {
      const cpuPerClick = (postgres.cpuUs() / clicks).toFixed(1)
      // As its own cleaning does in time.
      await postgres.server.run('VACUUM ANALYZE clicks', databaseOf(url))
      const { bytes } = (await postgres.tables(url)).find(({ table }) => table === 'clicks')!
      return `${(bytes / clicks).toFixed(1)} bytes a click; ${cpuPerClick} µs of CPU time to write one`
    },
    memory: () => 'not measured',
    async close() {
      await store.close()
      await postgres.server.stop()
    },
  }
}

/** ClickHouse's engine beside PostgreSQL, whose table is empty. */
export async function openClickHouse(folder: string): Promise<MeasuredClicks> {
  const postgres = await MeasuredPostgres.start()
  const store = await openPostgresStore({ url: await postgres.makeTables() })
  const server = await ClickHouseServer.start(folder)
  const clickHouse = new ClickHouse(await server.makeDatabase())
  await prepareClickTable(clickHouse, store.db)
  const queries = queriesOf(store, clickHouse)
  let batch = 0
  return {
    async writeDay({ facts }) {
      for (const some of facts) {
        const isStillOurs = async () => {}
        await storeBatch(clickHouse, {
          number: ++batch,
          facts: some as Record<string, number>[],
          isStillOurs,
        })
      }
      await sql`UPDATE clickhouse_progress SET batch = ${batch}`.execute(store.relaxedDb)
    },
    query: (query) => queries.answer(query),
    cpuUs: () => familyCpuUs(server.pid!),
    async written(clicks) {
      const cpuPerClick = (familyCpuUs(server.pid!) / clicks).toFixed(1)
      const [row] = await clickHouse.rows<[number, number]>(
        `SELECT sum(bytes_on_disk), count() FROM system.parts WHERE table = 'clicks' AND active`,
      )
      const [bytes, parts] = row!
      return `${(bytes / clicks).toFixed(1)} bytes a click in ${parts} parts; ${cpuPerClick} µs of CPU time to write one`
    },
    memory: () => memoryOf(server.pid!),
    async close() {
      await store.close()
      await server.stop()
      await postgres.server.stop()
    },
  }
}

const queriesOf = ({ reportDb: db }: Store, clickHouse?: ClickHouse) =>
  new ClickQueries({ db, clickHouse, log: jsonLog('error', 'bench') })

function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024)
  // The rest is read from the files of the program and of its library, and can be dropped at any time.
  return `${megabytes('RssAnon')} MB of its own, ${megabytes('VmRSS')} MB in all, at most ${megabytes('VmHWM')} MB`
}
