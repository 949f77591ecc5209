import type { Log } from '../../runtime/log.ts'
import { programCommand } from '../../runtime/program-command.ts'

/** A worker that ends by itself is restarted, but not faster than this. */
const RESTART_MS = 1_000
const READY = 'ready'

type WorkersSettings = {
  log: Log
  stopSignal: Promise<unknown>
  /** A worker that takes longer to end is killed. */
  stopMsMax: number
  /** Called once all of them are ready. */
  onReady(): void
  onStop(): void
}

/** Sent by a worker that is ready. */
export const notifyReady = (): void => void process.send?.(READY)

/**
 * Starts this many worker processes and keeps them running until the stop signal; then each ends in order. If one cannot
 * start, all end: the others would have the same problem.
 */
export async function runWorkers(count: number, settings: WorkersSettings): Promise<void> {
  const workers = Array.from({ length: count }, (_, i) => new WorkerProcess(i + 1, { count, ...settings }))
  const failed = Promise.race(workers.map((worker) => worker.failed))
  const stopped = settings.stopSignal.then(() => undefined)
  try {
    const failure = await Promise.race([Promise.all(workers.map((worker) => worker.ready)), failed, stopped])
    if (failure instanceof Error) throw failure
    if (Array.isArray(failure)) {
      settings.onReady()
      await stopped
    }
    settings.onStop()
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

/**
 * A worker, as the process that started it sees it.
 *
 *   starting ──(ready)──▶ running ──(ends by itself)──▶ starting
 *      └──(ends)──▶ failed     └──(stop)──▶ stopped
 */
class WorkerProcess {
  readonly #words: string[]
  readonly #log: Log
  readonly #ready = Promise.withResolvers<void>()
  readonly #failed = Promise.withResolvers<Error>()
  readonly #number: number
  readonly #stopMsMax: number
  #child: Bun.Subprocess
  #hasAnswered = false
  #isStopping = false

  constructor(
    number: number,
    { count, log, stopMsMax }: Pick<WorkersSettings, 'log' | 'stopMsMax'> & { count: number },
  ) {
    this.#number = number
    this.#stopMsMax = stopMsMax
    this.#words = ['serve', '--worker', `${number}/${count}`]
    this.#log = log
    this.#child = this.#start()
  }

  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Resolves, with the reason, only when it has ended before it was ready. */
  get failed(): Promise<Error> {
    return this.#failed.promise
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#child.kill('SIGTERM')
    const inTime = await Promise.race([this.#child.exited, Bun.sleep(this.#stopMsMax).then(() => 'late')])
    if (inTime === 'late') this.#child.kill('SIGKILL')
  }

  #start(): Bun.Subprocess {
    const child = Bun.spawn([...programCommand(), ...this.#words], {
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      ipc: () => this.#hearAnswer(),
    })
    void child.exited.then((exitCode) => this.#ended(exitCode))
    return child
  }

  #hearAnswer(): void {
    this.#hasAnswered = true
    this.#ready.resolve()
  }

  async #ended(exitCode: number): Promise<void> {
    if (this.#isStopping) return
    if (!this.#hasAnswered) return this.#failed.resolve(new Error(`Worker ${this.#number} could not start.`))
    this.#log.error('A worker stopped and is being restarted.', { worker: this.#number, exit_code: exitCode })
    await Bun.sleep(RESTART_MS)
    if (!this.#isStopping) this.#child = this.#start()
  }
}
