import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkTally, coverageTally, distinctLines, lastLine, sum, testTally } from './run-tests.ts'
import { SKIPS_FILE_VARIABLE } from './skips.ts'
import { testBatches } from './test-batches.ts'
import { failedTests, slowestFiles } from './test-report.ts'

test('passes and failures are those that Bun counts, skips are neither', async () => {
  const ended = await bunTest(
    "test('a', () => {})\ntest('b', () => {})\ntest.skip('c', () => {})\ntest('d', () => expect(1).toBe(2))",
  )
  expect(testTally(ended)).toEqual({ passed: 2, failed: 1 })
})

test('a suite that passes has no failure', async () => {
  expect(testTally(await bunTest("test('a', () => {})"))).toEqual({ passed: 1, failed: 0 })
})

test('a suite that cannot be loaded is a failure', async () => {
  expect(testTally(await bunTest("throw new Error('no')"))).toEqual({ passed: 0, failed: 1 })
})

test('a suite that ends the process is a failure', async () => {
  expect(testTally(await bunTest("test('a', () => process.exit(7))"))).toEqual({ passed: 0, failed: 1 })
})

test('a test that prints a summary of its own does not count', () => {
  const output =
    ' 9 pass\n 9 fail\n\n\n 3 pass\n 0 fail\n 3 expect() calls\nRan 3 tests across 1 file. [1.00ms]\n'
  expect(testTally({ exitCode: 0, output })).toEqual({ passed: 3, failed: 0 })
})

test('types and format count as one check each', () => {
  expect(checkTally({ exitCode: 0, output: '' })).toEqual({ passed: 1, failed: 0 })
  expect(checkTally({ exitCode: 1, output: '' })).toEqual({ passed: 0, failed: 1 })
})

test('each test file is run once on SQLite, and what must be the same there once more on PostgreSQL', () => {
  const filesOf = (isQuick: boolean, engine?: string) =>
    testBatches(isQuick, 'coverage')
      .filter(({ variables }) => variables.TEST_ENGINE === engine)
      .flatMap(({ files }) => files)
  const all = filesOf(false)
  expect(new Set(all).size).toBe(all.length)
  expect(all).toContain('test/run-tests.test.ts')
  expect(all).toContain('test/browser/every-page.test.ts')
  const quick = filesOf(true)
  expect(all).toEqual(expect.arrayContaining(quick))
  expect(quick).not.toContain('test/browser/every-page.test.ts')
  expect(all).toEqual(expect.arrayContaining(filesOf(false, 'postgres')))
})

test('too little coverage is a failure', () => {
  expect(coverageTally(0.95)).toEqual({ passed: 1, failed: 0 })
  expect(coverageTally(0.05)).toEqual({ passed: 0, failed: 1 })
})

test('the last line is the sum', () => {
  const tallies = [
    { passed: 1, failed: 0 },
    { passed: 122, failed: 2 },
  ]
  expect(lastLine(sum(tallies))).toBe('123 passed, 2 failed')
})

test('a skip is reported once, with what to do about it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tern-skips-'))
  const skipsFile = join(folder, 'skips')
  const skips = JSON.stringify(join(import.meta.dir, 'skips.ts'))
  const skipped = `test.skipIf(skipBecause('the browser', 'apt-get install chromium'))('a', () => {})\n`
  try {
    await bunTest(`import { skipBecause } from ${skips}\n${skipped}${skipped}`, {
      [SKIPS_FILE_VARIABLE]: skipsFile,
    })
    expect(distinctLines(await Bun.file(skipsFile).text())).toEqual(['the browser: apt-get install chromium'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the files that took longest are named with their seconds, the longest first', () => {
  const report = `<testsuites name="bun test" time="12">
    <testsuite name="a.test.ts" file="a.test.ts" tests="1" time="0.52" hostname="vm">
    <testsuite name="b.test.ts" file="b.test.ts" tests="2" time="11.26" hostname="vm">
      <testsuite name="a part" file="b.test.ts" line="6" tests="1" time="3.1" hostname="vm">`
  expect(slowestFiles(report)).toEqual(['   11.3 s  b.test.ts', '    0.5 s  a.test.ts'])
})

test('failed tests are named at the end with their file and what they said', async () => {
  const report = join(mkdtempSync(join(tmpdir(), 'tern-report-')), 'report.xml')
  try {
    await bunTest(
      `describe('links', () => {
        test('a "short" one', () => { throw new Error('1 < 2\\nand so on') })
        test('a good one', () => {})
      })
      test('slow', () => Bun.sleep(5000), 50)`,
      {},
      ['--reporter=junit', `--reporter-outfile=${report}`],
    )
    expect(failedTests(await Bun.file(report).text())).toEqual([
      'failed a.test.ts: links > a "short" one\n1 < 2\nand so on',
      'failed a.test.ts: slow\ntest timed out',
    ])
  } finally {
    rmSync(dirname(report), { recursive: true })
  }
})

/** Runs `bun test` on a file with this text. */
async function bunTest(text: string, variables: Record<string, string> = {}, args: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'tern-run-tests-'))
  try {
    await Bun.write(join(folder, 'a.test.ts'), `import { describe, expect, test } from 'bun:test'\n${text}`)
    const child = Bun.spawn([process.execPath, 'test', ...args], {
      cwd: folder,
      env: { ...process.env, ...variables },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    return { output: await child.stderr.text(), exitCode: await child.exited }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
