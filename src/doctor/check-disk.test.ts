import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { checkDisk, judgeDisk } from './check-disk.ts'

const GIB = 2 ** 30
const ROOMY = { type: 0xef53, freeBytes: 100 * GIB, databaseBytes: GIB }

const verdicts = (changes: Partial<typeof ROOMY>) =>
  judgeDisk({ ...ROOMY, ...changes }).map(({ severity: verdict }) => verdict)

test('a local disk with room is well', () => {
  expect(judgeDisk(ROOMY)).toEqual([{ check: 'disk', severity: 'ok', message: '102,400 MiB are free.' }])
})

test('the less room there is, the worse', () => {
  expect(verdicts({ databaseBytes: 101 * GIB })).toEqual(['warning'])
  expect(verdicts({ freeBytes: GIB - 1 })).toEqual(['warning'])
  expect(verdicts({ freeBytes: 2 ** 26 - 1 })).toEqual(['fault'])
})

test('a network file system is a fault, also where the number has its sign', () => {
  expect(verdicts({ type: 0x6969 })).toEqual(['fault'])
  expect(verdicts({ type: 0xff534d42 | 0 })).toEqual(['fault'])
})

test('the disk of a real folder is looked at', () => {
  expect(checkDisk(tmpdir())[0]!.message).toMatch(/MiB are free/)
})
