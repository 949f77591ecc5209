import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runtimeVariables } from '../src/cli/service/tune-runtime.ts'
import { coveredShare } from './coverage/coverage.ts'
import { PROGRAM_VARIABLE } from './rigs/program/server-process.ts'
import { SKIPS_FILE_VARIABLE } from './skips.ts'
import { type TestBatch, testBatches } from './test-batches.ts'
import { failedTests, slowestFiles } from './test-report.ts'

// npm test: what is quick. npm run test:all: everything, and once more on PostgreSQL what must be the same there.

/** Of the code in `src/`, what the suites that start few programs have to run: see test/coverage/coverage.ts. */
const COVERED_SHARE_MIN = 0.9

/** Set where everything must be tested: then each skip counts as a failure. */
const SKIPS_FAIL_VARIABLE = 'TEST_SKIPS_FAIL'

const ROOT = dirname(import.meta.dir)

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

/** What the tests start as `tern`. */
const BUILD = 'build/build-executable.ts'

const LEFT_OUT =
  'Left to npm run test:all: PostgreSQL, ClickHouse, several nodes, browsers, proxies, killed programs, failing disks and threads, hostile requests, the simulation, the executable.'

// Much of the time is waiting, for servers that start and clients that are slow; with four, servers that start could not answer in time.
const PROCESSES = 3

export type Tally = { passed: number; failed: number }
type Ended = { exitCode: number; output: string }

/** Failures as they happen, then what took long, failed and was skipped, and the tally as the last line. */
async function runTests(isQuick: boolean): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'tern-test-'))
  const skipsFile = join(folder, 'skips')
  const reports = join(folder, 'reports.xml')
  for (const file of [skipsFile, reports]) writeFileSync(file, '')
  // Most tests run a server in their own process.
  Object.assign(process.env, { ...runtimeVariables(), [SKIPS_FILE_VARIABLE]: skipsFile })
  try {
    const tallies: Tally[] = []
    const program = join(folder, 'tern')
    for (const args of [...CHECKS, [BUILD, program]]) tallies.push(await runCheck(args))
    if (existsSync(program)) process.env[PROGRAM_VARIABLE] = program
    const coverageFolder = join(folder, 'coverage')
    mkdirSync(coverageFolder)
    const waiting = testBatches(isQuick, coverageFolder)
    const runWaiting = async () => {
      for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift())
        tallies.push(await runBatch(batch, reports))
    }
    await Promise.all(Array.from({ length: PROCESSES }, runWaiting))
    if (!isQuick) tallies.push(coverageTally(coveredShare(ROOT, coverageFolder)))
    const text = readFileSync(reports, 'utf8')
    for (const line of [...slowestFiles(text), ...failedTests(text)]) console.log(line)
    const skips = distinctLines(readFileSync(skipsFile, 'utf8'))
    for (const skip of skips) console.log(`skipped ${skip}`)
    if (isQuick) console.log(LEFT_OUT)
    return sum([...tallies, { passed: 0, failed: process.env[SKIPS_FAIL_VARIABLE] ? skips.length : 0 }])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function runCheck(args: string[]): Promise<Tally> {
  const ended = await run(args)
  const tally = checkTally(ended)
  console.log(`${lastLine(tally)}: bun ${args.join(' ')}`)
  if (tally.failed > 0) process.stderr.write(ended.output)
  return tally
}

/** Says what it ran, how long, and what went wrong. Its JUnit report goes to the end of `reports`. */
async function runBatch({ files, variables }: TestBatch, reports: string): Promise<Tally> {
  const startedMs = performance.now()
  const report = `${reports}-${variables.TEST_ENGINE ?? ''}-${files[0]!.replaceAll('/', '-')}`
  const args = ['test', '--only-failures', '--no-isolate', '--reporter=junit', `--reporter-outfile=${report}`]
  const ended = await run([...args, ...files.map((file) => `./${file}`)], variables)
  const tally = testTally(ended)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  const engine = variables.TEST_ENGINE === undefined ? '' : `${variables.TEST_ENGINE}: `
  console.log(`${seconds} s, ${lastLine(tally)}: ${engine}${files.join(' ')}`)
  if (tally.failed > 0) process.stderr.write(ended.output)
  if (existsSync(report)) appendFileSync(reports, readFileSync(report))
  return tally
}

/** Runs bun, and keeps what it says. */
async function run(args: string[], variables: Record<string, string> = {}): Promise<Ended> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [standard, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { exitCode: await child.exited, output: standard + errors }
}

export const checkTally = ({ exitCode }: Ended): Tally =>
  exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

/** Says how much of the code has run. */
export function coverageTally(share: number): Tally {
  const percent = (100 * share).toFixed(1)
  console.log(
    `The suites run ${percent} % of the code in src/; at least ${100 * COVERED_SHARE_MIN} % have to be run.`,
  )
  return checkTally({ exitCode: share < COVERED_SHARE_MIN ? 1 : 0, output: '' })
}

/** What `bun test` counted. A run that ended badly without counting a failure, as a crash does, is a failure itself. */
export function testTally({ exitCode, output }: Ended): Tally {
  const [passed, failed] = [lastCount(output, 'pass'), lastCount(output, 'fail')]
  return { passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) }
}

/** The summary comes last; before it a test may have printed anything. */
function lastCount(output: string, word: string): number {
  const counts = [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))]
  return Number(counts.at(-1)?.[1] ?? 0)
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
