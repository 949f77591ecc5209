/**
 * What a counted redirect costs compared with what nginx pays for a redirect and a log line: the same codes over 64
 * connections, the server pinned to one core and the load generator to the other, in alternating rounds. CPU is what the
 * operating system accounts to the server's process and threads.
 *
 * The main rows are a crowd, as real traffic is: 20,000 visitors with 200 browsers. Each is hashed and looked up by country,
 * and their clicks fall into many rows. The rows below are one visitor who comes again and again. The last ones are the crowd on
 * links with five rules, compared with the crowd on plain links.
 *
 *   npm run bench:redirect                 9 rounds of 4 seconds
 *   ROUNDS=3 SECONDS=2 npm run bench:redirect
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuUs, machine, markdownTable, median, need } from './rigs/measure.ts'
import { FIVE_RULES } from './rigs/five-rules.ts'
import { NginxServer } from './rigs/nginx-server.ts'
import { TernServer } from './rigs/tern-server.ts'
import { runWrk, writeCrowdScript, writeRedirectScript } from './rigs/wrk.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const SECONDS = Number(process.env.SECONDS ?? 4)
const WARM_UP_SECONDS = 1
const CODES = 1_000
const CONNECTIONS = 64
const TERN_PORT = 18_380
const NGINX_PORT = 18_381
/** As multiples of nginx with its access log. */
const TARGETS = { crowd: { thread: 1.5, process: 2.4 }, oneVisitor: { thread: 1.1, process: 1.75 } }
/** As a multiple of a plain link. */
const RULES_TARGET = 1.5

const ON_ONE_CORE = [need('taskset', 'util-linux'), '-c', '0']
const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const script = join(folder, 'requests.lua')
const crowdScript = join(folder, 'crowd.lua')
const rulesScript = join(folder, 'rules.lua')

type Round = { requests: number; threadUs: number; processUs: number }
type Server = { name: string; run(): Promise<Round> }

const codes = Array.from({ length: CODES }, (_, i) => `bench-${i}`)
const codesWithRules = codes.map((code) => `${code}-rules`)
const tern = await TernServer.start({
  dataDir: join(folder, 'data'),
  port: TERN_PORT,
  environment: { TRUSTED_PROXIES: '127.0.0.1', JOURNAL_SYNC: process.env.JOURNAL_SYNC ?? 'os' },
  startedBy: ON_ONE_CORE,
})
try {
  await tern.createLinks(codes.map((code) => ({ original_url: destinationOf(code), custom_code: code })))
  await tern.createLinks(
    codesWithRules.map((code) => ({
      original_url: destinationOf(code),
      custom_code: code,
      rules: FIVE_RULES,
    })),
  )
  writeRedirectScript(script, codes)
  writeCrowdScript(crowdScript, codes)
  writeCrowdScript(rulesScript, codesWithRules)
  const servers: Server[] = [
    { name: 'nginx, no log', run: () => nginxRound(false) },
    { name: 'nginx, access log', run: () => nginxRound(true) },
    { name: 'Tern, crowd', run: () => ternRound(crowdScript) },
    { name: 'Tern, one visitor', run: () => ternRound(script) },
    { name: 'Tern, five rules', run: () => ternRound(rulesScript) },
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
  // Pair by pair, so the machine's drift from round to round cancels out.
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
        row('Tern, redirect thread', 'Tern, crowd', 'threadUs', TARGETS.crowd.thread),
        row('Tern, whole process with ingestion', 'Tern, crowd', 'processUs', TARGETS.crowd.process),
        row('one visitor: redirect thread', 'Tern, one visitor', 'threadUs', TARGETS.oneVisitor.thread),
        row('one visitor: whole process', 'Tern, one visitor', 'processUs', TARGETS.oneVisitor.process),
        row('five rules: redirect thread', 'Tern, five rules', 'threadUs'),
        row('five rules: whole process', 'Tern, five rules', 'processUs'),
      ],
    ),
  )
  for (const part of ['threadUs', 'processUs'] as const) {
    const plain = perRequest('Tern, crowd', part)
    const times = median(perRequest('Tern, five rules', part).map((us, round) => us / plain[round]!))
    const where = part === 'threadUs' ? 'redirect thread' : 'whole process'
    console.log(
      `\nA link with five rules, ${where}: ${times.toFixed(2)} × a plain one (≤ ${RULES_TARGET} × ${times <= RULES_TARGET ? 'met' : 'missed'})`,
    )
  }
  const counted = ['Tern, crowd', 'Tern, one visitor', 'Tern, five rules']
    .flatMap((name) => rounds.get(name)!)
    .reduce((sum, { requests }) => sum + requests, 0)
  console.log(
    `\nTern counted each of its ${counted.toLocaleString('en')} redirects; every round waited for that.`,
  )
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
    await load(NGINX_PORT, WARM_UP_SECONDS, script)
    const before = cpuUs(server.worker)
    const requests = await load(NGINX_PORT, SECONDS, script)
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

async function ternRound(script: string): Promise<Round> {
  await load(TERN_PORT, WARM_UP_SECONDS, script)
  await tern.hasCountedAll()
  const countedBefore = await tern.clicks()
  const before = { thread: cpuUs(tern.pid, tern.pid), process: cpuUs(tern.pid) }
  const requests = await load(TERN_PORT, SECONDS, script)
  const threadUs = cpuUs(tern.pid, tern.pid) - before.thread
  await tern.hasCountedAll()
  const processUs = cpuUs(tern.pid) - before.process
  const counted = (await tern.clicks()) - countedBefore
  // wrk leaves up to one request per connection unanswered at its end.
  if (counted < requests || counted > requests + CONNECTIONS)
    throw new Error(`${requests} sent, ${counted} counted.`)
  return { requests: counted, threadUs, processUs }
}
