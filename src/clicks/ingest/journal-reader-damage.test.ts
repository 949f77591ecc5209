import { describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { countAll, storedClicks, THIS_BOOT } from '../../../test/rigs/clicks/ingest-rig.ts'
import { realFiles } from '../journal/files.ts'
import { aClick, endOf, readSegments } from '../../../test/rigs/clicks/journal-rig.ts'
import { useReaderRig, upTo } from '../../../test/rigs/clicks/reader-rig.ts'
import type { JournalProgress } from '../journal/segment-sequence.ts'
import { closeFrame, FRAME_HEAD_BYTES } from '../journal/frame.ts'
import { FORMAT_MAX, HEADER_BYTES } from '../journal/segment.ts'

const rig = useReaderRig()

describe('what cannot be read', () => {
  test('in the middle is kept in quarantine, and all other clicks are counted', async () => {
    const { name, bytes } = await rig.journaled(upTo(10))
    const damaged = Buffer.from(bytes)
    damaged[HEADER_BYTES + 200]! ^= 1
    writeFileSync(join(rig.folder, name), damaged)
    const reader = rig.readerOf()
    await reader.findSegments()
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual([1, 2, 3, ...upTo(10).slice(4)])
    expect(readFileSync(join(rig.folder, 'quarantine', name))).toEqual(damaged)
    expect(rig.log.errors()).toEqual([
      'A journal segment is damaged; a copy is in quarantine.',
      'Clicks are missing from a journal segment.',
    ])
    expect(rig.log.lines.at(-1)!.fields).toMatchObject({ missing: 1 })
  })

  test('costs its own click only, also where it was counted before and the next run has gone on', async () => {
    const { journal, progress } = rig.journalOf({ boot: THIS_BOOT })
    await journal.append(aClick(1))
    const reader = rig.readerOf()
    await reader.noteProgress(progress.at(-1)!)
    await countAll(reader)
    for (const visitor of [2, 3]) await journal.append(aClick(visitor))
    // That run is killed, the click that was counted rots, and the next run takes two for journaled.
    const { name, header, bytes } = readSegments(rig.folder)[0]!
    bytes[HEADER_BYTES + 20]! ^= 1
    writeFileSync(join(rig.folder, name), bytes)
    await rig.journaled([4], { after: { segment: header.segment, end: bytes.length, count: 2 } })
    const next = rig.readerOf({ boot: 'another' })
    await next.findSegments()
    await countAll(next)
    expect(await storedClicks(rig.store.db)).toEqual(upTo(4))
    await journal.close()
  })

  test('at the end of a killed run is left out without an alarm', async () => {
    const { name } = await rig.orphaned(upTo(2))
    appendFileSync(join(rig.folder, name), Buffer.alloc(5000))
    const reader = rig.readerOf()
    await reader.findSegments()
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual([1, 2])
    expect(rig.log.lines).toMatchObject([{ level: 'info', fields: { bytes: 5000 } }])
    expect(existsSync(join(rig.folder, 'quarantine'))).toBe(false)
  })

  test('because a newer version wrote it becomes one dead letter, and later clicks are counted', async () => {
    const first = await rig.orphaned([1])
    appendFileSync(join(rig.folder, first.name), frameOf(Buffer.from([77, 1, 2, 3])))
    const after = readSegments(rig.folder)[0]!.bytes.length - 12
    const other = await rig.orphaned([2])
    const frames = other.bytes.subarray(HEADER_BYTES)
    appendFileSync(join(rig.folder, first.name), frames)
    unlinkSync(join(rig.folder, other.name))
    for (let run = 0; run < 2; run++) {
      const reader = rig.readerOf()
      await reader.findSegments()
      await countAll(reader)
    }
    expect(await storedClicks(rig.store.db)).toEqual([1, 2])
    const letters = readdirSync(join(rig.folder, 'dead-letters'))
    expect(letters).toEqual([`${first.header.segment}-${after}`])
    expect(readFileSync(join(rig.folder, 'dead-letters', letters[0]!))).toEqual(Buffer.from([77, 1, 2, 3]))
    expect(await rig.rows()).toMatchObject([{ clicks: 2, dead_letters: 1 }])
    expect(rig.log.errors()).toContain('The journal holds records that this version does not understand.')
  })
})

describe('a segment is left alone, with one alarm,', () => {
  test('when a newer version wrote it', async () => {
    const { name, bytes } = await rig.journaled(upTo(3))
    const newer = Buffer.from(bytes)
    newer.writeUInt16LE(FORMAT_MAX + 1, 8)
    newer.writeUInt32LE(Bun.hash.crc32(newer.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4)
    writeFileSync(join(rig.folder, name), newer)
    const reader = rig.readerOf()
    for (let look = 0; look < 2; look++) {
      await reader.findSegments()
      await countAll(reader)
    }
    expect(await rig.rows()).toEqual([])
    expect(rig.log.errors()).toEqual(['A journal segment was written by a newer version and waits for it.'])
    expect(readFileSync(join(rig.folder, name))).toEqual(newer)
  })

  test('when its header cannot be read', async () => {
    writeFileSync(join(rig.folder, 'torn.journal'), Buffer.alloc(HEADER_BYTES))
    const reader = rig.readerOf()
    await reader.findSegments()
    expect([await countAll(reader), rig.log.errors()]).toEqual([
      0,
      ['A journal segment has no readable header.'],
    ])
  })

  test('when it is shorter than what was counted; later announcements change nothing', async () => {
    const { journal, progress } = rig.journalOf({ boot: THIS_BOOT })
    const reader = rig.readerOf()
    await journal.append(aClick(1))
    await reader.noteProgress(progress.at(-1)!)
    await countAll(reader)
    const [segment] = readSegments(rig.folder)
    for (const visitor of [2, 3]) {
      await journal.append(aClick(visitor))
      truncateSync(join(rig.folder, segment!.name), HEADER_BYTES)
      await reader.noteProgress(progress.at(-1)!)
      await countAll(reader)
    }
    await journal.close()
    expect(await storedClicks(rig.store.db)).toEqual([1])
    expect(rig.log.errors()).toEqual(['A journal segment is shorter than before; skipping it.'])
  })

  test('when it is gone; the others are counted', async () => {
    const first = await rig.journaled(upTo(3))
    await rig.journaled([4], { after: endOf(first) })
    const reader = rig.readerOf()
    await reader.findSegments()
    unlinkSync(join(rig.folder, first.name))
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual([4])
    expect(rig.log.errors()).toEqual(['A journal segment is shorter than before; skipping it.'])
  })
})

describe('no alarm is given', () => {
  test('for a segment that is just being made, or whose run was killed then', async () => {
    writeFileSync(join(rig.folder, 'begun.journal'), 'TERNJRNL')
    const reader = rig.readerOf()
    await reader.findSegments()
    expect([await countAll(reader), rig.log.lines]).toEqual([0, []])
  })

  test('for one that is removed while segments are looked up', async () => {
    const { name } = await rig.journaled([1])
    const files = {
      ...realFiles,
      async list(folder: string) {
        const names = await realFiles.list(folder)
        rmSync(join(folder, name), { force: true })
        return names
      },
    }
    const reader = rig.readerOf({ files })
    await reader.findSegments()
    expect([await countAll(reader), rig.log.lines]).toEqual([0, []])
  })

  test('for one that is removed after another reader has counted it', async () => {
    const { name } = await rig.journaled([1])
    const [late, other] = [rig.readerOf(), rig.readerOf()]
    await late.findSegments()
    await other.findSegments()
    await countAll(other)
    unlinkSync(join(rig.folder, name))
    expect([await countAll(late), rig.log.lines]).toEqual([0, []])
    expect(await storedClicks(rig.store.db)).toEqual([1])
  })

  test('for one that another reader counts and removes just before it is read', async () => {
    const { name } = await rig.journaled([1])
    const other = rig.readerOf()
    await other.findSegments()
    const files = {
      ...realFiles,
      async sizeOf(path: string) {
        const size = await realFiles.sizeOf(path)
        await countAll(other)
        unlinkSync(join(rig.folder, name))
        return size
      },
    }
    const late = rig.readerOf({ files })
    await late.findSegments()
    expect([await countAll(late), rig.log.lines]).toEqual([0, []])
    expect(await storedClicks(rig.store.db)).toEqual([1])
  })
})

describe('announcements', () => {
  test('of a file that is not there cause one alarm', async () => {
    const reader = rig.readerOf()
    const path = join(rig.folder, 'gone.journal')
    const step: JournalProgress = { segment: 'gone', path, position: 300, closed: false }
    for (let time = 0; time < 2; time++) {
      await reader.noteProgress(step)
      await countAll(reader)
    }
    expect(rig.log.errors()).toEqual(['A journal segment has no readable header.'])
  })
})

function frameOf(payload: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(FRAME_HEAD_BYTES), payload])
  closeFrame(bytes, 0, bytes.length)
  return bytes
}
