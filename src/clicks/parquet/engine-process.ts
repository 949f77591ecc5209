import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { type CallEngine, type EngineApi, type EngineRequest, RemoteCalls } from './engine-calls.ts'
import { EngineError, EXIT_UNSUPPORTED } from './engine-error.ts'
import { programCommand } from '../../runtime/program-command.ts'
import type { FromEngine } from './serve-engine.ts'

/** The hidden command that serves the engine. */
export const CLICK_ENGINE_COMMAND = 'click-engine'

/** Starts the engine of a data folder. */
export const engineCommand = (dataDir: string): string[] => [
  ...programCommand(),
  CLICK_ENGINE_COMMAND,
  dataDir,
]

const IDLE_MS = 5 * 60_000
/** It takes a quarter of a second, and much longer on a machine that has too much to do. */
const START_MS_MAX = 60_000
/** After a death, doubled with each further one. */
const RETRY_MS = 1_000
const RETRY_MS_MAX = 60_000
/** A query that DuckDB does not interrupt in time ends with the process. */
const OVERTIME_MS = 5_000

type EngineProcessOptions = {
  command: readonly string[]
  clock: Clock
  log: Log
  idleMs?: number
  startMsMax?: number
  overtimeMs?: number
}

/**
 * The engine's process, as the thread that owns it sees it.
 *
 *   off ──(call)──▶ starting ──('ready')──▶ running ──(no call for some minutes)──▶ off
 *    ▲                 └────────(ends)─────────┴──(ends by itself)──▶ away
 *    └──────────────────────────────(delay)────────────────────────────┘
 */
export class EngineProcess {
  readonly #options: EngineProcessOptions
  #running: RunningEngine | undefined
  #failures = 0
  #awayUntilMs = 0
  #isUnsupported = false
  #idleTimer: Timer | undefined

  constructor(options: EngineProcessOptions) {
    this.#options = options
  }

  /** False where DuckDB has no binary for the platform. Starts the process. */
  async isSupported(): Promise<boolean> {
    if (!this.#isUnsupported)
      await this.#start().ready.catch((error: EngineError) => {
        if (error.code !== 'unsupported') throw error
      })
    return !this.#isUnsupported
  }

  readonly call: CallEngine = async (name, input, signal) => {
    const engine = this.#start()
    clearTimeout(this.#idleTimer)
    let overtime: Timer | undefined
    engine.calls++
    try {
      await engine.ready
      if (name === 'query') overtime = this.#killLate(engine, input as EngineApi['query']['input'])
      const result = await engine.remote.call(name, input, signal)
      this.#failures = 0
      return result as never
    } finally {
      clearTimeout(overtime)
      engine.calls--
      if (engine === this.#running && engine.calls === 0) this.#endLater()
    }
  }

  /** Calls in progress fail. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const engine = this.#running
    this.#running = undefined
    engine?.end()
    await engine?.ended
  }

  #start(): RunningEngine {
    if (this.#running !== undefined) return this.#running
    if (this.#isUnsupported) throw new EngineError('unsupported', 'DuckDB does not run on this platform.')
    if (this.#options.clock.monotonicMs() < this.#awayUntilMs)
      throw new EngineError('away', 'The click engine is being restarted.')
    const engine = new RunningEngine(this.#options.command, (exit) => {
      if (engine === this.#running) this.#restartLater(exit)
    })
    this.#running = engine
    const isLate = setTimeout(() => engine.kill(), this.#options.startMsMax ?? START_MS_MAX)
    void engine.ready.catch(() => {}).finally(() => clearTimeout(isLate))
    return engine
  }

  #restartLater(exit: Exit): void {
    this.#running = undefined
    this.#isUnsupported = exit.exit_code === EXIT_UNSUPPORTED
    if (this.#isUnsupported) return
    const delayMs = Math.min(RETRY_MS * 2 ** this.#failures++, RETRY_MS_MAX)
    this.#awayUntilMs = this.#options.clock.monotonicMs() + delayMs
    this.#options.log.error('The click engine ended and will be restarted.', { ...exit, delay_ms: delayMs })
  }

  #killLate(engine: RunningEngine, { msMax }: EngineApi['query']['input']): Timer {
    return setTimeout(() => engine.kill(), msMax + (this.#options.overtimeMs ?? OVERTIME_MS))
  }

  /** Gives back its memory. */
  #endLater(): void {
    this.#idleTimer = setTimeout(() => void this.close(), this.#options.idleMs ?? IDLE_MS)
    this.#idleTimer.unref()
  }
}

type Exit = { exit_code: number | null; signal: string | number | null }

class RunningEngine {
  readonly remote: RemoteCalls
  /** How many are not answered yet. */
  calls = 0
  readonly #child: Bun.Subprocess
  readonly #ready = Promise.withResolvers<void>()

  constructor(command: readonly string[], onEnd: (exit: Exit) => void) {
    this.remote = new RemoteCalls((request) => this.#send(request))
    this.#child = Bun.spawn([...command], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
      ipc: (message: FromEngine) => this.#receive(message),
    })
    this.#ready.promise.catch(() => {}) // Nobody has to wait for it.
    void this.#child.exited.then((exitCode) => {
      // First, so that nobody calls it once its calls have failed.
      onEnd({ exit_code: this.#child.exitCode, signal: this.#child.signalCode })
      this.#failAll(exitCode)
    })
  }

  /** Rejects if the process ends first. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  get ended(): Promise<unknown> {
    return this.#child.exited
  }

  end(): void {
    this.#child.disconnect()
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #send(request: EngineRequest): void {
    // The channel closes a moment before the end of the process is known; then all calls fail.
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.send(request)
  }

  #receive(message: FromEngine): void {
    if (message.kind === 'ready') this.#ready.resolve()
    else this.remote.receive(message)
  }

  #failAll(exitCode: number): void {
    const error =
      exitCode === EXIT_UNSUPPORTED
        ? new EngineError('unsupported', 'DuckDB does not run on this platform.')
        : new EngineError('away', 'The click engine has ended.')
    this.#ready.reject(error)
    this.remote.failAll(error)
  }
}
