/**
 * What a counted redirect costs compared with what nginx pays for a redirect and a log line: the same codes over 64
 * connections, the server pinned to one core and the load generator to the other, in alternating rounds. CPU is what the
 * operating system accounts to the server's process and threads.
 *
 * The main rows are a crowd, as real traffic is: 20,000 visitors with 200 browsers. Each is hashed and looked up by country,
 * and their clicks fall into many rows. The rows below are one visitor who comes again and again. The last ones are the crowd on
 * links with five rules, compared with the crowd on plain links.
 *
 *   npm run bench:redirect                             9 rounds of 4 seconds
 *   ROUNDS=3 SECONDS=2 npm run bench:redirect
 *   BEFORE=../other-checkout npm run bench:redirect    in turn with another version
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuUs, familyCpuUs, machine, markdownTable, median, medianRatio, need } from './rigs/measure.ts'
import { FIVE_RULES } from './rigs/five-rules.ts'
import { NginxServer } from './rigs/nginx-server.ts'
import { TernServer } from './rigs/tern-server.ts'
import { runWrk, writeCrowdScript, writeRedirectScript } from './rigs/wrk.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const SECONDS = Number(process.env.SECONDS ?? 4)
const { BEFORE } = process.env
const WARM_UP_SECONDS = 1
const CODES = 1_000
const CONNECTIONS = 64
const TERN_PORT = 18_380
const NGINX_PORT = 18_381
const BEFORE_PORT = 18_385
/** As multiples of nginx with its access log; those of the five rules as multiples of a plain link. */
const TARGETS = {
  crowd: { threadUs: 1.5, processUs: 2.6 },
  'one visitor': { threadUs: 1.1, processUs: 2.2 },
  'five rules': { threadUs: 1.5, processUs: 1.5 },
}
const PARTS = { threadUs: 'redirect thread', processUs: 'whole process with ingestion' }

const ON_ONE_CORE = [need('taskset', 'util-linux'), '-c', '0']
const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const scripts = {
  crowd: join(folder, 'crowd.lua'),
  'one visitor': join(folder, 'requests.lua'),
  'five rules': join(folder, 'rules.lua'),
}

type Load = keyof typeof scripts
type Part = keyof typeof PARTS
type Round = { requests: number; threadUs: number; processUs: number }
type Server = { name: string; run(): Promise<Round> }

const LOADS = Object.keys(scripts) as Load[]
const codes = Array.from({ length: CODES }, (_, i) => `bench-${i}`)
const codesWithRules = codes.map((code) => `${code}-rules`)
const versions: [name: string, tern: TernServer][] = []
try {
  versions.push(['now', await startVersion('now', TERN_PORT)])
  if (BEFORE !== undefined) versions.push(['before', await startVersion('before', BEFORE_PORT, BEFORE)])
  writeRedirectScript(scripts['one visitor'], codes)
  writeCrowdScript(scripts.crowd, codes)
  writeCrowdScript(scripts['five rules'], codesWithRules)
  const servers: Server[] = [
    { name: 'nginx, no log', run: () => nginxRound(false) },
    { name: 'nginx, access log', run: () => nginxRound(true) },
    ...LOADS.flatMap((load) =>
      versions.map(([version, tern]) => ({
        name: `${load}, ${version}`,
        run: () => ternRound(tern, scripts[load]),
      })),
    ),
  ]
  const rounds = new Map<string, Round[]>(servers.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, run } of servers) rounds.get(name)!.push(await run())
  }
  report(rounds)
  for (const [version, tern] of versions) await reportClosing(version, tern)
} finally {
  for (const [, tern] of versions) await tern.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function startVersion(name: string, port: number, checkout?: string): Promise<TernServer> {
  const tern = await TernServer.start({
    dataDir: join(folder, name),
    port,
    checkout,
    environment: { TRUSTED_PROXIES: '127.0.0.1', JOURNAL_SYNC: process.env.JOURNAL_SYNC ?? 'os' },
    startedBy: ON_ONE_CORE,
  })
  await tern.createLinks(codes.map((code) => ({ original_url: destinationOf(code), custom_code: code })))
  await tern.createLinks(
    codesWithRules.map((code) => ({
      original_url: destinationOf(code),
      custom_code: code,
      rules: FIVE_RULES,
    })),
  )
  return tern
}

function report(rounds: ReadonlyMap<string, Round[]>): void {
  const perRequest = (name: string, part: Part) =>
    rounds.get(name)!.map((round) => round[part] / round.requests)
  const nginx = perRequest('nginx, access log', 'processUs')
  const times = (us: readonly number[], yardstick: readonly number[]) =>
    `${medianRatio(us, yardstick).toFixed(2)} ×`
  const nginxRow = (name: string) => {
    const us = perRequest(name, 'processUs')
    return [name, median(us).toFixed(1), times(us, nginx), '', '']
  }
  const ternRow = (load: Load, part: Part, version: string) => {
    const us = perRequest(`${load}, ${version}`, part)
    const hasRules = load === 'five rules'
    const yardstick = hasRules ? perRequest(`crowd, ${version}`, part) : nginx
    const ofPlain = hasRules ? `${times(us, yardstick)} a plain link, ` : ''
    const target = TARGETS[load][part]
    return [
      `Tern ${version}, ${load}: ${PARTS[part]}`,
      median(us).toFixed(1),
      times(us, nginx),
      `${ofPlain}≤ ${target} × ${medianRatio(us, yardstick) <= target ? 'met' : 'missed'}`,
      BEFORE === undefined || version === 'before' ? '' : times(us, perRequest(`${load}, before`, part)),
    ]
  }
  const ternRows = LOADS.flatMap((load) =>
    (Object.keys(PARTS) as Part[]).flatMap((part) =>
      versions.map(([version]) => ternRow(load, part, version)),
    ),
  )
  console.log(
    `\n${machine()}; ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections, ${CODES} codes\n`,
  )
  const head = ['', 'CPU µs a redirect (median)', 'times nginx with log', 'target', 'times before']
  console.log(markdownTable(head, [nginxRow('nginx, no log'), nginxRow('nginx, access log'), ...ternRows]))
  const counted = [...rounds]
    .filter(([name]) => !name.startsWith('nginx'))
    .flatMap(([, results]) => results)
    .reduce((sum, { requests }) => sum + requests, 0)
  console.log(
    `\nTern counted each of its ${counted.toLocaleString('en')} redirects; every round waited for that.`,
  )
}

async function reportClosing(version: string, tern: TernServer): Promise<void> {
  const closingUs = familyCpuUs(tern.pid) - cpuUs(tern.pid)
  const perClick = (closingUs / (await tern.clicks())).toFixed(1)
  console.log(`DuckDB's process of ${version} has taken ${perClick} µs for each of its clicks so far.`)
}

async function load(port: number, seconds: number, script: string): Promise<number> {
  return (await runWrk({ port, seconds, connections: CONNECTIONS, script, core: 1 })).requests
}

async function nginxRound(logs: boolean): Promise<Round> {
  const redirects = codes.map((code): [string, string] => [`/${code}`, destinationOf(code)])
  const server = await NginxServer.start({
    folder,
    port: NGINX_PORT,
    redirects,
    logs,
    startedBy: ON_ONE_CORE,
  })
  try {
    await load(NGINX_PORT, WARM_UP_SECONDS, scripts['one visitor'])
    const before = cpuUs(server.worker)
    const requests = await load(NGINX_PORT, SECONDS, scripts['one visitor'])
    const used = cpuUs(server.worker) - before
    return { requests, threadUs: used, processUs: used }
  } finally {
    await server.stop()
    rmSync(join(folder, 'access.log'), { force: true })
  }
}

function destinationOf(code: string): string {
  return `https://example.com/some/landing/page/${code}`
}

/** Without DuckDB's process, which moves clicks of earlier rounds into files in any of them. */
async function ternRound(tern: TernServer, script: string): Promise<Round> {
  await load(tern.port, WARM_UP_SECONDS, script)
  await tern.hasCountedAll()
  const countedBefore = await tern.clicks()
  const before = { thread: cpuUs(tern.pid, tern.pid), process: cpuUs(tern.pid) }
  const requests = await load(tern.port, SECONDS, script)
  const threadUs = cpuUs(tern.pid, tern.pid) - before.thread
  await tern.hasCountedAll()
  const processUs = cpuUs(tern.pid) - before.process
  const counted = (await tern.clicks()) - countedBefore
  // wrk leaves up to one request per connection unanswered at its end.
  if (counted < requests || counted > requests + CONNECTIONS)
    throw new Error(`${requests} sent, ${counted} counted.`)
  return { requests: counted, threadUs, processUs }
}
