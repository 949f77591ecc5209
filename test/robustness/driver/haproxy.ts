import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../rigs/eventually.ts'
import { freePort } from '../../rigs/free-port.ts'

const EXECUTABLES = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/usr/bin/haproxy']

export const findHaproxy = (): string | undefined => EXECUTABLES.find((path) => existsSync(path))

/** The real one before some nodes. What a node has not been sent goes to another; what it may have been, never. */
export class Haproxy implements AsyncDisposable {
  readonly port = freePort()
  readonly #folder = mkdtempSync(join(tmpdir(), 'tern-haproxy-'))
  #child: Bun.Subprocess | undefined

  static async start(nodes: readonly number[]): Promise<Haproxy> {
    const haproxy = new Haproxy()
    const config = join(haproxy.#folder, 'haproxy.cfg')
    writeFileSync(config, configOf(haproxy.port, nodes))
    haproxy.#child = Bun.spawn([findHaproxy()!, '-db', '-f', config], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await until(async () => {
      const answer = await fetch(`http://127.0.0.1:${haproxy.port}/api/health`).catch(() => undefined)
      return answer?.status === 200
    })
    return haproxy
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child?.kill('SIGTERM')
    await this.#child?.exited
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const configOf = (port: number, nodes: readonly number[]): string => `
global
  maxconn 1000
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
  retries 3
  option redispatch 1
  retry-on conn-failure
frontend visitors
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option forwardfor
  option httpchk
  http-check send meth GET uri /api/health ver HTTP/1.1 hdr Host localhost
  http-check expect status 200
  default-server check inter 200 fall 1 rise 1
${nodes.map((node, i) => `  server node${i + 1} 127.0.0.1:${node}`).join('\n')}
`
