import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOT_PATH } from './architecture-rules.data.ts'
import { COVERAGE_VARIABLE } from './coverage/coverage.ts'
import { useSharedFolders } from './rigs/use-rig.ts'

// One file counts how often each line has run (`bun test --coverage`), in a whole service that answers visits from its
// cache. So the list has what is handed in as an object, and not what is imported but not run.

const ROOT = join(import.meta.dir, '..')
const [ALONE, ROUNDS, TOGETHER] = [500, 20, 64]
const VISITS = ALONE + ROUNDS * TOGETHER

const folders = useSharedFolders()

test('the files that run for a cache hit are pinned, few and short', async () => {
  const [before, after] = await Promise.all([
    runsOf(`0 0 ${TOGETHER}`),
    runsOf(`${ALONE} ${ROUNDS} ${TOGETHER}`),
  ])
  const added = [...after].map(([file, lines]) => ({
    file,
    runs: Math.max(0, ...[...lines].map(([line, runs]) => runs - (before.get(file)?.get(line) ?? 0))),
  }))
  const filesOf = (is: (runs: number) => boolean) =>
    added
      .filter(({ runs }) => is(runs))
      .map(({ file }) => file)
      .sort()
  const eachVisit = filesOf((runs) => runs >= VISITS)
  // Those that came at once are written to the journal together.
  const eachGroup = filesOf((runs) => runs >= ALONE && runs < VISITS)
  expect({ eachVisit, eachGroup }).toEqual({ eachVisit: HOT_PATH.eachVisit, eachGroup: HOT_PATH.eachGroup })
  expect(eachVisit.length).toBeLessThanOrEqual(HOT_PATH.filesMax)
  expect(linesOf(eachVisit)).toBeLessThanOrEqual(HOT_PATH.linesMax)
})

/** How often each line of each file runs, in a process that serves cache hits. */
async function runsOf(cacheHits: string): Promise<Map<string, Map<number, number>>> {
  const folder = folders.make()
  const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder}`]
  const child = Bun.spawn(
    [process.execPath, 'test', ...coverage, './test/rigs/program/cache-hits.script.ts'],
    {
      cwd: ROOT,
      env: { ...process.env, [COVERAGE_VARIABLE]: undefined, CACHE_HITS: cacheHits, TEST_ENGINE: 'sqlite' },
      stderr: 'pipe',
    },
  )
  const errors = await child.stderr.text()
  if ((await child.exited) !== 0) throw new Error(errors)
  const files = readFileSync(join(folder, 'lcov.info'), 'utf8').matchAll(
    /^SF:(src\/.*)\n([^]*?)^end_of_record$/gm,
  )
  return new Map(
    [...files].map(([, file, lines]) => [
      file!,
      new Map(
        [...lines!.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, runs]) => [Number(line), Number(runs)]),
      ),
    ]),
  )
}

const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length, 0)
