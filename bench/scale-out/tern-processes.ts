import type { OperatedFolder } from '../../test/rigs/program/operated-folder.ts'
import { ServerProcess } from '../../test/rigs/program/server-process.ts'
import { childrenOf, cpuUs, familyCpuUs, waitFor } from '../rigs/measure.ts'

const LOOK_EVERY_MS = 300

/** One `tern serve`, or `tern serve --workers` on one port, as an operator starts it. */
export class TernProcesses {
  readonly #folder: OperatedFolder
  readonly #server: ServerProcess
  /** Those that answer. */
  readonly #pids: readonly number[]

  private constructor(folder: OperatedFolder, server: ServerProcess, pids: readonly number[]) {
    this.#folder = folder
    this.#server = server
    this.#pids = pids
  }

  static async start(folder: OperatedFolder, count: number): Promise<TernProcesses> {
    const options = count === 1 ? [] : ['--workers', String(count)]
    const server = await ServerProcess.start(folder.settings, { options })
    const pids = count === 1 ? [server.pid] : childrenOf(server.pid)
    if (pids.length !== count) throw new Error(`${pids.length} processes instead of ${count}.`)
    return new TernProcesses(folder, server, pids)
  }

  /** Of all processes and threads. */
  cpuUs(): number {
    return familyCpuUs(this.#server.pid)
  }

  /** Of the threads that answer visitors. */
  visitorsCpuUs(): number {
    return this.#pids.reduce((sum, pid) => sum + cpuUs(pid, pid), 0)
  }

  /** Clicks of the account, as far as they are counted. */
  async clicks(): Promise<number> {
    const { body } = await this.#folder.api('GET', '/api/analytics/overview')
    return JSON.parse(body).data.overview.total_clicks
  }

  /** All of this many clicks, and up to `others` more that may have come with them. */
  async hasCounted(clicks: number, others: number): Promise<void> {
    await waitFor('all clicks are counted', async () => (await this.clicks()) >= clicks)
    for (let last = -1, now = await this.clicks(); now !== last; last = now, now = await this.clicks()) {
      if (now > clicks + others) throw new Error(`${clicks} sent, ${now} counted.`)
      await Bun.sleep(LOOK_EVERY_MS)
    }
  }

  async stop(): Promise<void> {
    const { exitCode, complaints } = await this.#server.stop()
    if (exitCode !== 0) throw new Error(`Tern ended with ${exitCode}: ${complaints}`)
  }
}
