import { beforeEach, expect, test } from 'bun:test'
import { unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { countAll, storedClicks } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, type StoredSegment, readSegments } from '../../../test/rigs/clicks/journal-rig.ts'
import { useReaderRig, upTo } from '../../../test/rigs/clicks/reader-rig.ts'
import type { JournalReader } from '../ingest/journal-reader.ts'

const rig = useReaderRig()
let segments: StoredSegment[]

/** Three segments of two clicks each. */
beforeEach(async () => {
  const { journal } = rig.journalOf({ segmentBytesMax: 350 })
  for (const visitor of upTo(6)) await journal.append(aClick(visitor))
  await journal.close()
  segments = readSegments(rig.folder)
  expect(segments.map(({ clicks }) => clicks.length)).toEqual([2, 2, 2])
})

test('a segment that is gone while the program does not run causes an alarm with the number of its clicks', async () => {
  await look()
  remove(1)
  await lookAndCount()
  expect(alarms()).toEqual([{ segment: segments[1]!.header.segment, missing: 2 }])
  expect(await storedClicks(rig.store.db)).toEqual([1, 2, 5, 6])
})

test('one that no run has seen is known from the segment after it, with the number of its clicks', async () => {
  await lookAndCount()
  await forgetFrom(1)
  remove(1)
  await lookAndCount()
  expect(alarms()).toEqual([{ segment: segments[1]!.header.segment, missing: 2 }])
})

test('several in a row that no run has seen are one gap', async () => {
  remove(0)
  remove(1)
  await lookAndCount()
  expect(alarms()).toEqual([{ segment: segments[1]!.header.segment, missing: 4 }])
})

test('how much is missing is unknown while a segment before it has not been counted', async () => {
  remove(1)
  await lookAndCount()
  expect(alarms()).toEqual([{ segment: segments[1]!.header.segment, missing: undefined }])
})

test('the last one is missed although nothing tells how much was in it', async () => {
  await look()
  remove(2)
  await lookAndCount()
  expect(alarms()).toEqual([{ segment: segments[2]!.header.segment, missing: undefined }])
})

test('those that were counted, and those that are there, cause none', async () => {
  await look()
  await lookAndCount()
  for (const index of [0, 1]) remove(index)
  await lookAndCount()
  expect(rig.log.lines).toEqual([])
})

test('a backup of the store that is older than what was kept of the journal causes one', async () => {
  await lookAndCount()
  remove(0)
  await forgetFrom(0)
  await lookAndCount()
  expect(alarms()).toEqual([{ segment: segments[0]!.header.segment, missing: 2 }])
})

test('a journal without the last segment that was counted is older than the store', async () => {
  await lookAndCount()
  remove(2)
  await lookAndCount()
  expect(rig.log.lines).toEqual([
    {
      level: 'warn',
      message: 'The journal is older than the database: the last counted segment is missing.',
      fields: { segment: segments[2]!.header.segment },
    },
  ])
  expect(await storedClicks(rig.store.db)).toEqual(upTo(6))
})

const remove = (index: number) => unlinkSync(join(rig.folder, segments[index]!.name))
const alarms = () =>
  rig.log.lines
    .filter(({ message }) => message === 'A journal segment disappeared before all its clicks were counted.')
    .map(({ fields }) => fields)

/** A run of the program that looks what there is. */
async function look(): Promise<JournalReader> {
  const reader = rig.readerOf()
  await reader.findSegments()
  return reader
}

/** As an older store: what it has counted since is not in it. */
async function forgetFrom(index: number): Promise<void> {
  const forgotten = segments.slice(index).map(({ header }) => header.segment)
  await rig.store.relaxedDb.deleteFrom('journal_segments').where('segment', 'in', forgotten).execute()
}

const lookAndCount = async () => countAll(await look())
