import { expect, test } from 'bun:test'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { syncFolderOf, writeToFile } from './durable-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'tern-durable-'))

test('bytes land at their position, and what is around them stays', () => {
  const path = join(folder, 'bytes')
  writeFileSync(path, 'abcdefgh')
  const file = openSync(path, 'r+')
  writeToFile(file, Buffer.from('XYZ'), 2)
  closeSync(file)
  expect(readFileSync(path, 'latin1')).toBe('abXYZfgh')
})

test.skipIf(!existsSync('/dev/full'))('a full disk is reported', () => {
  const file = openSync('/dev/full', 'w')
  try {
    expect(() => writeToFile(file, Buffer.from('XYZ'), 0)).toThrow('ENOSPC')
  } finally {
    closeSync(file)
  }
})

test('the folder of a path can be synced, and one that is not there is reported', () => {
  expect(() => syncFolderOf(join(folder, 'any'))).not.toThrow()
  expect(() => syncFolderOf(join(folder, 'none', 'any'))).toThrow('ENOENT')
  rmSync(folder, { recursive: true })
})
