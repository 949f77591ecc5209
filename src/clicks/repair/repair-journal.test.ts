import { describe, expect, test } from 'bun:test'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { countAll, storedClicks } from '../../../test/rigs/clicks/ingest-rig.ts'
import {
  aClick,
  endOf,
  NOON_US,
  readSegments,
  type StoredSegment,
} from '../../../test/rigs/clicks/journal-rig.ts'
import { useReaderRig, SEAL_FRAME_BYTES, upTo } from '../../../test/rigs/clicks/reader-rig.ts'
import { type Files, realFiles } from '../journal/files.ts'
import { storedSegments } from './rebuild-headers.ts'
import { repairJournal } from './repair-journal.ts'
import { decodeHeader, encodeHeader, FORMAT_MAX, HEADER_BYTES, NO_SEGMENT } from '../journal/segment.ts'

const rig = useReaderRig()

const REBUILT = 'The header of a journal segment was damaged and has been rebuilt; a copy is in quarantine.'
const EMPTY =
  'A journal segment is empty: its process was killed while creating it, or the disk lost its contents.'

describe('a damaged header', () => {
  describe.each([
    ['one bit', flipBit],
    ['all of it', zero],
  ])('of which %s is lost', (_, how) => {
    test.each([0, 1, 2])(
      'is rebuilt from the segments around, and every click is counted (%d)',
      async (at) => {
        const segments = await threeRuns()
        const damaged = damage(segments[at]!, how)
        await repair({ knowsStore: false })
        expect(readSegments(rig.folder).map(headerOf)).toEqual(segments.map(headerOf))
        expect(readFileSync(join(rig.folder, 'quarantine', segments[at]!.name)).equals(damaged)).toBe(true)
        const clicks = segments[at]!.clicks.length
        expect(rig.log.lines).toMatchObject([{ message: REBUILT, fields: { clicks } }])
        expect(await count()).toEqual(upTo(9))
        expect(rig.log.lines).toHaveLength(1)
      },
    )
  })

  test('of every segment is rebuilt, the oldest first', async () => {
    const segments = await threeRuns()
    for (const segment of segments) damage(segment, zero)
    await repair({ knowsStore: false })
    // What they are called in is lost with them.
    const withoutNode = (segment: StoredSegment) => ({ ...headerOf(segment), node: '' })
    expect(readSegments(rig.folder).map(headerOf)).toEqual(segments.map(withoutNode))
    expect(await count()).toEqual(upTo(9))
  })

  test('of a segment that was counted in part costs nothing and counts nothing twice', async () => {
    const only = await rig.journaled(upTo(6), { after: { segment: NO_SEGMENT, end: 0, count: 500 } })
    const reader = rig.readerOf()
    await reader.findSegments()
    await reader.countSome(4)
    damage(only, zero)
    await repair()
    expect(readSegments(rig.folder).map(headerOf)).toEqual([headerOf(only)])
    expect(await count()).toEqual(upTo(6))
    expect(await rig.rows()).toMatchObject([{ base_count: 500, clicks: 6, damaged_bytes: 0 }])
  })

  test('of a segment that was counted to its end is rebuilt too, for the next run to continue from', async () => {
    const [, , third] = await threeRuns()
    await count()
    damage(third, zero)
    await repair()
    expect(headerOf(readSegments(rig.folder).at(-1)!)).toEqual(headerOf(third))
    expect(await count()).toEqual(upTo(9))
  })

  test('does not let count again what the segment before holds too, of a group that its disk refused', async () => {
    const first = await rig.journaled([1, 2, 3, 4])
    const frames = readFileSync(pathOf(first)).subarray(HEADER_BYTES, -SEAL_FRAME_BYTES)
    // The last two were written, refused, and written once more.
    const twoFrames = frames.length / 2
    truncateSync(pathOf(first), HEADER_BYTES + frames.length)
    const after = { segment: first.header.segment, end: HEADER_BYTES + twoFrames, count: 2 }
    const second = await rig.journaled([3, 4, 5], { after })
    expect(readFileSync(pathOf(second)).subarray(HEADER_BYTES, HEADER_BYTES + twoFrames)).toEqual(
      frames.subarray(twoFrames),
    )
    damage(second, zero)
    await repair({ knowsStore: false })
    expect(headerOf(readSegments(rig.folder).at(-1)!)).toEqual(headerOf(second))
    expect(await count()).toEqual(upTo(5))
  })

  test('is rebuilt when it was tried before and failed or was killed at any call', async () => {
    const segments = await threeRuns()
    const damaged = damage(segments[1]!, zero)
    let failures = 0
    for (let hasFailed = true; hasFailed;) {
      writeFileSync(pathOf(segments[1]!), damaged)
      const failing = failingAt(failures + 1)
      await repair(failing).catch(() => {})
      hasFailed = failing.hasFailed()
      if (hasFailed) failures++
      await repair()
      expect(readSegments(rig.folder).map(headerOf)).toEqual(segments.map(headerOf))
      expect(readFileSync(join(rig.folder, 'quarantine', segments[1]!.name)).equals(damaged)).toBe(true)
    }
    expect(failures).toBeGreaterThan(10)
    expect(await count()).toEqual(upTo(9))
  })

  test('of a file that is not called after a segment is left to people', async () => {
    const [first] = await threeRuns()
    damage(first, zero)
    renameSync(pathOf(first), join(rig.folder, 'renamed.journal'))
    await repair()
    expect(rig.log.lines).toEqual([])
    expect(await count()).toEqual([4, 5, 6, 7, 8, 9])
    expect(rig.log.errors()).toContain('A journal segment has no readable header.')
  })

  test('of a newer version is left alone, damaged or not', async () => {
    const [first] = await threeRuns()
    const newer = Buffer.from(encodeHeader(first.header))
    newer.writeUInt16LE(FORMAT_MAX + 1, 8)
    newer.writeUInt32LE(Bun.hash.crc32(newer.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4)
    writeFileSync(pathOf(first), newer)
    await repair()
    expect(decodeHeader(readFileSync(pathOf(first)))).toBe('newer')
    expect(rig.log.lines).toEqual([])
  })
})

describe('a segment without a header', () => {
  test.each([0, HEADER_BYTES - 1])(
    'of %d bytes is put away and said, and what it held is missing',
    async (bytes) => {
      const segments = await threeRuns()
      truncateSync(pathOf(segments[1]), bytes)
      await repair()
      expect(readdirSync(rig.folder).filter((name) => name.endsWith('.journal'))).toHaveLength(2)
      expect(readdirSync(join(rig.folder, 'trash'))).toEqual([`${NOON_US}-${segments[1].name}`])
      expect(await count()).toEqual([1, 2, 3, 6, 7, 8, 9])
      const reader = rig.readerOf()
      await reader.findSegments()
      expect(rig.log.lines.map(({ message }) => message)).toEqual([
        EMPTY,
        // Once more when all others are counted: then it is known how many are missing.
        'A journal segment disappeared before all its clicks were counted.',
        'A journal segment disappeared before all its clicks were counted.',
      ])
      expect(rig.log.lines.at(-1)!.fields).toMatchObject({ missing: 2 })
    },
  )

  test('that the store has begun to count is missing, though nothing follows it', async () => {
    const { journal } = rig.journalOf()
    await journal.append(aClick(1))
    expect(await count()).toEqual([1])
    rig.log.lines.length = 0
    const [segment] = readSegments(rig.folder)
    await rig.store.db.updateTable('journal_segments').set({ finished_at: null }).execute()
    truncateSync(pathOf(segment!), 0)
    await repair()
    expect(await count()).toEqual([1])
    expect(rig.log.errors()).toEqual(['A journal segment disappeared before all its clicks were counted.'])
    await journal.close()
  })
})

test('a journal in which nothing is damaged is not touched, and the store not asked', async () => {
  await threeRuns()
  const before = readdirSync(rig.folder)
  const stored = () => Promise.reject(new Error('It was asked.'))
  await repairJournal({ files: realFiles, clock: rig.clock, log: rig.log, stored }, rig.folder)
  expect([readdirSync(rig.folder), rig.log.lines]).toEqual([before, []])
  expect(existsSync(join(rig.folder, 'quarantine'))).toBe(false)
})

test('a journal that is not there yet is made', async () => {
  for (const name of readdirSync(rig.folder)) unlinkSync(join(rig.folder, name))
  await repair()
  expect(existsSync(rig.folder)).toBe(true)
})

/** The n-th call fails, without doing anything. */
function failingAt(nth: number) {
  let calls = 0
  const files: Files = new Proxy(realFiles, {
    get:
      (real, name: keyof Files) =>
      (...parameters: unknown[]) => {
        if (++calls === nth) return Promise.reject(new Error('as planned'))
        return (real[name] as (...given: unknown[]) => unknown)(...parameters)
      },
  })
  return { files, hasFailed: () => calls >= nth }
}

const pathOf = ({ name }: { name: string }) => join(rig.folder, name)

function repair({ files = realFiles, knowsStore = true }: { files?: Files; knowsStore?: boolean } = {}) {
  const stored = async () => (knowsStore ? storedSegments(rig.store.db, files, rig.folder) : [])
  return repairJournal({ files, clock: rig.clock, log: rig.log, stored }, rig.folder)
}

/** Three runs of the program, one after the other, of three, two and four clicks. */
async function threeRuns(): Promise<[StoredSegment, StoredSegment, StoredSegment]> {
  const first = await rig.journaled([1, 2, 3])
  const second = await rig.journaled([4, 5], { after: endOf(first) })
  const third = await rig.journaled([6, 7, 8, 9], { after: endOf(second) })
  return [first, second, third]
}

function damage(segment: StoredSegment, how: (header: Buffer) => void): Buffer {
  const bytes = readFileSync(pathOf(segment))
  how(bytes.subarray(0, HEADER_BYTES))
  writeFileSync(pathOf(segment), bytes)
  return bytes
}

const flipBit = (header: Buffer) => void (header[80]! ^= 4)
const zero = (header: Buffer) => void header.fill(0)

async function count(): Promise<number[]> {
  const reader = rig.readerOf()
  await reader.findSegments()
  await countAll(reader)
  return storedClicks(rig.store.db)
}

/** All that others go by. */
const headerOf = (segment: StoredSegment) => {
  const { boot: _, createdAtUs: __, ...header } = segment.header
  return header
}
