/**
 * What Lighthouse says of the pages on a phone (its default: a slow network and a processor four times slower, both
 * simulated): performance, accessibility and best practices, and the metrics behind the first. Lighthouse and the 200
 * packages that come with it are no dependency: npx fetches the one version below, and nothing is left in the project.
 *
 *   npm run bench:lighthouse
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHROMIUM_FLAGS, EXECUTABLE } from '../test/browser/chromium.ts'
import { makeHistory } from '../test/rigs/clicks/click-history.ts'
import { type TestUser, startDashboardRig } from '../test/rigs/service/dashboard-rig.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const PERFORMANCE_MIN = 95
/** Now and then a browser starts without a trace, which Lighthouse reports as an error (NO_NAVSTART). */
const TRIES_MAX = 3

const PAGES = [
  { name: 'landing', path: '/' },
  { name: 'docs', path: '/docs' },
  { name: 'sign-in', path: '/dashboard/sign-in' },
  { name: 'links', path: '/dashboard/', isSignedIn: true },
  { name: 'link', path: '/dashboard/links/insta', isSignedIn: true },
]

/** What the table shows of one run. */
type Run = { scores: number[]; paintMs: number; largestMs: number; blockedMs: number; shift: number }
type Report = {
  categories: Record<string, { score: number }>
  audits: Record<string, { numericValue: number }>
}

if (EXECUTABLE === undefined) throw new Error('There is no Chromium: apt-get install chromium')
const folder = mkdtempSync(join(tmpdir(), 'tern-lighthouse-'))
const rig = await startDashboardRig()
try {
  const user = await rig.user()
  await makeHistory(rig, user)
  const rows: string[][] = []
  for (const { name, path, isSignedIn } of PAGES) {
    const runs: Run[] = []
    for (let round = 0; round < ROUNDS; round++) {
      runs.push(await runLighthouse(rig.config.baseUrl + path, isSignedIn ? user : undefined))
    }
    rows.push([name, ...cellsOf(runs)])
  }
  const heads = ['page', 'performance', 'accessibility', 'best practices']
  console.log(`\n${machine()}; ${LIGHTHOUSE}, mobile; median of ${ROUNDS} rounds\n`)
  console.log(markdownTable([...heads, 'first paint ms', 'largest paint ms', 'blocked ms', 'shift'], rows))
  const isMet = rows.every(([, performance]) => Number(performance) >= PERFORMANCE_MIN)
  console.log(`\nPerformance of every page ≥ ${PERFORMANCE_MIN}: ${isMet ? 'met' : 'missed'}\n`)
} finally {
  await rig.stop()
  rmSync(folder, { recursive: true })
}
process.exit()

async function runLighthouse(url: string, user: TestUser | undefined, tries = 1): Promise<Run> {
  const output = join(folder, 'report.json')
  const headers = JSON.stringify(user === undefined ? {} : { Cookie: user.browser.headers().Cookie })
  const child = Bun.spawn(
    [
      'npx',
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${output}`,
      '--only-categories=performance,accessibility,best-practices',
      `--chrome-flags=${CHROMIUM_FLAGS.join(' ')}`,
      `--extra-headers=${headers}`,
    ],
    { env: { ...process.env, CHROME_PATH: EXECUTABLE! }, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  )
  const complaints = await child.stderr.text()
  if ((await child.exited) !== 0) {
    if (tries < TRIES_MAX) return runLighthouse(url, user, tries + 1)
    throw new Error(`Lighthouse failed: ${complaints}`)
  }
  return readRun((await Bun.file(output).json()) as Report)
}

function readRun({ categories, audits }: Report): Run {
  const value = (audit: string) => audits[audit]!.numericValue
  return {
    scores: ['performance', 'accessibility', 'best-practices'].map((name) => categories[name]!.score * 100),
    paintMs: value('first-contentful-paint'),
    largestMs: value('largest-contentful-paint'),
    blockedMs: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
  }
}

function cellsOf(runs: readonly Run[]): string[] {
  const middle = (part: (run: Run) => number) => median(runs.map(part))
  return [
    ...runs[0]!.scores.map((_, at) => middle(({ scores }) => scores[at]!).toFixed(0)),
    middle(({ paintMs }) => paintMs).toFixed(0),
    middle(({ largestMs }) => largestMs).toFixed(0),
    middle(({ blockedMs }) => blockedMs).toFixed(0),
    middle(({ shift }) => shift).toFixed(3),
  ]
}
