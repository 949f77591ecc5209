import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { decodeEntities } from '../src/destination-pages/html-entities.ts'
import { findPostgres } from './rigs/store/postgres-server.ts'
import { QUICK_VARIABLE, SKIPS_FILE_VARIABLE, skipBecause } from './skips.ts'

// npm test: what is quick. npm run test:all: everything, and once more on PostgreSQL what must be the same there.

/** Set where everything must be tested: then each skip counts as a failure. */
const SKIPS_FAIL_VARIABLE = 'TEST_SKIPS_FAIL'

const CHECKS = [
  ['check', '--no-script'],
  // The dashboard is a separate project, because it has the browser's types.
  ['check', '--no-script', '-p', 'dashboard'],
  ['fmt', '--no-script', '--check'],
  // Rules of hooks, and what is wrong or useless.
  ['run', 'lint'],
  // Files, exports and dependencies that nothing uses, or that only tests use.
  ['run', 'unused'],
]

/** Other programs, many processes, long series, killed servers, broken machines. */
const THOROUGH = ['browser', 'hostile', 'robustness', 'simulation', 'thorough']
const LEFT_OUT =
  'Left to npm run test:all: PostgreSQL, several nodes, browsers, proxies, killed programs, failing disks and threads, hostile requests, the simulation, the executable.'

const ON_BOTH_ENGINES = [
  'test/specification',
  'test/dashboard-api',
  'test/security',
  'test/whole-service.test.ts',
  ...'analytics api-keys audit clicks domains export links operator users workspaces'
    .split(' ')
    .map((name) => `src/${name}`),
]

export type Tally = { passed: number; failed: number }
type Ended = { exitCode: number; output: string }

/** Failures as they happen, then what was skipped, and the tally as the last line. */
async function runTests(isQuick: boolean): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'tern-test-'))
  const skipsFile = join(folder, 'skips')
  writeFileSync(skipsFile, '')
  process.env[SKIPS_FILE_VARIABLE] = skipsFile
  try {
    const tallies: Tally[] = []
    const lastLines: { slow: string[]; failed: string[] } = { slow: [], failed: [] }
    for (const args of CHECKS) tallies.push(checkTally(await run(args)))
    for (const [args, variables] of suites(isQuick)) {
      const report = join(folder, 'report.xml')
      rmSync(report, { force: true })
      tallies.push(
        testTally(await run([...args, '--reporter=junit', `--reporter-outfile=${report}`], variables)),
      )
      if (!existsSync(report)) continue
      const text = readFileSync(report, 'utf8')
      lastLines.slow.push(...slowestFiles(text))
      lastLines.failed.push(...failedTests(text))
    }
    for (const line of [...lastLines.slow, ...lastLines.failed]) console.log(line)
    const skips = distinctLines(readFileSync(skipsFile, 'utf8'))
    for (const skip of skips) console.log(`skipped ${skip}`)
    if (isQuick) console.log(LEFT_OUT)
    return sum([...tallies, { passed: 0, failed: process.env[SKIPS_FAIL_VARIABLE] ? skips.length : 0 }])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How many files of a run are named with their time, so that nobody has to search for what makes it long. */
const SLOWEST_MAX = 10

/** The files that took longest by a JUnit report of `bun test`, whose suites have the names of their files and parts of that time. */
export function slowestFiles(report: string): string[] {
  const seconds = new Map<string, number>()
  for (const [, file = '', time] of report.matchAll(
    /<testsuite [^>]*? file="([^"]*)"[^>]*? time="([\d.]+)"/g,
  ))
    seconds.set(file, Math.max(seconds.get(file) ?? 0, Number(time)))
  const slowest = [...seconds].toSorted(([, one], [, other]) => other - one).slice(0, SLOWEST_MAX)
  return slowest.map(([file, time]) => `${time.toFixed(1).padStart(7)} s  ${file}`)
}

/** The failed tests of a JUnit report of `bun test`, each with its file and what it said, because a long output is often kept only from its end. */
export function failedTests(report: string): string[] {
  const failures = report.matchAll(
    /<testcase name="([^"]*)" classname="([^"]*)"[^>]*? file="([^"]*)"[^>]*>\s*<failure [^>]*?message="([^"]*)"/g,
  )
  return [...failures].map(([, name = '', group = '', file = '', message = '']) => {
    const test = [group, name].filter((part) => part !== '').join(' > ')
    return `failed ${file}: ${decodeEntities(test)}\n${decodeEntities(message).slice(0, MESSAGE_LENGTH_MAX)}`
  })
}

/** Enough of a message to see what was expected; the whole of it is further up in the output. */
const MESSAGE_LENGTH_MAX = 1500

type Run = [args: string[], variables?: Record<string, string>]

function suites(isQuick: boolean): Run[] {
  // Much of the time is waiting, for servers that start and clients that are slow, so three processes share the suites: with four, servers that start could not answer in time.
  if (isQuick) return [[testArgs(THOROUGH.map(ignoring)), { [QUICK_VARIABLE]: '1' }]]
  const onSqlite: Run = [testArgs([])]
  const isMissing =
    findPostgres() === undefined &&
    skipBecause('all that has to be the same on PostgreSQL', 'apt-get install postgresql')
  return isMissing ? [onSqlite] : [onSqlite, [testArgs(ON_BOTH_ENGINES), { TEST_ENGINE: 'postgres' }]]
}

const ignoring = (folder: string) => `--path-ignore-patterns=test/${folder}/**`

const testArgs = (which: readonly string[]): string[] => [
  'test',
  '--only-failures',
  '--parallel=3',
  '--no-isolate',
  ...which,
]

/** Runs bun, shows what it says while it says it, and keeps it. */
async function run(args: string[], variables: Record<string, string> = {}): Promise<Ended> {
  console.log(`\n$ bun ${args.join(' ')}`)
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: dirname(import.meta.dir),
    env: { ...process.env, ...variables },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
  })
  const decoder = new TextDecoder()
  let output = ''
  for await (const bytes of child.stderr) {
    process.stderr.write(bytes)
    output += decoder.decode(bytes, { stream: true })
  }
  return { exitCode: await child.exited, output }
}

export const checkTally = ({ exitCode }: Ended): Tally =>
  exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

/** What `bun test` counted. A run that ended badly without counting a failure, as a crash does, is a failure itself. */
export function testTally({ exitCode, output }: Ended): Tally {
  const [passed, failed] = [lastCount(output, 'pass'), lastCount(output, 'fail')]
  return { passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) }
}

/** The summary comes last; before it a test may have printed anything. */
function lastCount(output: string, word: string): number {
  const found = [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))]
  return Number(found.at(-1)?.[1] ?? 0)
}

export const sum = (tallies: Tally[]): Tally => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failed: tallies.reduce((total, { failed }) => total + failed, 0),
})

export const lastLine = ({ passed, failed }: Tally) => `${passed} passed, ${failed} failed`

export const distinctLines = (text: string) => [...new Set(text.split('\n').filter((line) => line !== ''))]

if (import.meta.main) {
  const tally = await runTests(!Bun.argv.includes('--all'))
  console.log(lastLine(tally))
  process.exit(tally.failed === 0 ? 0 : 1)
}
