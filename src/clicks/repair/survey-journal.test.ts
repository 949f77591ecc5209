import { afterEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { countAll, THIS_BOOT } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, endOf, readSegments } from '../../../test/rigs/clicks/journal-rig.ts'
import { useReaderRig, SEAL_FRAME_BYTES, upTo } from '../../../test/rigs/clicks/reader-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { realFiles } from '../journal/files.ts'
import type { JournalProgress } from '../journal/segment-sequence.ts'
import { reconcileJournal } from './reconcile-journal.ts'
import { HEADER_BYTES } from '../journal/segment.ts'
import { surveyJournal } from './survey-journal.ts'

const folders = temporaryFolders()
const rig = useReaderRig()

afterEach(folders.remove)

describe('the survey of the journal', () => {
  test('of an empty folder, or of none, finds nothing', async () => {
    const nothing = { segments: [], unreadable: [], damaged: [], empty: [], countedElsewhere: 0 }
    expect(await survey()).toEqual({ ...nothing, highestIds: { link: 0, workspace: 0 } })
    rmSync(rig.folder, { recursive: true })
    expect((await survey()).segments).toEqual([])
  })

  test('tells what waits before it is counted, and that it is counted after it', async () => {
    await threeRuns()
    expect(await reconciled()).toMatchObject({ journaled: 12, counted: 0, waiting: 12, missing: 0 })
    await count()
    expect(await reconciled()).toMatchObject({ journaled: 12, counted: 12, waiting: 0, missing: 0 })
  })

  test.each([
    ['the last', 2],
    ['an earlier', 0],
  ])(
    'agrees with the log about clicks that are damaged in %s segment, also after the next run',
    async (_, at) => {
      const segments = await threeRuns()
      const damaged = segments[at]!
      const bytes = Buffer.from(damaged.bytes)
      bytes.fill(0, HEADER_BYTES, HEADER_BYTES + 120)
      writeFileSync(join(rig.folder, damaged.name), bytes)
      await count()
      const logged = rig.log.lines.map(({ fields }) => Number(fields?.missing ?? 0))
      const missing = logged.reduce((sum, each) => sum + each, 0)
      expect(missing).toBeGreaterThan(0)
      const expected = { journaled: 12, counted: 12 - missing, missing, surplus: 0 }
      expect(await reconciled()).toMatchObject({
        ...expected,
        gaps: [{ segment: damaged.header.segment, missing }],
      })

      // The next run counts on from the clicks that it finds, and a finished segment is removed after a while.
      await rig.journaled(upTo(2), { after: endOf(readSegments(rig.folder).at(-1)!) })
      await count()
      if (at === 0) rmSync(join(rig.folder, damaged.name))
      expect(await reconciled()).toMatchObject({ ...expected, journaled: 14, counted: 14 - missing })
    },
  )

  test('of a journal that is being written counts each click once, wherever it is', async () => {
    const reader = rig.readerOf({ boot: THIS_BOOT })
    const onProgress = (progress: JournalProgress) => void reader.noteProgress(progress)
    const { journal } = rig.journalOf({ boot: THIS_BOOT, onProgress })
    for (const visitor of upTo(7)) await journal.append(aClick(visitor))
    await countAll(reader)
    for (const visitor of upTo(2)) await journal.append(aClick(visitor))
    expect(await reconciled()).toMatchObject({ journaled: 9, counted: 7, waiting: 2, missing: 0 })
    await journal.close()
    expect(await reconciled()).toMatchObject({ journaled: 9, missing: 0 })
  })

  test('finds exactly what a deleted segment had, counted in part or not at all', async () => {
    const [, second] = await threeRuns()
    rmSync(join(rig.folder, second.name))
    const gaps = [{ segment: second.header.segment, missing: 4 }]
    expect(await reconciled()).toMatchObject({ journaled: 12, waiting: 8, missing: 4, gaps })
    await count()
    expect(await reconciled()).toMatchObject({ journaled: 12, counted: 8, missing: 4, gaps })
  })

  test('finds what damage has taken from the last segment', async () => {
    const [, , third] = await threeRuns()
    const bytes = Buffer.from(third.bytes)
    bytes[300]! ^= 1
    writeFileSync(join(rig.folder, third.name), bytes)
    expect(await reconciled()).toMatchObject({ journaled: 12, waiting: 11, missing: 1 })
  })

  test('leaves out what was refused and could not be cut off: it is behind the end that the next segment names', async () => {
    const first = await rig.journaled(upTo(3))
    await rig.journaled(upTo(4), { after: endOf(first) })
    const frame = first.bytes.subarray(
      HEADER_BYTES,
      HEADER_BYTES + (first.bytes.length - HEADER_BYTES - SEAL_FRAME_BYTES) / 3,
    )
    appendFileSync(join(rig.folder, first.name), frame)
    expect(await reconciled()).toMatchObject({ journaled: 7, waiting: 7, missing: 0, surplus: 0 })
  })

  test('does not read what was counted to its end', async () => {
    const [first] = await threeRuns()
    await count()
    writeFileSync(join(rig.folder, first.name), first.bytes.subarray(0, 256))
    expect(await reconciled()).toMatchObject({ journaled: 12, counted: 12, missing: 0 })
    expect((await survey()).segments.some(({ isShorter }) => isShorter)).toBe(false)
  })

  test('sees what is in the trash, what is shorter than it was, and what is no segment', async () => {
    const [first, second] = await threeRuns()
    mkdirSync(join(rig.folder, 'trash'))
    renameSync(join(rig.folder, first.name), join(rig.folder, 'trash', `1-${first.name}`))
    writeFileSync(join(rig.folder, 'odd.journal'), 'x'.repeat(300))
    expect(await reconciled()).toMatchObject({ waiting: 9, inTrash: 3, missing: 0 })
    expect((await survey()).unreadable).toEqual([join(rig.folder, 'odd.journal')])
    await count()
    await rig.store.db.updateTable('journal_segments').set({ finished_at: null }).execute()
    truncateSync(join(rig.folder, second.name), 300)
    const shorter = (await survey()).segments.filter(({ isShorter }) => isShorter)
    expect(shorter.map(({ segment }) => segment)).toEqual([second.header.segment])
  })

  test('adds up what was counted of other folders', async () => {
    await threeRuns()
    await count()
    const own = await survey()
    expect([own.countedElsewhere, own.segments.length]).toEqual([0, 3])
    const elsewhere = await surveyJournal({ db: rig.store.db, files: realFiles }, folders.make())
    expect([elsewhere.countedElsewhere, elsewhere.segments]).toEqual([12, []])
  })

  test('finds what a damaged header hides, and what is empty, and changes nothing', async () => {
    const [first, second] = await threeRuns()
    writeFileSync(join(rig.folder, first.name), first.bytes.fill(0, 0, HEADER_BYTES))
    truncateSync(join(rig.folder, second.name), 0)
    const { segments, damaged, empty, unreadable } = await survey()
    expect(reconcileJournal(segments)).toMatchObject({ journaled: 12, waiting: 8, missing: 4 })
    expect([damaged, empty, unreadable]).toEqual([
      [join(rig.folder, first.name)],
      [join(rig.folder, second.name)],
      [],
    ])
    expect(readFileSync(join(rig.folder, first.name)).equals(first.bytes)).toBe(true)
  })

  test('says nothing of a segment that is just being made', async () => {
    const files = {
      ...realFiles,
      async read(path: string, offset: number, length: number) {
        const bytes = await realFiles.read(path, offset, length)
        // By the time that it was read, the server has written on.
        if (bytes.length === 0) writeFileSync(path, first.bytes)
        return bytes
      },
    }
    const [first] = await threeRuns()
    truncateSync(join(rig.folder, first.name), 0)
    const { empty } = await surveyJournal({ db: rig.store.db, files }, rig.folder)
    expect(empty).toEqual([])
  })

  test('tells the highest ids among the clicks that wait', async () => {
    const { journal } = rig.journalOf()
    for (const ids of [{ linkId: 7 }, { linkId: 9, workspaceId: 2 }, { linkId: 8, workspaceId: 30 }])
      await journal.append(aClick(1, ids))
    await journal.close()
    expect((await survey()).highestIds).toEqual({ link: 9, workspace: 30 })
    await count()
    expect((await survey()).highestIds).toEqual({ link: 0, workspace: 0 })
    expect(readdirSync(rig.folder).length).toBeGreaterThan(0)
  })
})

const survey = () => surveyJournal({ db: rig.store.db, files: realFiles }, rig.folder)
const reconciled = async () => reconcileJournal((await survey()).segments)

async function count(): Promise<void> {
  const reader = rig.readerOf({ boot: 'another' })
  await reader.findSegments()
  await countAll(reader)
}

/** Three runs of the program, each with a segment of its own. */
async function threeRuns() {
  const first = await rig.journaled(upTo(3))
  const second = await rig.journaled(upTo(4), { after: endOf(first) })
  const third = await rig.journaled(upTo(5), { after: endOf(second) })
  return [first, second, third] as const
}
