import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failures } from './failures.ts'

/** What `bun test` says of a file with this text. */
async function said(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tern-failures-'))
  try {
    await Bun.write(join(folder, 'a.test.ts'), `import { expect, test } from 'bun:test'\n${text}`)
    const child = Bun.spawn([process.execPath, 'test', '--parallel=2', '--no-isolate'], {
      cwd: folder,
      stdout: 'ignore',
      stderr: 'pipe',
    })
    return await child.stderr.text()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a failure is told with its file, what was expected and its name, and nothing of the tests around it', async () => {
  const found = failures(
    await said(
      "test('fine', () => {})\ntest('sums', () => expect(1 + 1).toBe(3))\ntest('fine too', () => {})",
    ),
  )
  expect(found).toHaveLength(1)
  expect(found[0]).toStartWith('a.test.ts:\n')
  expect(found[0]).toContain('Expected: 3')
  expect(found[0]).toContain('(fail) sums')
  expect(found[0]).not.toContain('fine')
})

test('a test that took too long says so', async () => {
  const [found] = failures(await said("test('slow', () => Bun.sleep(60_000), 50)"))
  expect(found).toContain('(fail) slow')
  expect(found).toContain('timed out after 50ms')
})

test('a file that cannot be loaded is a failure with its error', async () => {
  const found = failures(await said("throw new Error('no such thing')"))
  expect(found).toHaveLength(1)
  expect(found[0]).toContain('error: no such thing')
})

test('of a long failure the end is told', async () => {
  const [found = ''] = failures(
    await said("test('long', () => expect(Array(500).fill('x')).toEqual(Array(500).fill('y')))"),
  )
  expect(found.split('\n').length).toBeLessThan(50)
  expect(found).toContain('(fail) long')
})

test('of what passed nothing is told', async () => {
  expect(failures(await said("test('fine', () => {})\ntest.skip('later', () => {})"))).toEqual([])
})
