/**
 * Which system calls a counted redirect takes on the thread that answers, beside those of nginx with its access log:
 * the same load on both, watched by strace, which slows them down but counts exactly.
 *
 *   npm run bench:system-calls
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machine, markdownTable, need } from './rigs/measure.ts'
import { NginxServer } from './rigs/nginx-server.ts'
import { TernServer } from './rigs/tern-server.ts'
import { runWrk, writeRedirectScript } from './rigs/wrk.ts'

const SECONDS = Number(process.env.SECONDS ?? 5)
const CONNECTIONS = 64
const CODES = 1_000
const TERN_PORT = 18_390
const NGINX_PORT = 18_391
/** Calls that are rarer belong to the clock, or to chance. */
const SHOWN_MIN = 0.001

type Calls = Map<string, number>

const strace = need('strace', 'strace')
const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const script = join(folder, 'requests.lua')
const codes = Array.from({ length: CODES }, (_, i) => `bench-${i}`)
const destinationOf = (code: string) => `https://example.com/some/landing/page/${code}`

try {
  writeRedirectScript(script, codes)
  const [tern, nginx] = [await ternCalls(), await nginxCalls()]
  console.log(`\n${machine()}; ${CONNECTIONS} connections\n`)
  const names = [...new Set([...tern.keys(), ...nginx.keys()])]
  const most = (name: string) => Math.max(tern.get(name) ?? 0, nginx.get(name) ?? 0)
  const rows = names.filter((name) => most(name) >= SHOWN_MIN).sort((a, b) => most(b) - most(a))
  const cell = (calls: Calls, name: string) => (calls.get(name) ?? 0).toFixed(3)
  const total = (calls: Calls) => [...calls.values()].reduce((sum, count) => sum + count, 0).toFixed(2)
  console.log(
    markdownTable(
      ['system calls a redirect', "Tern, the visitors' thread", 'nginx, access log'],
      [
        ...rows.map((name) => [name, cell(tern, name), cell(nginx, name)]),
        ['all', total(tern), total(nginx)],
      ],
    ),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function ternCalls(): Promise<Calls> {
  const tern = await TernServer.start({ dataDir: join(folder, 'data'), port: TERN_PORT })
  try {
    await tern.createLinks(codes.map((code) => ({ original_url: destinationOf(code), custom_code: code })))
    return await callsOf(tern.pid, TERN_PORT)
  } finally {
    await tern.stop()
  }
}

async function nginxCalls(): Promise<Calls> {
  const redirects = codes.map((code): [string, string] => [`/${code}`, destinationOf(code)])
  const nginx = await NginxServer.start({ folder, port: NGINX_PORT, redirects, logs: true })
  try {
    return await callsOf(nginx.worker, NGINX_PORT)
  } finally {
    await nginx.stop()
  }
}

/** Of one thread, by name, for each answered request. */
async function callsOf(thread: number, port: number): Promise<Calls> {
  const summary = join(folder, 'calls')
  const run = (seconds: number) => runWrk({ port, seconds, connections: CONNECTIONS, script })
  await run(1)
  const watcher = Bun.spawn([strace, '-c', '-o', summary, '-p', String(thread)], { stderr: 'pipe' })
  await isAttached(watcher.stderr)
  const { requests } = await run(SECONDS)
  watcher.kill('SIGINT')
  await watcher.exited
  return new Map(
    readFileSync(summary, 'utf8')
      .split('\n')
      .map((line) => /^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(?:\d+ +)?([a-z]\w*)$/.exec(line))
      .filter((found) => found !== null && found[2] !== 'total')
      .map((found) => [found![2]!, Number(found![1]) / requests]),
  )
}

async function isAttached(said: ReadableStream<Uint8Array>): Promise<void> {
  for await (const bytes of said) if (Buffer.from(bytes).includes('attached')) return
}
