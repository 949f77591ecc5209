import { type ReservedSQL, SQL } from 'bun'
import type { CompiledQuery, QueryResult } from 'kysely'
import { systemClock } from '../clock.ts'
import { StoreUnavailable } from '../store-unavailable.ts'

/** Whoever waits for a free connection for so long is told to come again. */
const WAIT_MS_MAX = 5_000
const CONNECT_SECONDS_MAX = 3
/** Behind the server's own limit; a server that does not keep it is not there any more. */
const GRACE_MS = 2_000
const FOR_REPORTS = {
  // For the list of what a search has to look at. With the usual 4 MB the server remembers only on which pages those are,
  // and looks at everything there: of ten million links, twenty times as much.
  work_mem: '32MB',
  // Else a statement is planned for any text and any range from its sixth time on: a search then walked through all links
  // of its account (90 ms where its index takes 9).
  plan_cache_mode: 'force_custom_plan',
}
const LOOK_EVERY_MS = 500
const LISTEN_AGAIN_MS = 1_000

export type PoolSettings = {
  url: string
  /** Besides one for all that listens. */
  connectionsMax: number
  /** The server gives up a statement that takes longer. */
  statementMsMax: number
  /** `off`: the server does not wait for its disk, so that its crash may take the last moments with it. */
  synchronousCommit: 'on' | 'off'
  isReadOnly?: boolean
  /** Questions that are about much, and differ from each other. */
  isForReports?: boolean
}

export type PoolQuery = Pick<CompiledQuery, 'sql' | 'parameters'>

/** `command` is what the server says it did: a COMMIT of a transaction that has failed is a ROLLBACK. */
export type PoolResult<Row> = QueryResult<Row> & { command: string }

/** A connection that is nobody else's until it is given back. */
export type Session = {
  run<Row>(query: PoolQuery): Promise<PoolResult<Row>>
  /** Once. `isBroken`: nobody can say what the connection is in the middle of, so it is closed. */
  giveBack(isBroken?: boolean): void
}

type Listener = { channel: string; hear(): void }

type Waiting = { resolve(): void; reject(error: Error): void; sinceMs: number }

/**
 * A bounded number of connections to one server, and a queue before them. A server that does not answer at all (a cut
 * network says nothing) is found by the clock: all connections are then closed, which refuses what waits for them, and
 * new ones are made for whoever comes next.
 */
export class PostgresPool {
  readonly #settings: PoolSettings
  readonly #waiting: Waiting[] = []
  /** When each statement that is under way was handed over. */
  readonly #underWay = new Set<{ sinceMs: number }>()
  readonly #listening: Listener[] = []
  #sql: SQL
  #free: number
  #timer: Timer | undefined
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
    this.#free = settings.connectionsMax
    this.#sql = this.#connect()
  }

  /** One statement, on whichever connection is free. */
  async run<Row>(query: PoolQuery): Promise<PoolResult<Row>> {
    await this.#enter()
    try {
      return await this.#ask<Row>(this.#sql, query)
    } finally {
      this.#leave()
    }
  }

  async reserve(): Promise<Session> {
    await this.#enter()
    const sql = this.#sql
    let reserved: ReservedSQL
    try {
      reserved = await this.#inTime(sql.reserve())
    } catch (error) {
      this.#leave()
      throw error
    }
    return {
      run: (query) => this.#ask(reserved, query),
      giveBack: (isBroken = false) => {
        if (isBroken) void reserved.close({ timeout: 0 }).catch(() => {})
        else reserved.release()
        this.#leave()
      },
    }
  }

  /** Hears when somebody says something on the channel. The connection is made anew when it breaks; what is said meanwhile is missed. */
  listen(channel: string, hear: () => void): void {
    this.#listening.push({ channel, hear })
    this.#listenOn(this.#sql, { channel, hear })
  }

  /** Waits for what is under way, but not for a server that does not respond. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new StoreUnavailable('The store is closed.'))
    const deadline = systemClock.monotonicMs() + GRACE_MS
    while (this.#underWay.size > 0 && systemClock.monotonicMs() < deadline) await Bun.sleep(5)
    clearInterval(this.#timer)
    await this.#sql.close({ timeout: 0 })
  }

  #connect(): SQL {
    const { url, connectionsMax, statementMsMax, synchronousCommit, isReadOnly, isForReports } =
      this.#settings
    return new SQL(url, {
      max: connectionsMax,
      connectionTimeout: CONNECT_SECONDS_MAX,
      idleTimeout: 0,
      // Counts and times are 64 bits wide; as texts they could not be told from texts.
      bigint: true,
      connection: {
        application_name: 'tern',
        statement_timeout: statementMsMax,
        idle_in_transaction_session_timeout: statementMsMax,
        synchronous_commit: synchronousCommit,
        timezone: 'UTC',
        // Compiling a report took longer than any report (0.1 to 0.5 s), and a table of audiences was read through
        // instead of by its index, as if the disk had to turn for it.
        jit: 'off',
        random_page_cost: 1.1,
        // What a node that is cut off holds is free again within half a minute.
        tcp_keepalives_idle: 10,
        tcp_keepalives_interval: 5,
        tcp_keepalives_count: 3,
        ...(isReadOnly ? { default_transaction_read_only: 'on' } : {}),
        ...(isForReports ? FOR_REPORTS : {}),
      },
    })
  }

  #renew(): void {
    const broken = this.#sql
    this.#sql = this.#connect()
    for (const listener of this.#listening) this.#listenOn(this.#sql, listener)
    void broken.close({ timeout: 0 }).catch(() => {})
  }

  #listenOn(sql: SQL, listener: Listener): void {
    // One that breaks is made anew by the runtime; one that could not be made at first is not.
    sql.listen(listener.channel, listener.hear).catch(() => {
      const again = () => sql === this.#sql && !this.#isClosed && this.#listenOn(sql, listener)
      setTimeout(again, LISTEN_AGAIN_MS).unref()
    })
  }

  async #enter(): Promise<void> {
    if (this.#isClosed) throw new StoreUnavailable('The store is closed.')
    if (this.#free > 0) return void this.#free--
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ resolve, reject, sinceMs: systemClock.monotonicMs() })
    this.#watch()
    await promise
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next.resolve()
  }

  async #ask<Row>(sql: SQL, { sql: text, parameters }: PoolQuery): Promise<PoolResult<Row>> {
    const result = await this.#inTime(sql.unsafe(text, parameters.map(toPostgres)))
    const { count, command } = result as unknown as { count: number; command: string }
    // A list of nothing but rows.
    const rows: Row[] = [...result]
    for (const row of rows) numbersIn(row as Record<string, unknown>)
    return command === 'SELECT' ? { rows, command } : { rows, command, numAffectedRows: BigInt(count ?? 0) }
  }

  async #inTime<Value>(asked: PromiseLike<Value>): Promise<Value> {
    const mark = { sinceMs: systemClock.monotonicMs() }
    this.#underWay.add(mark)
    this.#watch()
    try {
      return await asked
    } finally {
      this.#underWay.delete(mark)
    }
  }

  #watch(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS)
  }

  #look(): void {
    const nowMs = systemClock.monotonicMs()
    while (this.#waiting.length > 0 && nowMs - this.#waiting[0]!.sinceMs > WAIT_MS_MAX) {
      this.#waiting.shift()!.reject(new StoreUnavailable('No connection to the database was free in time.'))
    }
    const msMax = this.#settings.statementMsMax + GRACE_MS
    const isSilent = [...this.#underWay].some(({ sinceMs }) => nowMs - sinceMs > msMax)
    if (isSilent) {
      this.#underWay.clear()
      this.#renew()
    }
    if (this.#underWay.size > 0 || this.#waiting.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Whole numbers all as 64 bits: otherwise the same statement would be prepared anew for small and for large ones. */
function toPostgres(value: unknown): unknown {
  // No text of PostgreSQL has a NUL in it, and to look for one is refused; so it is looked for where nothing is found.
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}

/** Nothing of ours is beyond what a number holds exactly. */
function numbersIn(row: Record<string, unknown>): void {
  for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name])
}
