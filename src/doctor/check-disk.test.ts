import { expect, test } from 'bun:test'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useFolders } from '../../test/rigs/use-rig.ts'
import { checkDisk, judgeDisk } from './check-disk.ts'
import { clicksFolder } from '../store/sqlite/open-sqlite-store.ts'

const folders = useFolders()

const GIB = 2 ** 30
const ROOMY = { type: 0xef53, freeBytes: 100 * GIB, storeBytes: GIB }

const verdicts = (changes: Partial<typeof ROOMY>) =>
  judgeDisk({ ...ROOMY, ...changes }).map(({ severity: verdict }) => verdict)

test('a local disk with room is well', () => {
  expect(judgeDisk(ROOMY)).toEqual([{ check: 'disk', severity: 'ok', message: '102,400 MiB are free.' }])
})

test('the less room there is, the worse', () => {
  expect(verdicts({ storeBytes: 51 * GIB })).toEqual(['warning'])
  expect(verdicts({ freeBytes: GIB - 1 })).toEqual(['warning'])
  expect(verdicts({ freeBytes: 2 ** 26 - 1 })).toEqual(['fault'])
})

test('a network file system is a fault, also where the number has its sign', () => {
  expect(verdicts({ type: 0x6969 })).toEqual(['fault'])
  expect(verdicts({ type: 0xff534d42 | 0 })).toEqual(['fault'])
})

test('the disk of a real folder is looked at, and click files are part of a backup', () => {
  expect(checkDisk(tmpdir())[0]!.message).toMatch(/MiB are free/)
  const dataDir = folders.make()
  const name = '2026-04-20-0193b1c0-0000-7000-8000-000000000000.parquet'
  mkdirSync(clicksFolder(dataDir))
  writeFileSync(join(clicksFolder(dataDir), name), '')
  // Without a byte on the disk.
  truncateSync(join(clicksFolder(dataDir), name), 1024 * GIB)
  expect(checkDisk(dataDir).at(-1)!.message).toMatch(
    /the database with its click files has 1,048,576 MiB: too little to restore a backup\.$/,
  )
})
