import type { ReservedSQL, SQL } from 'bun'
import { Refusal } from '../../errors/refusal.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import { inSchema, schemaOfUrl } from '../postgres/schema-of-url.ts'
import type { RowStream } from './move-endpoint.ts'

const CONNECT_SECONDS_MAX = 10

/** COPY in the runtime's driver, which its types do not have. */
type Copying = {
  writable(): Promise<WritableStream<Uint8Array>>
  readable(): Promise<ReadableStream<Uint8Array>>
}

/**
 * The one connection of a move to PostgreSQL. Its locks end with it. It never reconnects, so a statement that succeeds ran
 * in the same transaction as the ones before it.
 */
export class MoveConnection {
  readonly #sql: SQL
  readonly #reserved: ReservedSQL

  private constructor(sql: SQL, reserved: ReservedSQL) {
    this.#sql = sql
    this.#reserved = reserved
  }

  static async open(url: string): Promise<MoveConnection> {
    const { url: withoutSchema, schema } = schemaOfUrl(url)
    const sql = new Bun.SQL(withoutSchema, {
      max: 1,
      connectionTimeout: CONNECT_SECONDS_MAX,
      idleTimeout: 0,
      bigint: true,
      connection: {
        application_name: 'tern store move',
        // Copying a table may take hours. Waiting for a lock has its own limit.
        statement_timeout: 0,
        idle_in_transaction_session_timeout: 0,
        synchronous_commit: 'on',
        timezone: 'UTC',
        ...inSchema(schema),
        // If this process loses its network, its locks are released within half a minute.
        tcp_keepalives_idle: 10,
        tcp_keepalives_interval: 5,
        tcp_keepalives_count: 3,
      },
    })
    try {
      const connection = new MoveConnection(sql, await sql.reserve())
      await connection.run(NOTICE_A_KILL)
      return connection
    } catch (error) {
      await sql.close({ timeout: 0 })
      throw error
    }
  }

  async run<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return [...(await this.#reserved.unsafe(text, [...parameters]))]
  }

  /** The only value of the only row. */
  async value(text: string, parameters: readonly unknown[] = []): Promise<unknown> {
    const [row] = await this.run<Record<string, unknown>>(text, parameters)
    return Object.values(row!)[0]
  }

  async copyIn(text: string, lines: RowStream): Promise<void> {
    const copying = this.#reserved.unsafe(text) as unknown as Copying
    const writer = (await copying.writable()).getWriter()
    for await (const some of lines) await writer.write(some)
    await writer.close()
  }

  async *copyOut(text: string): AsyncGenerator<Uint8Array> {
    const copying = this.#reserved.unsafe(text) as unknown as Copying
    yield* await copying.readable()
  }

  /** One move at a time. One that was just killed may hold the lock for a moment longer. */
  async takeLock(location: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      const owner = await this.value(
        `SELECT pg_try_advisory_lock(hashtextextended(concat(nullif(current_schema(), 'public'), 'tern store move'), 0))`,
      )
      if (owner === true) return
      if (tries === LOCK_TRIES_MAX)
        throw new Refusal('command_failed', `Another move is already running on ${location}.`)
      await Bun.sleep(KILLED_PAUSE_MS)
    }
  }

  /** Begins a transaction in which nobody else changes the tables. Retries while others hold some of them. */
  async beginAlone(tables: readonly string[], mode: 'EXCLUSIVE' | 'ACCESS EXCLUSIVE'): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.run('BEGIN')
        await this.run(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`)
        await this.run(`LOCK TABLE ${tables.join(', ')} IN ${mode} MODE`)
        await this.run('SET LOCAL lock_timeout = 0')
        return
      } catch (error) {
        if (!OTHERS_HOLD.has(String((error as { errno?: unknown }).errno))) throw error
        await this.run('ROLLBACK')
        if (attempt === LOCK_TRIES_MAX)
          throw new StoreUnavailable(
            'Some long work holds the tables of PostgreSQL: see pg_stat_activity, and try again.',
          )
      }
      await Bun.sleep(LOCK_PAUSE_MS)
    }
  }

  async close(): Promise<void> {
    await this.#sql.close({ timeout: 0 })
  }
}

/** Otherwise a server that builds an index notices a lost client only afterwards. PostgreSQL 13 cannot do this. */
const NOTICE_A_KILL = `SELECT set_config('client_connection_check_interval', '2s', false)
  WHERE current_setting('server_version_num')::int >= 140000`
const KILLED_PAUSE_MS = 500

/** Writers wait behind this lock request for as long. */
const LOCK_MS_MAX = 10_000
const LOCK_TRIES_MAX = 6
const LOCK_PAUSE_MS = 2_000
/** Lock timeout, and deadlock. */
const OTHERS_HOLD: ReadonlySet<string> = new Set(['55P03', '40P01'])
