import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Linux counts CPU time in hundredths of a second. */
const TICK_US = 10_000

/** User and system time of a process so far, or of one of its threads; the main thread's id is the process's. */
export function cpuUs(pid: number, thread?: number): number {
  const path = thread === undefined ? `/proc/${pid}/stat` : `/proc/${pid}/task/${thread}/stat`
  const [user, system] = timesIn(path)
  return (user + system) * TICK_US
}

/** The same of a process and all that it started, directly or not, also of those that have ended since. */
export function familyCpuUs(pid: number): number {
  const [user, system, userOfEnded, systemOfEnded] = timesIn(`/proc/${pid}/stat`)
  const own = (user + system + userOfEnded + systemOfEnded) * TICK_US
  return childrenOf(pid).reduce((sum, child) => sum + familyCpuUs(child), own)
}

/** What `field` in the status of the process says now: `VmRSS` is what is resident, `RssFile` what of it is files. */
export function megabytesOf(pid: number, field: 'VmRSS' | 'RssFile'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  // A process that has just ended has none.
  const [, kilobytes = '0'] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
  return (Number(kilobytes) * 1024) / 1e6
}

/** The processes that it started and that still run. */
export function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads
    .map((thread) => childrenOfThread(pid, thread))
    .flatMap((text) => text.trim().split(/\s+/))
    .flatMap((text) => (text === '' ? [] : Number(text)))
}

function childrenOfThread(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
  } catch {
    // It has just ended.
    return ''
  }
}

type Times = [user: number, system: number, userOfEnded: number, systemOfEnded: number]

function timesIn(path: string): Times {
  const text = readFileSync(path, 'utf8')
  // The second field, the name in brackets, may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).map(Number) as Times
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Of sorted times: so large a share of them is at most so long. */
export const atShare = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(share * sorted.length) - 1]!

/** Round by round, so that what the machine does to both cancels out. */
export function medianRatio(values: readonly number[], yardstick: readonly number[]): number {
  return median(values.map((value, round) => value / yardstick[round]!))
}

/** A Markdown table, columns as wide as their widest cell. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join(
    '\n',
  )
}

export function machine(): string {
  const release = readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim()
  return `${cpus().length} × ${cpus()[0]!.model}, Linux ${release}, Bun ${Bun.version}`
}

/** The program's path, or the end of the bench with what to install. */
export function need(program: string, debianPackage: string): string {
  const path = Bun.which(program) ?? Bun.which(program, { PATH: '/usr/sbin:/sbin' })
  if (path !== null) return path
  console.error(`This bench needs ${program}: install Debian's package ${debianPackage}.`)
  process.exit(1)
}

/** Asks again until the answer is true; the bench ends when it never is. */
export async function waitFor(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const TRIES_MAX = 1200
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (await isTrue().catch(() => false)) return
    await Bun.sleep(50)
  }
  throw new Error(`Timed out: ${what}.`)
}
