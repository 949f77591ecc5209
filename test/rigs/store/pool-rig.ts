import { type PoolSettings, PostgresPool } from '../../../src/store/postgres/postgres-pool.ts'
import { eventually } from '../eventually.ts'
import type { PostgresServer } from './postgres-server.ts'

export const CONNECTIONS = 3

/** Pools of a new database, and the server's processes that serve them. */
export async function openPoolRig(server: PostgresServer, settings: Partial<PoolSettings> = {}) {
  const url = await server.makeDatabase()
  const database = new URL(url).pathname.slice(1)
  const pools: PostgresPool[] = []
  let stopped: number[] = []

  const backends = async (): Promise<number[]> => {
    const rows = await server.run(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'tern' AND datname = '${database}'`,
    )
    return rows.map(({ pid }) => pid as number)
  }
  const goOn = () => {
    for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT')
  }
  return {
    backends,
    goOn,
    open(others: Partial<PoolSettings> = {}): PostgresPool {
      const limits = { connectionsMax: CONNECTIONS, statementMsMax: 10_000 }
      const pool = new PostgresPool({ url, ...limits, synchronousCommit: 'on', ...settings, ...others })
      pools.push(pool)
      return pool
    },
    /** As the operator; also what has to go through while the pools' connections do not. */
    run: (text: string) => server.run(text, database),
    /** From now on the connections that there are say nothing any more, until `goOn`. */
    async stopBackends(): Promise<number[]> {
      stopped = await backends()
      for (const pid of stopped) process.kill(pid, 'SIGSTOP')
      return [...stopped]
    },
    /** No new ones are made either. */
    stopServer(): void {
      stopped.push(server.pid)
      process.kill(server.pid, 'SIGSTOP')
    },
    /** Closes the pools; what processes are left then. */
    async end(): Promise<number[]> {
      goOn()
      await Promise.all(pools.splice(0).map((pool) => pool.close()))
      return eventually(backends, ({ length }) => length === 0)
    },
  }
}

export type PoolRig = Awaited<ReturnType<typeof openPoolRig>>

export const statement = (sql: string, ...parameters: unknown[]) => ({ sql, parameters })

export const ask = async <Row>(pool: PostgresPool, sql: string, ...parameters: unknown[]): Promise<Row[]> =>
  (await pool.run<Row>(statement(sql, ...parameters))).rows

export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  )

/** What they say when nobody holds one of the pool's connections, and all are good: CONNECTIONS times 1. */
export async function askAllAtOnce(pool: PostgresPool): Promise<number[]> {
  const sessions = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.reserve()))
  const answers = await Promise.all(
    sessions.map((session) => session.run<{ one: number }>(statement('SELECT 1 AS one'))),
  )
  for (const session of sessions) session.giveBack()
  return answers.flatMap(({ rows }) => rows.map(({ one }) => one))
}
