import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { FaultyFiles } from '../../../test/rigs/clicks/faulty-files.ts'
import { BOOT, FOLDER_ID, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { decodeHeader, encodeSeal, HEADER_BYTES, NO_SEGMENT } from './segment.ts'
import { SegmentWriter, type Sync } from './segment-writer.ts'

const folders = temporaryFolders()
let folder: string
let disk: FaultyFiles

beforeEach(makeFolder)

afterEach(() => {
  expect(disk.openCount).toBe(0)
  folders.remove()
})

describe('a segment', () => {
  test('begins with its header, and ends with its seal', async () => {
    const segment = await create()
    expect(decodeHeader(readFileSync(segment.path))).toEqual(header)
    await segment.append(bytes('frame'), 3)
    await segment.seal()
    expect(behindHeader(segment.path)).toBe('frame' + encodeSeal(3).toString('latin1'))
    expect(segment.position).toBe(readFileSync(segment.path).length)
  })

  test('that exists is not written to', async () => {
    const segment = await create()
    await expect(create()).rejects.toThrow('EEXIST')
    await segment.append(bytes('good'), 1)
    await segment.close()
    expect(behindHeader(segment.path)).toBe('good')
  })

  test.each([['write'], ['datasync'], ['syncFolder']] as const)(
    'that cannot be begun is removed again: %s fails',
    async (operation) => {
      disk.plan('fail', operation)
      await expect(create('disk')).rejects.toThrow(`EIO: ${operation}`)
      expect(readdirSync(folder)).toEqual([])
    },
  )
})

describe('an append that fails', () => {
  test('leaves nothing behind, and the next one takes its place', async () => {
    const segment = await create()
    disk.plan('short', 'write')
    disk.plan('fail', 'write', { skip: 1 })
    await expect(segment.append(bytes('refused'), 1)).rejects.toThrow('EIO')
    expect([behindHeader(segment.path), segment.isUsable]).toEqual(['', true])
    await segment.append(bytes('good'), 1)
    await segment.seal()
    expect(behindHeader(segment.path)).toBe('good' + encodeSeal(1).toString('latin1'))
  })

  test('and cannot be taken back makes the segment unusable: not even a seal is added', async () => {
    const segment = await create()
    disk.plan('short', 'write')
    disk.plan('fail', 'write', { skip: 1 })
    disk.plan('fail', 'truncate', { times: 2 })
    await expect(segment.append(bytes('refused'), 1)).rejects.toThrow('EIO')
    expect([segment.isUsable, segment.position]).toEqual([false, HEADER_BYTES])
    await segment.seal()
    expect(behindHeader(segment.path)).toBe('ref')
  })

  test('and cannot be taken back at once is taken back at the end; what was acknowledged is synced then', async () => {
    const segment = await create()
    await segment.append(bytes('good'), 1)
    disk.plan('fail after doing it', 'write')
    disk.plan('fail', 'truncate')
    await expect(segment.append(bytes('refused'), 1)).rejects.toThrow('EIO')
    expect(behindHeader(segment.path)).toBe('goodrefused')
    await segment.close()
    expect([behindHeader(segment.path), disk.calls.slice(-2)]).toEqual(['good', ['truncate', 'datasync']])
  })

  test('because the disk refuses to sync makes the segment unusable, and is taken back', async () => {
    const segment = await create('disk')
    disk.plan('fail', 'datasync')
    await expect(segment.append(bytes('refused'), 1)).rejects.toThrow('EIO')
    expect([segment.isUsable, behindHeader(segment.path)]).toEqual([false, ''])
    await segment.close()
  })
})

test('a seal that the disk does not take is taken back', async () => {
  const segment = await create()
  await segment.append(bytes('good'), 1)
  disk.plan('fail after doing it', 'write')
  await segment.seal()
  // What was acknowledged is synced all the same.
  expect(disk.calls.at(-1)).toBe('datasync')
  expect([behindHeader(segment.path), segment.position]).toEqual(['good', HEADER_BYTES + 4])
})

function makeFolder(): void {
  folder = folders.make()
  disk = new FaultyFiles()
}

const header = {
  format: 1 as const,
  segment: '0193b1c0-0000-7000-8000-0000000000c1',
  folder: FOLDER_ID,
  boot: BOOT,
  previous: NO_SEGMENT,
  previousEnd: 0,
  baseCount: 5,
  createdAtUs: NOON_US,
  node: 'here',
}

const create = (sync: Sync = 'os') => SegmentWriter.create(disk.files, { folder, header, sync })
const behindHeader = (path: string) => readFileSync(path, 'latin1').slice(HEADER_BYTES)
const bytes = (text: string) => Buffer.from(text, 'latin1')
