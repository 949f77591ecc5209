import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failedFiles, mayRunAgain } from './second-try.ts'

const IMPORT = "import { describe, expect, test } from 'bun:test'\n"

test('the files with failures are found in the report, also of suites that end their process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tern-second-try-'))
  const files = {
    'passes.test.ts': "test('a', () => {})",
    'fails.test.ts': "describe('a', () => describe('b', () => test('c', () => expect(1).toBe(2))))",
    'ends.test.ts': "test('a', () => process.exit(3))",
  }
  try {
    for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), IMPORT + text)
    const args = ['test', '--parallel=2', '--reporter=junit', '--reporter-outfile=report.xml']
    const child = Bun.spawn([process.execPath, ...args], { cwd: folder, stdout: 'ignore', stderr: 'ignore' })
    await child.exited
    const report = await Bun.file(join(folder, 'report.xml')).text()
    expect(failedFiles(report).toSorted()).toEqual(['ends.test.ts', 'fails.test.ts'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('only few suites, and only those with other programs, get a second try', () => {
  const browser = (name: string) => `test/browser/${name}.test.ts`
  expect(mayRunAgain([browser('a')])).toBe(true)
  expect(mayRunAgain([browser('a'), 'test/thorough/behind-proxies.test.ts'])).toBe(true)
  expect(mayRunAgain([])).toBe(false)
  expect(mayRunAgain([browser('a'), 'test/crash/crash.test.ts'])).toBe(false)
  expect(mayRunAgain(['a', 'b', 'c', 'd', 'e'].map(browser))).toBe(false)
})
