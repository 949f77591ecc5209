/**
 * An import as users run it: `tern import csv` with a table of links that have a code, a title, two tags and a date of creation.
 * First as a dry run, then for real, then again, and undone, while visitors open 200 short URLs a second.
 *
 * The yardstick is the least that any client has to do to create such links: the same rows, already in memory, sent to
 * `POST /api/bulk-shorten` one request after the other. What an import takes beyond it is for reading the table, for comparing
 * each link with what is there, and for the report. Redirects are compared with those next to two processes that only compute.
 *
 *   npm run bench:import                  a million rows
 *   ROWS=100000 npm run bench:import
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { familyCpuUs, machine, markdownTable, megabytesOf } from './rigs/measure.ts'
import { type Latency, RedirectProbe } from './rigs/redirect-probe.ts'
import { LINKS_PER_REQUEST, TernServer } from './rigs/tern-server.ts'

const ROWS = Number(process.env.ROWS ?? 1_000_000)
const PORT = 18_386
const TARGET_PER_SECOND = 5_000
const QUIET_SECONDS = 20
const SAMPLE_MS = 250
const VISITED_CODES = Array.from({ length: 1_000 }, (_, at) => `visited-${at}`)
const ROWS_PER_WRITE = 10_000
const TAGS = 300

/** `memoryMb`: the most that was resident. */
type Usage = { cpuUs: number; memoryMb: number }
type Run = { name: string; seconds: number; server: Usage; command: Usage | undefined; latency: Latency }

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const table = join(folder, 'links.csv')
try {
  await writeTable()
  const yardstick = await onNewServer('yardstick', (tern) => measured(tern, 'bulk-shorten', sendPlainly))
  const [alone, busy, ...imports] = await onNewServer('import', async (tern) => [
    await measured(tern, 'nothing else', () => Bun.sleep(QUIET_SECONDS * 1000)),
    await measured(tern, 'two busy processes', keepBusy),
    await measured(tern, 'import --dry-run', () => importTable(tern, '--dry-run')),
    await measured(tern, 'import', () => importTable(tern)),
    await measured(tern, 'import again', () => importTable(tern)),
    await measured(tern, 'undo', () => undoImport(tern)),
  ])
  report([alone!, busy!], [yardstick, ...imports])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function onNewServer<Result>(
  name: string,
  use: (tern: TernServer) => Promise<Result>,
): Promise<Result> {
  const tern = await TernServer.start({ dataDir: join(folder, name), port: PORT })
  try {
    await tern.createLinks(
      VISITED_CODES.map((code) => ({ original_url: destinationOf(code), custom_code: code })),
    )
    return await use(tern)
  } finally {
    await tern.stop()
  }
}

async function sendPlainly(tern: TernServer): Promise<void> {
  for (let from = 0; from < ROWS; from += LINKS_PER_REQUEST) {
    const count = Math.min(LINKS_PER_REQUEST, ROWS - from)
    const rows = Array.from({ length: count }, (_, at) => rowAt(from + at))
    await tern.createLinks(
      rows.map(({ code, url, title, tags }) => ({ original_url: url, custom_code: code, title, tags })),
    )
  }
}

async function importTable(tern: TernServer, ...options: string[]): Promise<Usage> {
  // Behind the tally it may say how the import is undone.
  return measuredCommand(tern, ['csv', '--file', table, ...options], /(^|: )\d+ (created|equal)\.$/m)
}

/** Of the first import: the dry run before it has no record. */
function undoImport(tern: TernServer): Promise<Usage> {
  return measuredCommand(tern, ['undo', '1'], new RegExp(`^${ROWS} links moved to the trash\\.$`, 'm'))
}

async function measuredCommand(tern: TernServer, words: string[], success: RegExp): Promise<Usage> {
  const command = tern.command('import', ...words)
  const output = await command.stdout.text()
  const end = output.trimEnd().split('\n').slice(-2).join('\n')
  if ((await command.exited) !== 0 || !success.test(end)) throw new Error(`The import ended with: ${end}`)
  const { cpuTime, maxRSS } = command.resourceUsage()!
  return { cpuUs: Number(cpuTime.total), memoryMb: maxRSS / 1e6 }
}

/** What redirects suffer from any two programs that compute, an import with its server or not. */
async function keepBusy(): Promise<void> {
  const words = ['timeout', String(QUIET_SECONDS), 'sh', '-c', 'while :; do :; done']
  await Promise.all([Bun.spawn(words).exited, Bun.spawn(words).exited])
}

async function measured(
  tern: TernServer,
  name: string,
  act: (tern: TernServer) => Promise<Usage | void>,
): Promise<Run> {
  const probe = new RedirectProbe(VISITED_CODES.map((code) => `${tern.url}/${code}`))
  const startedMs = performance.now()
  const cpuBeforeUs = familyCpuUs(tern.pid)
  let memoryMb = 0
  const sample = () => (memoryMb = Math.max(memoryMb, megabytesOf(tern.pid, 'VmRSS')))
  sample()
  const sampling = setInterval(sample, SAMPLE_MS)
  const command = (await act(tern)) ?? undefined
  clearInterval(sampling)
  const seconds = (performance.now() - startedMs) / 1000
  const server = { cpuUs: familyCpuUs(tern.pid) - cpuBeforeUs, memoryMb }
  return { name, seconds, server, command, latency: await probe.stop() }
}

function report(others: readonly Run[], runs: readonly Run[]): void {
  console.log(`\n${machine()}; ${ROWS.toLocaleString('en')} rows\n`)
  const [yardstick] = runs
  const head = ['', 'links a second', 'times as fast', 'CPU µs a link', 'its command', 'MB', 'its command']
  const rows = runs.map(({ name, seconds, server, command }) => [
    name,
    Math.round(ROWS / seconds).toLocaleString('en'),
    (yardstick!.seconds / seconds).toFixed(2),
    (server.cpuUs / ROWS).toFixed(0),
    command === undefined ? '' : (command.cpuUs / ROWS).toFixed(0),
    server.memoryMb.toFixed(0),
    command?.memoryMb.toFixed(0) ?? '',
  ])
  console.log(markdownTable(head, rows))
  const redirects = [...others, ...runs].map(({ name, latency: { p50Ms, p99Ms, redirects } }) => [
    name,
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    redirects.toLocaleString('en'),
  ])
  console.log(`\n${markdownTable(['redirects during', 'p50 ms', 'p99 ms', 'redirects'], redirects)}`)
  const perSecond = ROWS / runs.find(({ name }) => name === 'import')!.seconds
  const check = perSecond >= TARGET_PER_SECOND ? 'met' : 'missed'
  console.log(`\n${Math.round(perSecond)} links a second, target ${TARGET_PER_SECOND}: ${check}`)
}

function destinationOf(path: string): string {
  return `https://www.example.com/some/landing/page/${path}`
}

/** Codes in no order, as those of other programs are. */
function rowAt(at: number) {
  const code = `${Bun.hash(String(at)).toString(36).slice(0, 7)}-${at.toString(36)}`
  const tags = [`tag ${at % TAGS}`, `tag ${(at * 7 + 1) % TAGS}`]
  const created = new Date(1_600_000_000_000 + at * 60_000).toISOString()
  return { code, url: destinationOf(String(at)), title: `Landing page ${at}`, tags, created }
}

async function writeTable(): Promise<void> {
  const file = Bun.file(table).writer()
  file.write('slug,url,title,tags,created_at\n')
  for (let at = 0; at < ROWS; at++) {
    const { code, url, title, tags, created } = rowAt(at)
    file.write(`${code},${url},${title},"${tags.join(',')}",${created}\n`)
    if (at % ROWS_PER_WRITE === 0) await file.flush()
  }
  await file.end()
}
