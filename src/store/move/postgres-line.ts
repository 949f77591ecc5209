import { type ReservedSQL, SQL } from 'bun'
import { Refusal } from '../../refusal.ts'
import { StoreUnavailable } from '../../store-unavailable.ts'
import type { Lines } from './move-side.ts'

const CONNECT_SECONDS_MAX = 10

/** What the runtime has of COPY, and its types do not. */
type Copying = {
  writable(): Promise<WritableStream<Uint8Array>>
  readable(): Promise<ReadableStream<Uint8Array>>
}

/**
 * One connection, for all that a move has to do on its side. What it has locked ends with it; it is never made anew by
 * itself, so a statement that is answered was within the same transaction.
 */
export class PostgresLine {
  readonly #sql: SQL
  readonly #reserved: ReservedSQL

  private constructor(sql: SQL, reserved: ReservedSQL) {
    this.#sql = sql
    this.#reserved = reserved
  }

  static async open(url: string): Promise<PostgresLine> {
    const sql = new SQL(url, {
      max: 1,
      connectionTimeout: CONNECT_SECONDS_MAX,
      idleTimeout: 0,
      bigint: true,
      connection: {
        application_name: 'tern store move',
        // A table takes as long as it takes; what waits for somebody else has a limit of its own.
        statement_timeout: 0,
        idle_in_transaction_session_timeout: 0,
        synchronous_commit: 'on',
        timezone: 'UTC',
        // Where this process is cut off, the locks are gone within half a minute.
        tcp_keepalives_idle: 10,
        tcp_keepalives_interval: 5,
        tcp_keepalives_count: 3,
      },
    })
    try {
      const line = new PostgresLine(sql, await sql.reserve())
      await line.run(NOTICE_A_KILL)
      return line
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

  async copyIn(text: string, lines: Lines): Promise<void> {
    const copying = this.#reserved.unsafe(text) as unknown as Copying
    const writer = (await copying.writable()).getWriter()
    for await (const some of lines) await writer.write(some)
    await writer.close()
  }

  async *copyOut(text: string): AsyncGenerator<Uint8Array> {
    const copying = this.#reserved.unsafe(text) as unknown as Copying
    yield* await copying.readable()
  }

  /** Only one move at a time has a database in hand. One that was killed a moment ago may have it still. */
  async takeLock(place: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      const taken = await this.value(`SELECT pg_try_advisory_lock(hashtextextended('tern store move', 0))`)
      if (taken === true) return
      if (tries === LOCK_TRIES_MAX)
        throw new Refusal('invalid', `Another move is already running on ${place}.`)
      await Bun.sleep(KILLED_PAUSE_MS)
    }
  }

  /** Begins a transaction in which nobody else changes the tables. Others may hold some of them, so it tries again. */
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

/** A server that makes an index, say, would not look after its client before that is made. PostgreSQL 13 cannot. */
const NOTICE_A_KILL = `SELECT set_config('client_connection_check_interval', '2s', false)
  WHERE current_setting('server_version_num')::int >= 140000`
const KILLED_PAUSE_MS = 500

/** Who writes waits behind this for as long. */
const LOCK_MS_MAX = 10_000
/** Of either kind of lock. */
const LOCK_TRIES_MAX = 6
const LOCK_PAUSE_MS = 2_000
/** Not in time, or in a circle of which PostgreSQL has ended this one's wait. */
const OTHERS_HOLD: ReadonlySet<string> = new Set(['55P03', '40P01'])
