import type { ReservedSQL, SQL } from 'bun'
import type { CompiledQuery, QueryResult } from 'kysely'
import { systemClock } from '../../runtime/clock.ts'
import { StoreUnavailable } from '../../errors/store-unavailable.ts'
import { type WaitingTime, waitingTime } from '../waiting-time.ts'
import { type ConnectionSettings, connectTo } from './postgres-connection.ts'
import type { ServerWatch } from './server-watch.ts'

/** After the server's own limit. A server that exceeds this is considered lost. */
const GRACE_MS = 1_500
/** A statement or a wait that takes longer makes the pool check whether the server responds at all. */
const SLOW_MS = 1_500
const LOOK_EVERY_MS = 500
const LISTEN_AGAIN_MS = 1_000

/** `connectionsMax`: besides one for all listeners. `watch` notices a server that does not respond before its limits end. */
export type PoolSettings = ConnectionSettings & { watch?: ServerWatch }

export type PoolQuery = Pick<CompiledQuery, 'sql' | 'parameters'>

/** `command` is what the server did: a COMMIT of a failed transaction is a ROLLBACK. */
export type PoolResult<Row> = QueryResult<Row> & { command: string }

/** A connection reserved for one caller until it is given back. */
export type Session = {
  run<Row>(query: PoolQuery): Promise<PoolResult<Row>>
  /** Call it once. `isBroken`: the connection is in an unknown state and is closed. */
  giveBack(isBroken?: boolean): void
}

type Listener = { channel: string; onNotify(): void }

type Waiting = { resolve(): void; reject(error: Error): void; time: WaitingTime }

/**
 * A bounded number of connections to one server, and a queue for them. If the server stops responding without closing its
 * connections, as when a network is cut, a timeout closes them all. Waiting statements are refused then, and the next ones
 * connect again.
 */
export class PostgresPool {
  readonly #settings: PoolSettings
  readonly #waiting: Waiting[] = []
  /** When each running statement was sent. */
  readonly #underWay = new Set<{ sinceMs: number }>()
  readonly #listening: Listener[] = []
  #sql: SQL
  #free: number
  #timer: Timer | undefined
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
    this.#free = settings.connectionsMax
    this.#sql = connectTo(settings)
    settings.watch?.onSilence(() => this.#giveUp())
  }

  /** Runs one statement on any free connection. */
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

  /** Calls on each notification of the channel. Reconnects when the connection breaks; notifications until then are missed. */
  listen(channel: string, onNotify: () => void): void {
    this.#listening.push({ channel, onNotify })
    this.#listenOn(this.#sql, { channel, onNotify })
  }

  /** Waits for running statements, but not for a server that does not respond. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new StoreUnavailable('The store is closed.'))
    const deadline = systemClock.monotonicMs() + GRACE_MS
    while (this.#underWay.size > 0 && systemClock.monotonicMs() < deadline) await Bun.sleep(5)
    clearInterval(this.#timer)
    await this.#sql.close({ timeout: 0 })
  }

  #renew(): void {
    const broken = this.#sql
    this.#sql = connectTo(this.#settings)
    for (const listener of this.#listening) this.#listenOn(this.#sql, listener)
    void broken.close({ timeout: 0 }).catch(() => {})
  }

  #listenOn(sql: SQL, listener: Listener): void {
    // The runtime reconnects a broken connection, but does not retry the first connect.
    sql.listen(listener.channel, listener.onNotify).catch(() => {
      const again = () => sql === this.#sql && !this.#isClosed && this.#listenOn(sql, listener)
      setTimeout(again, LISTEN_AGAIN_MS).unref()
    })
  }

  async #enter(): Promise<void> {
    if (this.#isClosed) throw new StoreUnavailable('The store is closed.')
    if (this.#settings.watch?.isSilent) throw new StoreUnavailable('The database does not respond.')
    if (this.#free > 0) return void this.#free--
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const time = waitingTime()
    this.#waiting.push({ resolve, reject, time })
    time.begin(systemClock.monotonicMs())
    this.#checkSoon()
    await promise.finally(() => time.end(systemClock.monotonicMs()))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next.resolve()
  }

  async #ask<Row>(sql: SQL, { sql: text, parameters }: PoolQuery): Promise<PoolResult<Row>> {
    const result = await this.#inTime(sql.unsafe(text, parameters.map(toPostgres)))
    const { count, command } = result as unknown as { count: number; command: string }
    // Copied: the driver's result is an array with extra properties.
    const rows: Row[] = [...result]
    for (const row of rows) numbersIn(row as Record<string, unknown>)
    return command === 'SELECT' ? { rows, command } : { rows, command, numAffectedRows: BigInt(count ?? 0) }
  }

  async #inTime<Value>(asked: PromiseLike<Value>): Promise<Value> {
    const mark = { sinceMs: systemClock.monotonicMs() }
    this.#underWay.add(mark)
    this.#checkSoon()
    try {
      return await asked
    } finally {
      this.#underWay.delete(mark)
    }
  }

  #checkSoon(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS)
  }

  #look(): void {
    const nowMs = systemClock.monotonicMs()
    this.#refuseWaiting('No connection to the database was free in time.', ({ time }) => time.isOver(nowMs))
    const msMax = this.#settings.statementMsMax + GRACE_MS
    const takesLonger = (limitMs: number) =>
      [...this.#underWay].some(({ sinceMs }) => nowMs - sinceMs > limitMs)
    if (takesLonger(msMax)) this.#dropConnections()
    else if (takesLonger(SLOW_MS)) this.#settings.watch?.check()
    if (this.#underWay.size > 0 || this.#waiting.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The server does not respond. */
  #giveUp(): void {
    if (this.#isClosed) return
    this.#refuseWaiting('The database does not respond.', () => true)
    if (this.#underWay.size > 0) this.#dropConnections()
  }

  #refuseWaiting(why: string, isRefused: (waiting: Waiting) => boolean): void {
    for (const waiting of this.#waiting.filter(isRefused)) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      waiting.reject(new StoreUnavailable(why))
    }
  }

  #dropConnections(): void {
    this.#underWay.clear()
    this.#renew()
  }
}

/** All integers as 64 bits: otherwise the same statement would be prepared twice, for small and for large ones. */
function toPostgres(value: unknown): unknown {
  // PostgreSQL refuses NUL in texts, even in a search. No stored text contains its replacement, so nothing is found.
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}

/** No value in the tables is beyond what a number holds exactly. */
function numbersIn(row: Record<string, unknown>): void {
  for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name])
}
