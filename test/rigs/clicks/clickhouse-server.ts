import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isQuickRun, skipBecause } from '../../skips.ts'
import { until } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { lacksPostgres } from '../store/postgres-server.ts'

/** A server to test against instead of the library. It is not killed. */
const REAL_URL = process.env.CLICKHOUSE_TEST_URL
const PACKAGES = join(import.meta.dir, '../../clickhouse-engine/node_modules')

/** As ClickHouse takes them by default. */
const URLS_AS_LONG = '--max-http-header-size=1048576'

/** Whether tests of ClickHouse are left out, with the reason where one runs all there is. */
export const lacksClickHouse =
  isQuickRun ||
  lacksPostgres('clicks in ClickHouse') ||
  (REAL_URL === undefined &&
    !existsSync(PACKAGES) &&
    skipBecause('clicks in ClickHouse', 'npm install --no-package-lock --prefix test/clickhouse-engine'))

export const isRealClickHouse = REAL_URL !== undefined

/** ClickHouse in a process of its own, or the server that CLICKHOUSE_TEST_URL names. */
export class ClickHouseServer {
  readonly #port = freePort()
  readonly #databases: string[] = []
  #child: Bun.Subprocess | undefined

  private constructor(readonly folder: string) {}

  static async start(folder: string): Promise<ClickHouseServer> {
    const server = new ClickHouseServer(folder)
    await server.startAgain()
    return server
  }

  /** Of the server. */
  get url(): string {
    return REAL_URL?.replace(/\/*$/, '') ?? `http://127.0.0.1:${this.#port}`
  }

  /** Of its process; undefined for a server that is not ours. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** The URL of a new database. */
  async makeDatabase(): Promise<string> {
    const name = `tern_${crypto.randomUUID().replaceAll('-', '')}`
    this.#databases.push(name)
    await this.run(`CREATE DATABASE ${name}`)
    return `${this.url}/${name}`
  }

  async run(statement: string): Promise<string> {
    const { origin, username, password } = new URL(this.url)
    const headers = { 'X-ClickHouse-User': username || 'default', 'X-ClickHouse-Key': password }
    const response = await fetch(origin, { method: 'POST', body: statement, headers, keepalive: false })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }

  /** After `kill`, on the same folder. */
  async startAgain(): Promise<void> {
    if (isRealClickHouse) return
    const script = join(import.meta.dir, 'clickhouse-server.script.ts')
    const command = [process.execPath, URLS_AS_LONG, script, PACKAGES, this.folder, String(this.#port)]
    // It ends with the tests, also when those are killed: its input ends then.
    this.#child = Bun.spawn(command, { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
    this.#child.unref()
    const isUp = () =>
      this.run('SELECT 1').then(
        () => true,
        () => false,
      )
    await until(isUp)
  }

  /** At once, whatever it does. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#child?.exited
  }

  async stop(): Promise<void> {
    if (isRealClickHouse) for (const name of this.#databases) await this.run(`DROP DATABASE ${name}`)
    await this.kill()
  }
}
