import { describe, expect, test } from 'bun:test'
import { appendFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { losingOneResponse } from '../../../test/rigs/store/faulty-store.ts'
import { countAll, newReader, THIS_BOOT } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, endOf, NOON_US, readSegments } from '../../../test/rigs/clicks/journal-rig.ts'
import { useReaderRig, upTo } from '../../../test/rigs/clicks/reader-rig.ts'
import { realFiles } from '../journal/files.ts'
import { closeFrame, FRAME_HEAD_BYTES } from '../journal/frame.ts'
import { HEADER_BYTES } from '../journal/segment.ts'

const rig = useReaderRig()

const NOTHING_WRONG = { deadLetters: 0, isDamaged: false, missing: 0 }

describe('clicks of earlier runs', () => {
  test('wait until they are counted, those of the last segment too', async () => {
    await rig.journaled(upTo(10), { segmentBytesMax: 400 })
    expect(readSegments(rig.folder).length).toBeGreaterThan(2)
    const reader = rig.readerOf()
    expect(reader.waitingOfEarlierRuns(10)).toBe(0)
    await reader.findSegments()
    expect(reader.waitingOfEarlierRuns(10)).toBe(10)
    while (await reader.countSome(1))
      expect(reader.waitingOfEarlierRuns(10)).toBe(10 - rig.metrics.clicksCounted.value)
    expect(counted()).toEqual({ clicks: 10, ...NOTHING_WRONG })
    expect([reader.waitingOfEarlierRuns(10), reader.settledClicks]).toEqual([0, 0])
    expect(rig.metrics.countedUntil.value).toBe(NOON_US)
  })

  test('of which a part was counted before wait for the rest only', async () => {
    await rig.journaled(upTo(10))
    const before = rig.readerOf()
    await before.findSegments()
    await before.countSome(4)
    const reader = rig.readerOf()
    await reader.findSegments()
    expect(reader.waitingOfEarlierRuns(10)).toBe(6)
  })

  test('wait without a number while nobody has said how many there were', async () => {
    await rig.journaled(upTo(3))
    const reader = rig.readerOf()
    await reader.findSegments()
    expect(reader.waitingOfEarlierRuns(Number.NaN)).toBeNaN()
    await countAll(reader)
    expect(reader.waitingOfEarlierRuns(Number.NaN)).toBe(0)
  })

  test('that are lost with a segment are missing', async () => {
    const first = await rig.journaled(upTo(5))
    const before = rig.readerOf()
    await before.findSegments()
    await before.countSome(2)
    await rig.journaled([6], { after: endOf(first) })
    unlinkSync(join(rig.folder, first.name))
    const reader = rig.readerOf()
    await reader.findSegments()
    expect(counted()).toMatchObject({ missing: 3 })
    expect(reader.waitingOfEarlierRuns(6)).toBe(1)
  })
})

describe('clicks of this run', () => {
  test('are settled when they are counted, and wait nowhere else', async () => {
    const { journal, progress } = rig.journalOf({ boot: THIS_BOOT })
    for (const visitor of upTo(3)) await journal.append(aClick(visitor))
    const reader = rig.readerOf()
    await reader.noteProgress(progress.at(-1)!)
    await countAll(reader)
    expect([reader.settledClicks, reader.waitingOfEarlierRuns(0)]).toEqual([3, 0])
    await journal.append(aClick(4))
    await reader.noteProgress(progress.at(-1)!)
    expect(reader.settledClicks).toBe(3)
    await journal.close()
    await reader.noteProgress(progress.at(-1)!)
    await countAll(reader)
    expect(reader.settledClicks).toBe(4)
    expect(counted()).toEqual({ clicks: 4, ...NOTHING_WRONG })
  })

  test('that are damaged are settled too, and missing', async () => {
    const { journal, progress } = rig.journalOf({ boot: THIS_BOOT })
    for (const visitor of upTo(10)) await journal.append(aClick(visitor))
    await journal.close()
    damageFirst()
    const reader = rig.readerOf()
    await reader.noteProgress(progress.at(-1)!)
    await countAll(reader)
    expect(counted()).toEqual({ clicks: 9, deadLetters: 0, isDamaged: true, missing: 1 })
    expect(reader.settledClicks).toBe(10)
  })
})

test('a record that is not understood is a dead letter and no click', async () => {
  const { name } = await rig.orphaned([1])
  appendFileSync(join(rig.folder, name), frameOf(Buffer.from([77, 1, 2, 3])))
  const reader = rig.readerOf()
  await reader.findSegments()
  await countAll(reader)
  expect(counted()).toEqual({ clicks: 1, deadLetters: 1, isDamaged: false, missing: 0 })
})

test('a batch whose commit was not answered is counted once', async () => {
  await rig.journaled(upTo(5))
  const reader = newReader(
    { ...rig, store: losingOneResponse(rig.store), files: realFiles },
    { folder: rig.folder },
  )
  await reader.findSegments()
  await expect(reader.countSome()).rejects.toThrow('was lost')
  await countAll(reader)
  expect(counted()).toEqual({ clicks: 5, ...NOTHING_WRONG })
})

function damageFirst(): void {
  const { name, bytes } = readSegments(rig.folder)[0]!
  bytes[HEADER_BYTES + 20]! ^= 1
  writeFileSync(join(rig.folder, name), bytes)
}

function frameOf(payload: Buffer): Buffer {
  const frame = Buffer.concat([Buffer.alloc(FRAME_HEAD_BYTES), payload])
  closeFrame(frame, 0, frame.length)
  return frame
}

const counted = () => {
  const { clicksCounted, deadLetters, damagedBytes, clicksMissing } = rig.metrics
  return {
    clicks: clicksCounted.value,
    deadLetters: deadLetters.value,
    isDamaged: damagedBytes.value > 0,
    missing: clicksMissing.value,
  }
}
