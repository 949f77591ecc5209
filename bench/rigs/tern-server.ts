import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cpuUs } from './measure.ts'

const sourceOf = (checkout: string) => [Bun.argv[0]!, join(checkout, 'src/cli/main.ts')]

/** The checkout's source, or the executable that PROGRAM names. */
const PROGRAM =
  process.env.PROGRAM === undefined
    ? sourceOf(join(import.meta.dir, '../..'))
    : [resolve(process.env.PROGRAM)]
export const LINKS_PER_REQUEST = 100
const START_MS_MAX = 60_000
/** Practically none, as a number that versions without 'none' take as well. */
const RATE_LIMIT = '1000000000'

export type TernSettings = {
  dataDir: string
  port: number
  /** Settings beside those that every bench has. */
  environment?: Record<string, string>
  /** What the server is started by, such as `taskset -c 0`. */
  startedBy?: string[]
  /** The folder of another version, which is started instead of this one. */
  checkout?: string | undefined
  /** The path whose answer says that it has started. */
  firstAsked?: string
}

export const BENCH_ACCOUNT = { email: 'bench@example.com', name: 'Bench', password: 'twelve letters' }

export type NewLink = {
  original_url: string
  custom_code?: string
  title?: string
  tags?: string[]
  rules?: object[]
}

/** The program as shipped, with one account whose key is practically unlimited. */
export class TernServer {
  readonly port: number
  readonly url: string
  readonly pid: number
  readonly key: string
  /** Since the start of the process, with its CPU time until then. */
  firstAnswer = { afterMs: Number.NaN, cpuMs: Number.NaN }
  readonly #startedMs = performance.now()
  readonly #process: Bun.Subprocess

  private constructor(command: string[], settings: TernSettings, key: string) {
    this.#process = Bun.spawn(command, {
      env: environmentOf(settings),
      stdout: 'ignore',
      stderr: 'inherit',
    })
    this.pid = this.#process.pid
    this.port = settings.port
    this.url = `http://127.0.0.1:${settings.port}`
    this.key = key
  }

  static async start(settings: TernSettings): Promise<TernServer> {
    mkdirSync(settings.dataDir, { recursive: true })
    const run = commandsOf(settings)
    const { email, name, password } = BENCH_ACCOUNT
    const words = ['--name', name, '--password', password, '--verified']
    // Refused where there is no database: the first account creates it.
    const accounts = await run('account', 'list').catch(() => '')
    if (!accounts.includes(email)) await run('account', 'create', email, ...words)
    const key = await run('key', 'create', email, '--name', 'Bench', '--rate-limit', RATE_LIMIT)
    const command = [...(settings.startedBy ?? []), ...programOf(settings), 'serve']
    const server = new TernServer(command, settings, key)
    await server.#answers(settings.firstAsked ?? '/api/health')
    return server
  }

  get headers(): Record<string, string> {
    return { 'X-API-Key': this.key, 'Content-Type': 'application/json' }
  }

  async createLinks(links: readonly NewLink[]): Promise<void> {
    for (let from = 0; from < links.length; from += LINKS_PER_REQUEST) {
      const body = JSON.stringify({ links: links.slice(from, from + LINKS_PER_REQUEST) })
      const answer = await fetch(`${this.url}/api/bulk-shorten`, {
        method: 'POST',
        headers: this.headers,
        body,
      })
      if (answer.status !== 201) throw new Error(await answer.text())
    }
  }

  /** Runs a command of the program that calls the server. */
  command(...words: string[]): Bun.Subprocess<'ignore', 'pipe', 'inherit'> {
    return Bun.spawn([...PROGRAM, ...words], {
      env: { PATH: process.env.PATH ?? '', BASE_URL: this.url, TERN_API_KEY: this.key },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
  }

  /** Clicks of the account, as far as they are counted. */
  async clicks(): Promise<number> {
    const answer = await fetch(`${this.url}/api/analytics/overview`, { headers: this.headers })
    const { data } = (await answer.json()) as { data: { overview: { total_clicks: number } } }
    return data.overview.total_clicks
  }

  /** The metric no longer changes when the journal has been read completely. */
  async hasCountedAll(): Promise<void> {
    for (let last = -1, now = await this.clicks(); now !== last; last = now, now = await this.clicks())
      await Bun.sleep(500)
  }

  /** One of its metrics that has no label. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text()
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)![1])
  }

  async stop(): Promise<void> {
    this.#process.kill()
    await this.#process.exited
  }

  /** Asks again at once, so that the time of the first answer is known to the millisecond. */
  async #answers(path: string): Promise<void> {
    const isAnswered = async () => (await fetch(this.url + path, { redirect: 'manual' })).status < 400
    while (!(await isAnswered().catch(() => false))) {
      if (performance.now() - this.#startedMs > START_MS_MAX) throw new Error('Tern does not start.')
      await Bun.sleep(1)
    }
    this.firstAnswer = { afterMs: performance.now() - this.#startedMs, cpuMs: cpuUs(this.pid) / 1000 }
  }
}

const programOf = ({ checkout }: TernSettings) =>
  checkout === undefined ? PROGRAM : sourceOf(resolve(checkout))

function environmentOf({ dataDir, port, environment }: TernSettings): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    ...environment,
  }
}

/** Runs a command of the program on the server's data folder, and gives what it prints. */
function commandsOf(settings: TernSettings) {
  return async (...words: string[]): Promise<string> => {
    const command = Bun.spawn([...programOf(settings), ...words], {
      env: environmentOf(settings),
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const text = (await new Response(command.stdout).text()).trim()
    if ((await command.exited) !== 0) throw new Error(`tern ${words.join(' ')} failed.`)
    return text
  }
}
