import { expect, test } from 'bun:test'
import { connectionFilesMax } from './connection-files.ts'

test('connections leave a hundred files to everything else, or half of a low limit', () => {
  expect(connectionFilesMax(1024)).toBe(924)
  expect(connectionFilesMax(200)).toBe(100)
  expect(connectionFilesMax(128)).toBe(64)
})

test('connections are limited if the system has no limit', () => {
  expect(connectionFilesMax(Infinity)).toBe(100_000)
  expect(connectionFilesMax(1_048_576)).toBe(100_000)
})

test('the default limit is that of the process', () => {
  const script = `
    import { connectionFilesMax } from ${JSON.stringify(import.meta.resolve('./connection-files.ts'))}
    console.log(connectionFilesMax())`
  const { stdout } = Bun.spawnSync(['sh', '-c', `ulimit -n 300; exec "${process.execPath}" -e '${script}'`])
  expect(stdout.toString()).toBe('200\n')
})
