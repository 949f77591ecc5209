/**
 * What a counted redirect costs, beside what nginx pays for a redirect and a log line: the same codes, the same
 * browser-like requests over 64 connections, the server pinned to one core and the load generator to the other, in
 * alternating rounds. CPU is the operating system's own account of the server's process and threads.
 *
 *   npm run bench:redirect                 9 rounds of 4 seconds
 *   ROUNDS=3 SECONDS=2 npm run bench:redirect
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuUs, machine, markdownTable, median, need, waitFor } from './measure.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const SECONDS = Number(process.env.SECONDS ?? 4)
const WARM_UP_SECONDS = 1
const CODES = 1_000
const CONNECTIONS = 64
const TERN_PORT = 18_380
const NGINX_PORT = 18_381
/** The first issue's targets, as multiples of nginx with its access log. */
const TARGETS = { thread: 1.25, process: 2 }

const wrk = need('wrk', 'wrk')
const nginx = need('nginx', 'nginx-light')
const taskset = need('taskset', 'util-linux')
const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const script = join(folder, 'requests.lua')

type Round = { requests: number; threadUs: number; processUs: number }
type Server = { name: string; run(): Promise<Round> }

const tern = await startTern()
try {
  writeFileSync(script, requestsLua(tern.codes))
  const servers: Server[] = [
    { name: 'nginx, no log', run: () => nginxRound('access_log off;') },
    { name: 'nginx, access log', run: () => nginxRound(`access_log ${join(folder, 'access.log')};`) },
    { name: 'Tern, counted', run: ternRound },
  ]
  const rounds = new Map<string, Round[]>(servers.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, run } of servers) rounds.get(name)!.push(await run())
  }
  report(rounds)
} finally {
  await tern.stop()
  rmSync(folder, { recursive: true, force: true })
}

function report(rounds: ReadonlyMap<string, Round[]>): void {
  const perRequest = (name: string, part: 'threadUs' | 'processUs') =>
    rounds.get(name)!.map((round) => round[part] / round.requests)
  const yardstick = perRequest('nginx, access log', 'processUs')
  // Pair by pair, so that the machine's drift from round to round falls out.
  const ratio = (name: string, part: 'threadUs' | 'processUs') =>
    median(perRequest(name, part).map((us, round) => us / yardstick[round]!))
  const row = (label: string, name: string, part: 'threadUs' | 'processUs', target?: number) => [
    label,
    median(perRequest(name, part)).toFixed(1),
    `${ratio(name, part).toFixed(2)} ×`,
    target === undefined ? '' : `≤ ${target} × ${ratio(name, part) <= target ? 'met' : 'missed'}`,
  ]
  console.log(
    `\n${machine()}; ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections, ${CODES} codes\n`,
  )
  console.log(
    markdownTable(
      ['server', 'CPU µs a redirect (median)', 'against nginx with log', 'target'],
      [
        row('nginx, no log', 'nginx, no log', 'processUs'),
        row('nginx, access log', 'nginx, access log', 'processUs'),
        row("Tern, the visitors' thread", 'Tern, counted', 'threadUs', TARGETS.thread),
        row('Tern, whole process with ingestion', 'Tern, counted', 'processUs', TARGETS.process),
      ],
    ),
  )
  const counted = rounds.get('Tern, counted')!.reduce((sum, { requests }) => sum + requests, 0)
  console.log(
    `\nTern counted every one of its ${counted.toLocaleString('en')} redirects, each round waited for that.`,
  )
}

/** Sends as much as gets answered, and says how much that was. */
async function wrkRun(port: number, seconds: number): Promise<number> {
  const run = Bun.spawn(
    [
      taskset,
      '-c',
      '1',
      wrk,
      '-t1',
      `-c${CONNECTIONS}`,
      `-d${seconds}`,
      '-s',
      script,
      `http://127.0.0.1:${port}`,
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const text = await new Response(run.stdout).text()
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`The load was not answered in order:\n${text}`)
  return Number(/(\d+) requests in/.exec(text)![1])
}

/** What a browser sends; codes in a fixed, scattered order. */
function requestsLua(codes: readonly string[]): string {
  const headers = {
    'User-Agent':
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'Accept-Language': 'en-US,en;q=0.9,de;q=0.8',
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    Referer: 'https://news.example.org/some/page',
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Upgrade-Insecure-Requests': '1',
  }
  return [
    ...Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"]=${JSON.stringify(value)}`),
    `local codes={${codes.map((code) => `"/${code}"`).join(',')}}`,
    'local n=0',
    `request=function() n=(n*1103515245+12345)%1000003; return wrk.format("GET",codes[n%${codes.length}+1]) end`,
  ].join('\n')
}

async function nginxRound(logging: string): Promise<Round> {
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, nginxConf(logging))
  const server = Bun.spawn([taskset, '-c', '0', nginx, '-c', file, '-p', folder], { stderr: 'ignore' })
  try {
    await waitFor(
      'nginx answers',
      async () => (await fetch(`http://127.0.0.1:${NGINX_PORT}/`)).status === 404,
    )
    const worker = Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim())
    await wrkRun(NGINX_PORT, WARM_UP_SECONDS)
    const before = cpuUs(worker)
    const requests = await wrkRun(NGINX_PORT, SECONDS)
    const used = cpuUs(worker) - before
    return { requests, threadUs: used, processUs: used }
  } finally {
    server.kill()
    await server.exited
    rmSync(join(folder, 'access.log'), { force: true })
  }
}

function nginxConf(logging: string): string {
  return `
worker_processes 1; daemon off; pid ${join(folder, 'nginx.pid')}; error_log /dev/null;
events { worker_connections 1024; }
http {
  ${logging} keepalive_requests 1000000000; map_hash_max_size 262144;
  map $uri $destination { default ""; ${tern.codes.map((code) => `/${code} ${destinationOf(code)};`).join('\n')} }
  server { listen 127.0.0.1:${NGINX_PORT}; location / { if ($destination = "") { return 404; } return 302 $destination; } }
}`
}

function destinationOf(code: string): string {
  return `https://example.com/some/landing/page/${code}`
}

async function ternRound(): Promise<Round> {
  await wrkRun(TERN_PORT, WARM_UP_SECONDS)
  await tern.hasCountedAll()
  const countedBefore = await tern.clicks()
  const before = { thread: cpuUs(tern.pid, tern.pid), process: cpuUs(tern.pid) }
  const requests = await wrkRun(TERN_PORT, SECONDS)
  const threadUs = cpuUs(tern.pid, tern.pid) - before.thread
  await tern.hasCountedAll()
  const processUs = cpuUs(tern.pid) - before.process
  const counted = (await tern.clicks()) - countedBefore
  // wrk leaves up to one request per connection unanswered at its end.
  if (counted < requests || counted > requests + CONNECTIONS)
    throw new Error(`${requests} sent, ${counted} counted.`)
  return { requests: counted, threadUs, processUs }
}

async function startTern() {
  const dataDir = join(folder, 'data')
  const main = join(import.meta.dir, '../src/cli/main.ts')
  const environment = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    PORT: String(TERN_PORT),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    ...(process.env.JOURNAL_SYNC === undefined ? {} : { JOURNAL_SYNC: process.env.JOURNAL_SYNC }),
  }
  const options = { env: environment, stdout: 'pipe', stderr: 'inherit' } as const
  const server = Bun.spawn([taskset, '-c', '0', process.execPath, main, 'serve'], {
    ...options,
    stdout: 'ignore',
  })
  const url = `http://127.0.0.1:${TERN_PORT}`
  await waitFor('Tern answers', async () => (await fetch(`${url}/api/health`)).ok)
  const command = async (...words: string[]) =>
    (await new Response(Bun.spawn([process.execPath, main, ...words], options).stdout).text()).trim()
  await command(
    'account',
    'create',
    'bench@example.com',
    '--name',
    'Bench',
    '--password',
    'twelve letters',
    '--verified',
  )
  const key = await command(
    'key',
    'create',
    'bench@example.com',
    '--name',
    'Bench',
    '--rate-limit',
    '1000000000',
  )
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
  const codes = Array.from({ length: CODES }, (_, i) => `bench-${i}`)
  for (let from = 0; from < CODES; from += 100) {
    const links = codes
      .slice(from, from + 100)
      .map((code) => ({ original_url: destinationOf(code), custom_code: code }))
    const answer = await fetch(`${url}/api/bulk-shorten`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ links }),
    })
    if (answer.status !== 201) throw new Error(await answer.text())
  }
  const clicks = async (): Promise<number> => {
    const answer = await fetch(`${url}/api/analytics/overview`, { headers })
    return ((await answer.json()) as { data: { overview: { total_clicks: number } } }).data.overview
      .total_clicks
  }
  return {
    pid: server.pid,
    codes,
    clicks,
    /** The figure stands still when the journal has been read to its end. */
    async hasCountedAll() {
      for (let last = -1, now = await clicks(); now !== last; last = now, now = await clicks())
        await Bun.sleep(500)
    },
    async stop() {
      server.kill()
      await server.exited
    },
  }
}
