import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { need, waitFor } from './measure.ts'

const nginx = need('nginx', 'nginx-light')

export type NginxSettings = {
  /** For its configuration, its process id and its log. */
  folder: string
  port: number
  /** Where each path leads. */
  redirects: readonly [path: string, destination: string][]
  logs: boolean
  /** What it is started by, such as `taskset -c 0`. */
  startedBy?: readonly string[]
}

/** The yardstick: nginx with one worker, which answers redirects from a map. */
export class NginxServer {
  /** The process that answers. */
  readonly worker: number
  readonly #process: Bun.Subprocess

  private constructor(process: Bun.Subprocess) {
    this.#process = process
    this.worker = Number(readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim())
  }

  static async start(settings: NginxSettings): Promise<NginxServer> {
    const { folder, port, startedBy = [] } = settings
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, configurationOf(settings))
    const process = Bun.spawn([...startedBy, nginx, '-c', file, '-p', folder], { stderr: 'ignore' })
    await waitFor('nginx answers', async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 404)
    return new NginxServer(process)
  }

  async stop(): Promise<void> {
    this.#process.kill()
    await this.#process.exited
  }
}

function configurationOf({ folder, port, redirects, logs }: NginxSettings): string {
  return `
worker_processes 1; daemon off; pid ${join(folder, 'nginx.pid')}; error_log /dev/null;
events { worker_connections 1024; }
http {
  access_log ${logs ? join(folder, 'access.log') : 'off'}; keepalive_requests 1000000000; map_hash_max_size 262144;
  map $uri $destination { default ""; ${redirects.map(([path, destination]) => `${path} ${destination};`).join('\n')} }
  server { listen 127.0.0.1:${port}; location / { if ($destination = "") { return 404; } return 302 $destination; } }
}`
}
