import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findPostgres } from './rigs/postgres-server.ts'
import { QUICK_VARIABLE, SKIPS_FILE_VARIABLE } from './skips.ts'

/** Set where everything must be tested: then each skip counts as a failure. */
const SKIPS_FAIL_VARIABLE = 'TEST_SKIPS_FAIL'

/** For one test; the slowest kill servers or wait for slow clients. A hang ends as a failure, not as a hang. */
const TEST_MS_MAX = 60_000

/**
 * Processes that share the suites. Much of their time is waiting, for servers that start and clients that are slow; in the
 * quick loop more than in everything, whose databases and browsers are processes of their own.
 */
const WORKERS = { quick: 4, all: 3 }

/** What `npm test` leaves to `npm run test:all`: other programs, many processes, long series, killed servers. */
const THOROUGH_ONLY = [
  'test/browser/**',
  'test/crash/**',
  'test/hostile/**',
  'test/simulation/**',
  'test/*-proxies.test.ts',
  'test/backup-and-restore.test.ts',
  'test/blocked-api.test.ts',
  'test/executable.test.ts',
  'test/pipelining.test.ts',
  'test/start-with-backlog.test.ts',
]
const LEFT_OUT =
  'Left to npm run test:all: PostgreSQL, browsers, proxies, killed programs, hostile requests, the simulation, the executable.'

/** What has to be the same on either engine: these suites run once more, on PostgreSQL. */
const ON_BOTH_ENGINES = [
  'test/specification',
  'test/dashboard-api',
  'test/security',
  'test/whole-service.test.ts',
  ...['accounts', 'analytics', 'api-keys', 'clicks', 'export', 'links'].map((room) => `src/${room}`),
]

export type Tally = { passed: number; failed: number }
type Scope = 'quick' | 'all'

/** The types, the format and the suites; failures as they come, then what was skipped, and the tally as the last line. */
async function runTests(scope: Scope): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'tern-test-'))
  const skipsFile = join(folder, 'skips')
  writeFileSync(skipsFile, '')
  try {
    const checks = [
      await run(['check', '--no-script']),
      // The browser's types are not the server's: the dashboard is a project of its own.
      await run(['check', '--no-script', '-p', 'dashboard']),
      await run(['fmt', '--no-script', '--check']),
    ]
    const suites = scope === 'quick' ? await runQuick(skipsFile) : await runEverything(skipsFile)
    const skips = distinctLines(readFileSync(skipsFile, 'utf8'))
    for (const skip of skips) console.log(`skipped ${skip}`)
    if (scope === 'quick') console.log(LEFT_OUT)
    const skipsFailed = process.env[SKIPS_FAIL_VARIABLE] ? skips.length : 0
    return sum([...checks.map(oneCheck), ...suites.map(testTally), { passed: 0, failed: skipsFailed }])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function runQuick(skipsFile: string): Promise<Ended[]> {
  const ignored = THOROUGH_ONLY.map((pattern) => `--path-ignore-patterns=${pattern}`)
  return [await runSuites('quick', ignored, { [SKIPS_FILE_VARIABLE]: skipsFile, [QUICK_VARIABLE]: '1' })]
}

async function runEverything(skipsFile: string): Promise<Ended[]> {
  const variables = { [SKIPS_FILE_VARIABLE]: skipsFile }
  const onSqlite = await runSuites('all', [], variables)
  if (findPostgres() === undefined) {
    appendFileSync(skipsFile, 'all that has to be the same on PostgreSQL: apt-get install postgresql\n')
    return [onSqlite]
  }
  return [onSqlite, await runSuites('all', ON_BOTH_ENGINES, { ...variables, TEST_ENGINE: 'postgres' })]
}

function runSuites(
  scope: Scope,
  which: readonly string[],
  variables: Record<string, string>,
): Promise<Ended> {
  const how = [`--timeout=${TEST_MS_MAX}`, `--parallel=${WORKERS[scope]}`, '--no-isolate']
  return run(['test', '--only-failures', ...how, ...which], variables)
}

type Ended = { exitCode: number; output: string }

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

export const oneCheck = ({ exitCode }: Ended): Tally =>
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
  const tally = await runTests(Bun.argv.includes('--all') ? 'all' : 'quick')
  console.log(lastLine(tally))
  process.exit(tally.failed === 0 ? 0 : 1)
}
