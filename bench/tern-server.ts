import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor } from './measure.ts'

const MAIN = join(import.meta.dir, '../src/cli/main.ts')
const LINKS_PER_REQUEST = 100

export type TernSettings = {
  dataDir: string
  port: number
  /** Settings beside those that every bench has. */
  environment?: Record<string, string>
  /** What the server is started by, such as `taskset -c 0`. */
  startedBy?: string[]
}

export type NewLink = { original_url: string; custom_code?: string }

/** The program as it is shipped, with one account whose key has no limit to speak of. */
export class TernServer {
  readonly url: string
  readonly pid: number
  readonly key: string
  readonly #process: Bun.Subprocess

  private constructor(process: Bun.Subprocess, { port }: TernSettings, key: string) {
    this.#process = process
    this.pid = process.pid
    this.url = `http://127.0.0.1:${port}`
    this.key = key
  }

  static async start(settings: TernSettings): Promise<TernServer> {
    mkdirSync(settings.dataDir, { recursive: true })
    const run = commandsOf(settings)
    const email = 'bench@example.com'
    const words = ['--name', 'Bench', '--password', 'twelve letters', '--verified']
    if (!(await run('account', 'list')).includes(email)) await run('account', 'create', email, ...words)
    const key = await run('key', 'create', email, '--name', 'Bench', '--rate-limit', '1000000000')
    const process = Bun.spawn([...(settings.startedBy ?? []), Bun.argv[0]!, MAIN, 'serve'], {
      env: environmentOf(settings),
      stdout: 'ignore',
      stderr: 'inherit',
    })
    const server = new TernServer(process, settings, key)
    await waitFor('Tern answers', async () => (await fetch(`${server.url}/api/health`)).ok)
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

  /** Clicks of the account, as far as they are counted. */
  async clicks(): Promise<number> {
    const answer = await fetch(`${this.url}/api/analytics/overview`, { headers: this.headers })
    const { data } = (await answer.json()) as { data: { overview: { total_clicks: number } } }
    return data.overview.total_clicks
  }

  /** The figure stands still when the journal has been read to its end. */
  async hasCountedAll(): Promise<void> {
    for (let last = -1, now = await this.clicks(); now !== last; last = now, now = await this.clicks())
      await Bun.sleep(500)
  }

  async stop(): Promise<void> {
    this.#process.kill()
    await this.#process.exited
  }
}

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
    const command = Bun.spawn([Bun.argv[0]!, MAIN, ...words], {
      env: environmentOf(settings),
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const text = (await new Response(command.stdout).text()).trim()
    if ((await command.exited) !== 0) throw new Error(`tern ${words.join(' ')} failed.`)
    return text
  }
}
