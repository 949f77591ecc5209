import { describe, expect, test } from 'bun:test'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { agreedCounts, countAll, storedClicks, THIS_BOOT } from '../../../test/rigs/clicks/ingest-rig.ts'
import { FOLDER_ID, aClick, endOf, NOON_US, readSegments } from '../../../test/rigs/clicks/journal-rig.ts'
import { useReaderRig, SEAL_FRAME_BYTES, upTo } from '../../../test/rigs/clicks/reader-rig.ts'
import { realFiles } from '../journal/files.ts'
import { HEADER_BYTES } from '../journal/segment.ts'

const rig = useReaderRig()

describe('segments of earlier runs', () => {
  test('are counted whole, each click once, and finished', async () => {
    await rig.journaled(upTo(10), { segmentBytesMax: 600 })
    const reader = rig.readerOf()
    await reader.findSegments()
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual(upTo(10))
    expect(await agreedCounts(rig.store.db)).toEqual({ clicks: 10, visitors: 10, bots: 0 })
    const segments = readSegments(rig.folder)
    expect(await rig.rows()).toEqual(
      segments.map(({ header, bytes, clicks }) => ({
        segment: header.segment,
        node: 'here',
        previous_segment: header.previous,
        base_count: header.baseCount,
        position: bytes.length,
        clicks: clicks.length,
        dead_letters: 0,
        damaged_bytes: 0,
        missing_clicks: 0,
        finished_at: NOON_US,
        folder: FOLDER_ID,
      })),
    )
    expect(rig.log.lines).toEqual([])
  })

  test('are not counted again by the next run', async () => {
    await rig.journaled(upTo(3))
    for (let run = 0; run < 3; run++) {
      const reader = rig.readerOf()
      await reader.findSegments()
      expect(await countAll(reader)).toBe(run === 0 ? 1 : 0)
    }
    expect(await storedClicks(rig.store.db)).toEqual(upTo(3))
  })

  test('are counted to their last whole click when the run was killed', async () => {
    const { name, bytes } = await rig.orphaned(upTo(5))
    truncateSync(join(rig.folder, name), bytes.length - 17 - 1)
    const reader = rig.readerOf()
    await reader.findSegments()
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual(upTo(4))
    expect(rig.log.errors()).toEqual([])
    expect((await rig.rows())[0]!.damaged_bytes).toBeGreaterThan(0)
  })

  test('are counted only as far as the segment after them says: the rest was written once more there', async () => {
    const first = await rig.orphaned(upTo(5))
    const frameBytes = (first.bytes.length - SEAL_FRAME_BYTES - HEADER_BYTES) / 5
    const end = HEADER_BYTES + 3 * frameBytes
    await rig.journaled([4, 5, 6], { after: { segment: first.header.segment, end, count: 3 } })
    const reader = rig.readerOf()
    await reader.findSegments()
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual(upTo(6))
    expect((await rig.rows()).map(({ clicks }) => clicks)).toEqual([3, 3])
  })

  test('with nothing in them are finished as well', async () => {
    const { name } = await rig.orphaned([1])
    truncateSync(join(rig.folder, name), HEADER_BYTES)
    const reader = rig.readerOf()
    await reader.findSegments()
    await countAll(reader)
    expect(await rig.rows()).toMatchObject([{ clicks: 0, position: HEADER_BYTES, finished_at: NOON_US }])
  })

  test('larger than a batch are counted in several', async () => {
    const { journal } = rig.journalOf()
    await Promise.all(upTo(24_000).map((visitor) => journal.append(aClick(visitor))))
    await journal.close()
    const reader = rig.readerOf()
    await reader.findSegments()
    expect(await countAll(reader)).toBe(3)
    expect(await storedClicks(rig.store.db)).toEqual(upTo(24_000))
    expect(await agreedCounts(rig.store.db)).toEqual({ clicks: 24_000, visitors: 24_000, bots: 0 })
  })
})

describe('the segment of this run', () => {
  test('is counted up to where the journal has announced it, and not a byte further', async () => {
    const { journal, progress } = rig.journalOf({ boot: THIS_BOOT })
    const reader = rig.readerOf()
    await reader.findSegments()
    await journal.append(aClick(1))
    await journal.append(aClick(2))
    await reader.noteProgress(progress[0]!)
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual([1])
    await reader.noteProgress(progress[1]!)
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual([1, 2])
    expect(await rig.rows()).toMatchObject([{ finished_at: null }])
    await journal.close()
    for (const step of progress) await reader.noteProgress(step)
    await countAll(reader)
    expect(await rig.rows()).toMatchObject([{ clicks: 2, finished_at: NOON_US }])
    expect(rig.log.lines).toEqual([])
  })

  test('is left to the announcements when segments of earlier runs are looked for', async () => {
    await rig.journaled([1, 2], { boot: THIS_BOOT })
    const reader = rig.readerOf()
    await reader.findSegments()
    expect([await countAll(reader), await rig.rows()]).toEqual([0, []])
  })

  test('keeps the last word when announcements come close upon each other', async () => {
    const { journal, progress } = rig.journalOf({ boot: THIS_BOOT })
    for (const visitor of upTo(3)) await journal.append(aClick(visitor))
    await journal.close()
    const reader = rig.readerOf()
    await Promise.all([...progress.map((step) => reader.noteProgress(step)), countAll(reader)])
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual(upTo(3))
    expect(await rig.rows()).toMatchObject([{ finished_at: NOON_US }])
  })

  test('is read to its end when that is announced in the middle of reading', async () => {
    const { journal, progress } = rig.journalOf({ boot: THIS_BOOT })
    for (const visitor of upTo(3)) await journal.append(aClick(visitor))
    await journal.close()
    const more = progress.slice(1)
    const files = {
      ...realFiles,
      async read(path: string, offset: number, length: number) {
        const bytes = await realFiles.read(path, offset, length)
        if (offset > 0) for (const step of more.splice(0)) await reader.noteProgress(step)
        return bytes
      },
    }
    const reader = rig.readerOf({ files })
    await reader.noteProgress(progress[0]!)
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual(upTo(3))
    expect(await rig.rows()).toMatchObject([{ clicks: 3, finished_at: NOON_US }])
  })

  test('is not taken up again when it is finished', async () => {
    const { journal, progress } = rig.journalOf({ boot: THIS_BOOT })
    await journal.append(aClick(1))
    await journal.close()
    const reader = rig.readerOf()
    for (const step of [...progress, ...progress]) {
      await reader.noteProgress(step)
      await countAll(reader)
    }
    expect(await storedClicks(rig.store.db)).toEqual([1])
  })

  test('ends where it was announced when a write behind that could not be taken back', async () => {
    const { journal, progress } = rig.journalOf({ boot: THIS_BOOT, sync: 'disk' })
    await journal.append(aClick(1))
    rig.disk.plan('fail', 'datasync')
    rig.disk.plan('fail', 'truncate', { times: 2 })
    await Promise.all([journal.append(aClick(2)), journal.append(aClick(3))])
    await journal.close()
    expect(readSegments(rig.folder).map(({ clicks }) => clicks.length)).toEqual([3, 2])
    const reader = rig.readerOf()
    for (const step of progress) await reader.noteProgress(step)
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual([1, 2, 3])
  })
})

describe('a click is counted once', () => {
  test('when a new reader goes on at any batch', async () => {
    await rig.journaled(upTo(4))
    const { journal } = rig.journalOf({ after: endOf(readSegments(rig.folder)[0]!) })
    await Promise.all(upTo(11_000).map((visitor) => journal.append(aClick(visitor + 4))))
    await journal.close()
    for (let runs = 0, counted = true; counted; runs++) {
      expect(runs).toBeLessThan(10)
      const reader = rig.readerOf()
      await reader.findSegments()
      counted = await reader.countSome()
    }
    expect(await storedClicks(rig.store.db)).toEqual(upTo(11_004))
  })

  test('when two readers follow the same segments at the same time', async () => {
    await rig.journaled(upTo(60), { segmentBytesMax: 700 })
    const readers = [rig.readerOf(), rig.readerOf()]
    for (const reader of readers) await reader.findSegments()
    await Promise.all(readers.map(countAll))
    expect(await storedClicks(rig.store.db)).toEqual(upTo(60))
    expect(await agreedCounts(rig.store.db)).toEqual({ clicks: 60, visitors: 60, bots: 0 })
    expect((await rig.rows()).every((row) => row.finished_at !== null)).toBe(true)
  })

  test('when a copy of the machine, with its name and its ids, has gone on beside it', async () => {
    const after = endOf(await rig.journaled([1, 2]))
    await rig.journaled([3, 4], { after, boot: 'b0000000-0000-4000-8000-000000000001' })
    await rig.journaled([5], { after, boot: 'b0000000-0000-4000-8000-000000000002' })
    const headers = readSegments(rig.folder).map(({ header: { node, folder } }) => ({ node, folder }))
    expect(headers).toEqual([headers[0]!, headers[0]!, headers[0]!])
    const reader = rig.readerOf()
    await reader.findSegments()
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual(upTo(5))
    expect(rig.log.lines).toEqual([])
  })

  test('when the segment it is in cannot be read for a while; the others are counted while it is not', async () => {
    const first = await rig.journaled(upTo(3))
    await rig.journaled([4, 5], { after: endOf(first) })
    let isBroken = false
    const files = {
      ...realFiles,
      async read(path: string, offset: number, length: number) {
        if (isBroken && path.endsWith(first.name))
          throw Object.assign(new Error('EIO: read'), { code: 'EIO' })
        return realFiles.read(path, offset, length)
      },
    }
    const reader = rig.readerOf({ files })
    await reader.findSegments()
    isBroken = true
    expect(await reader.countSome()).toBe(true)
    await expect(reader.countSome()).rejects.toThrow('EIO: read')
    expect(await storedClicks(rig.store.db)).toEqual([4, 5])
    isBroken = false
    await countAll(reader)
    expect(await storedClicks(rig.store.db)).toEqual(upTo(5))
  })
})
