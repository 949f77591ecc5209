import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { findPostgres, PostgresServer } from '../../test/rigs/store/postgres-server.ts'
import { familyCpuUs } from './measure.ts'

/** As docs/operations.md says, for 4 GB that it has to itself; all writes are on the disk when they are acknowledged. */
const SETTINGS = {
  max_connections: 200,
  shared_buffers: '1GB',
  effective_cache_size: '3GB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  autovacuum_vacuum_cost_limit: 2000,
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': 10_000,
}
const TRIES_MAX = 10

export type Statement = { query: string; calls: number; rows: number }
export type TableWork = { table: string; rowsWritten: number; bytes: number }
export type Pgbench = { transactions: number; perSecond: number; clientUs: number; postgresUs: number }

/** A separate PostgreSQL server, and its resource use. */
export class MeasuredPostgres {
  readonly server: PostgresServer

  private constructor(server: PostgresServer) {
    this.server = server
  }

  static async start(): Promise<MeasuredPostgres> {
    if (findPostgres() === undefined)
      throw new Error('This bench needs PostgreSQL: apt-get install postgresql.')
    const postgres = new MeasuredPostgres(await PostgresServer.start({ settings: SETTINGS }))
    await postgres.server.run('CREATE EXTENSION pg_stat_statements')
    return postgres
  }

  /** A new database with Tern's tables. */
  async makeTables(): Promise<string> {
    const url = await this.server.makeDatabase()
    await (await openPostgresStore({ url })).close()
    return url
  }

  /** Of all its processes, those that have ended included. */
  cpuUs(): number {
    for (let tries = 1; ; tries++) {
      try {
        return familyCpuUs(this.server.pid)
      } catch (error) {
        // One of them has ended in this moment.
        if (tries === TRIES_MAX) throw error
      }
    }
  }

  async walBytes(): Promise<number> {
    const [row] = await this.server.run(
      `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`,
    )
    return row!.bytes as number
  }

  /** Done by everybody in that database since the last `forgetStatements`. */
  async statements(url: string): Promise<Statement[]> {
    const rows = await this.server.run(`SELECT query, calls::float8, rows::float8 FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = '${databaseOf(url)}')`)
    return rows as Statement[]
  }

  async forgetStatements(): Promise<void> {
    await this.server.run('SELECT pg_stat_statements_reset()')
  }

  /** Since the tables were made; partitions are added up. */
  async tables(url: string): Promise<TableWork[]> {
    const rows = await this.server.run(
      `SELECT regexp_replace(relname, '_of_[0-9_]+$', '') AS table,
        sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 AS "rowsWritten",
        sum(pg_total_relation_size(relid))::float8 AS bytes FROM pg_stat_user_tables GROUP BY 1 ORDER BY 2 DESC`,
      databaseOf(url),
    )
    return rows as TableWork[]
  }

  async checkpoint(): Promise<void> {
    await this.server.run('CHECKPOINT')
  }

  /** PostgreSQL's own load generator, the transaction prepared, as often as it gets done. */
  async pgbench(
    url: string,
    load: { transaction: string; clients: number; seconds: number },
  ): Promise<Pgbench> {
    const script = join(this.server.dataFolder, '..', 'pgbench.sql')
    writeFileSync(script, `${load.transaction}\n`)
    const words = [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(load.clients),
      '-T',
      String(load.seconds),
      '-f',
      script,
    ]
    const before = this.cpuUs()
    const run = Bun.spawn([join(findPostgres()!, 'pgbench'), ...words, url], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const text = await run.stdout.text()
    if ((await run.exited) !== 0) throw new Error(`pgbench failed: ${text}`)
    return {
      transactions: Number(/actually processed: (\d+)/.exec(text)![1]),
      perSecond: Number(/tps = ([\d.]+)/.exec(text)![1]),
      clientUs: Number(run.resourceUsage()!.cpuTime.total),
      postgresUs: this.cpuUs() - before,
    }
  }
}

export const databaseOf = (url: string): string => new URL(url).pathname.slice(1)
