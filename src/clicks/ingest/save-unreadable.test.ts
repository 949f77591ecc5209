import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { realFiles } from '../journal/files.ts'
import { saveUnreadable } from './save-unreadable.ts'
import type { SegmentBatch } from '../journal/read-segment.ts'

const folders = temporaryFolders()
let folder: string

beforeEach(() => {
  folder = folders.make()
  writeFileSync(join(folder, 'file.journal'), 'the segment')
})
afterEach(folders.remove)

test('of a good batch nothing is kept or said', async () => {
  expect(await keep({})).toEqual([])
  expect(readdirSync(folder)).toEqual(['file.journal'])
})

test('dead letters are kept under their segment and place; keeping them again changes nothing', async () => {
  const deadLetters = [
    { offset: 300, payload: Buffer.from('one') },
    { offset: 400, payload: Buffer.from('two') },
  ]
  for (let time = 0; time < 2; time++) {
    expect(await keep({ deadLetters })).toMatchObject([
      { level: 'error', fields: { segment: 'id', records: 2 } },
    ])
    expect(readdirSync(join(folder, 'dead-letters')).sort()).toEqual(['id-300', 'id-400'])
  }
  expect(readFileSync(join(folder, 'dead-letters', 'id-400'), 'utf8')).toBe('two')
})

test('of damage a copy is kept as it is now', async () => {
  await keep({ damagedBytes: 9 })
  writeFileSync(join(folder, 'file.journal'), 'the segment, longer')
  expect(await keep({ damagedBytes: 5 })).toMatchObject([{ level: 'error', fields: { bytes: 5 } }])
  expect(readFileSync(join(folder, 'quarantine', 'id.journal'), 'utf8')).toBe('the segment, longer')
})

test('a torn tail is logged, and no alarm', async () => {
  expect(await keep({ tornBytes: 3 })).toMatchObject([{ level: 'info', fields: { bytes: 3 } }])
  expect(readdirSync(folder)).toEqual(['file.journal'])
})

const GOOD: SegmentBatch = {
  clicks: [],
  deadLetters: [],
  position: 500,
  damagedBytes: 0,
  tornBytes: 0,
  sealedClicks: undefined,
}

async function keep(batch: Partial<SegmentBatch>) {
  const log = recordingLog()
  const source = { folder, segment: 'id', path: join(folder, 'file.journal') }
  await saveUnreadable({ files: realFiles, log }, source, { ...GOOD, ...batch })
  return log.lines
}
