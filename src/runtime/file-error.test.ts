import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileErrorReason } from './file-error.ts'

test.each([
  [join(import.meta.dir, 'nothing-here'), 'there is no such file or folder'],
  [import.meta.dir, 'it is a folder'],
  [join(import.meta.path, 'below'), 'part of its path is not a folder'],
  [join(import.meta.dir, 'x'.repeat(300)), 'its name is too long'],
])('why a file cannot be read is said in words: %s', (path, reason) => {
  expect(reasonOf(() => readFileSync(path))).toBe(reason)
})

test.each([
  ['EACCES', 'this user may not'],
  ['ENOSPC', 'the disk is full'],
  // Rare ones keep their code.
  ['EBADF', 'EBADF'],
])('%s is %s', (code, reason) => {
  expect(fileErrorReason(Object.assign(new Error('It failed.'), { code }))).toBe(reason)
})

function reasonOf(read: () => unknown): string {
  try {
    read()
    return 'read'
  } catch (error) {
    return fileErrorReason(error)
  }
}
