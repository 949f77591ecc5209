import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useSharedFolders } from '../rigs/use-rig.ts'
import { COVERAGE_VARIABLE, CoveredScripts, coveredShare } from './coverage.ts'

const folders = useSharedFolders()
const RECORDER = join(import.meta.dir, 'record-coverage.ts')

const range = (startOffset: number, endOffset: number, count: number) => ({ startOffset, endOffset, count })
const scriptOf = (...functions: ReturnType<typeof range>[][]) => ({
  url: 'file:///a.ts',
  functions: functions.map((ranges) => ({ ranges })),
})

test('an inner range overrides the one around it, and what has run on one thread has run', () => {
  const covered = new CoveredScripts()
  covered.add(scriptOf([range(0, 10, 1)], [range(2, 8, 1), range(4, 6, 0)]))
  expect([...covered.of('file:///a.ts')!]).toEqual([1, 1, 1, 1, 0, 0, 1, 1, 1, 1])
  covered.add(scriptOf([range(0, 10, 0)], [range(4, 5, 3)]))
  expect([...covered.of('file:///a.ts')!]).toEqual([1, 1, 1, 1, 1, 0, 1, 1, 1, 1])
  expect(covered.of('file:///b.ts')).toBeUndefined()
})

/** The share of a project whose test starts a thread. `reached` is the name of the function that the thread calls. */
async function shareOf(reached: string, others: Record<string, string> = {}): Promise<number> {
  const root = folders.make()
  const reports = join(root, 'reports')
  for (const folder of ['src', 'reports']) mkdirSync(join(root, folder))
  const files = {
    'src/code.ts': 'export function one() {\n  return 1\n}\nexport function two() {\n  return 2\n}\n',
    'src/some-thread.ts': `import * as code from './code.ts'\nself.onmessage = () => {\n  code.${reached}()\n  self.postMessage({ kind: 'stopped' })\n}\n`,
    'a.test.ts': `import { test } from 'bun:test'
      test('a', async () => {
        const thread = new Worker(new URL('./src/some-thread.ts', import.meta.url))
        const stopped = new Promise((resolve) => (thread.onmessage = resolve))
        thread.postMessage('begin')
        await stopped
        thread.terminate()
        ${reached === 'one' ? "const { two } = await import('./src/code.ts'); two()" : ''}
      })`,
    ...others,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  const child = Bun.spawn([process.execPath, 'test', '--preload', RECORDER, './a.test.ts'], {
    cwd: root,
    env: { ...process.env, [COVERAGE_VARIABLE]: reports },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const output = await child.stderr.text()
  expect([await child.exited, output]).toEqual([0, output])
  return coveredShare(root, reports)
}

test('code counts on whichever thread it runs', async () => {
  expect(await shareOf('one')).toBe(1)
})

test('code that no thread runs lowers the share, and so does a file that nothing loads', async () => {
  const oneOfTwo = await shareOf('two')
  expect(oneOfTwo).toBeLessThan(1)
  const unused = { 'src/unused.ts': 'export const unused = () => 1\n', 'src/types.ts': 'export type A = 1\n' }
  expect(await shareOf('two', unused)).toBeLessThan(oneOfTwo)
})
