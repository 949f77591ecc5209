import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeFrame, FRAME_HEAD_BYTES } from '../../../src/clicks/journal/frame.ts'
import { FORMAT_MAX, HEADER_BYTES } from '../../../src/clicks/journal/segment.ts'
import { type Copy, copyDatabase, copyJournal } from '../../rigs/program/copied-files.ts'
import { eventually } from '../../rigs/eventually.ts'
import { readSegments, type StoredSegment } from '../../rigs/clicks/journal-rig.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { runTern, ServerProcess } from '../../rigs/program/server-process.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'

/** The complete service, after its files were changed while it was stopped. */

setDefaultTimeout(60_000)

const UNKNOWN_KIND = 9
const ZEROED_BYTES = 900

const prepared = temporaryFolders()
const folders = temporaryFolders()
/** After a first run with 5 clicks. */
let afterFirst: string
/** After two more, with 7 and 3 clicks, and with the database from before them. */
let tenToCount: string
let folder: OperatedFolder
let server: ServerProcess | undefined
/** What the server that ran last has said. */
let said: { level: string; message: string; [field: string]: unknown }[] = []

beforeAll(async () => {
  folder = await operateFolder(prepared.make())
  const dataDir = folder.settings.DATA_DIR
  await run(async () => {
    await folder.makeLinks(['code'])
    await click(5)
  })
  afterFirst = prepared.make()
  cpSync(dataDir, afterFirst, { recursive: true })
  const backup = copyDatabase(dataDir, prepared.make())
  await run(() => click(7))
  await run(() => click(3))
  backup.putBack()
  tenToCount = dataDir
})

afterEach(async () => {
  await server?.kill()
  folders.remove()
})
afterAll(() => prepared.remove())

/** A folder of the test's own, as it was then. */
function beginWith(dataDir: string): void {
  folder = { ...folder, settings: { ...folder.settings, DATA_DIR: folders.make() } }
  cpSync(dataDir, folder.settings.DATA_DIR, { recursive: true })
}

/** One run of the program, from its start to an orderly end in which everything is counted that can be. */
async function run(work: () => Promise<unknown>): Promise<void> {
  server = await ServerProcess.start(folder.settings)
  await work()
  const { exitCode, output } = await server.stop()
  expect(exitCode).toBe(0)
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  // That a thread was slow says something of the machine, and nothing of the files.
  said = lines.map((line) => JSON.parse(line)).filter(({ message }) => !message.startsWith('The API thread'))
}

async function click(times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect((await folder.api('GET', '/code')).status).toBe(302)
}

const readCount = async () => (await folder.clickCounts(['code'])).get('code')!
const expectCount = async (clicks: number) =>
  expect(await eventually(readCount, (count) => count >= clicks)).toBe(clicks)
const messages = () => said.map(({ message }) => message)

const journal = () => join(folder.settings.DATA_DIR, 'journal')
const pathOf = ({ name }: StoredSegment) => join(journal(), name)

/** The segment of the second run, which has not been counted. */
function beginWithTenToCount(): StoredSegment {
  beginWith(tenToCount)
  const segments = readSegments(journal())
  expect(segments.map(({ clicks }) => clicks.length).sort()).toEqual([3, 5, 7])
  return segments.find(({ clicks }) => clicks.length === 7)!
}

const copyOf = (make: (dataDir: string, into: string) => Copy): Copy =>
  make(folder.settings.DATA_DIR, folders.make())

describe('an older copy in place of', () => {
  test('the database: later clicks are counted again from the journal, each once', async () => {
    beginWithTenToCount()
    await run(async () => {
      await expectCount(15)
      await click(2)
    })
    expect(said).toEqual([])
    await run(() => expectCount(17))
    expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
  })

  test('the journal: nothing counts twice, and the service reports it and continues', async () => {
    beginWith(afterFirst)
    const backup = copyOf(copyJournal)
    await run(() => click(7))
    backup.putBack()
    await run(async () => {
      await expectCount(12)
      await click(4)
    })
    expect(messages()).toEqual([
      'The journal is older than the database: the last counted segment is missing.',
    ])
    await run(() => expectCount(16))
  })

  test('both, from a snapshot of the machine: only what was counted since is gone', async () => {
    beginWith(afterFirst)
    const backups = [copyOf(copyDatabase), copyOf(copyJournal)]
    await run(() => click(7))
    for (const backup of backups) backup.putBack()
    await run(async () => {
      await expectCount(5)
      await click(4)
    })
    expect(said).toEqual([])
    await run(() => expectCount(9))
    expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
  })
})

describe('in a sealed segment', () => {
  test('the clicks lost to zeros after a restored backup are the same number in the log and for the doctor', async () => {
    beginWith(afterFirst)
    const backup = join(folders.make(), 'backup')
    const tern = async (...words: string[]) => (await runTern(words, folder.settings)).output
    await tern('backup', backup)
    await run(() => click(30))
    await tern('restore', backup)
    const segment = readSegments(journal()).find(({ clicks }) => clicks.length === 30)!
    const from = startOfFrame(segment.bytes, 5)
    writeFileSync(pathOf(segment), Buffer.from(segment.bytes).fill(0, from, from + ZEROED_BYTES))
    const missingFor = (output: string) => Number(/ (\d+) missing\.$/m.exec(output)![1])
    const before = missingFor(await tern('doctor'))
    await run(() => expectCount(35 - before))
    expect(before).toBeGreaterThan(0)
    expect(said.flatMap(({ missing = [] }) => missing)).toEqual([before])
    expect(missingFor(await tern('doctor'))).toBe(before)
  })

  test('a flipped bit costs one click, which the log reports, and a copy is kept', async () => {
    const second = beginWithTenToCount()
    const rotten = Buffer.from(second.bytes)
    rotten[startOfFrame(rotten, 3) + FRAME_HEAD_BYTES + 2]! ^= 1
    writeFileSync(pathOf(second), rotten)
    await run(() => expectCount(14))
    expect(said).toMatchObject([
      { level: 'error', message: 'A journal segment is damaged; a copy is in quarantine.' },
      { level: 'error', message: 'Clicks are missing from a journal segment.', missing: 1 },
    ])
    expect(readFileSync(join(journal(), 'quarantine', second.name))).toEqual(rotten)
    // Reported once, and no click is added or lost.
    await run(() => expectCount(14))
    expect(said).toEqual([])
  })

  test('an unreadable record becomes one dead letter, and all others are counted', async () => {
    const second = beginWithTenToCount()
    const poisoned = Buffer.from(second.bytes)
    const start = startOfFrame(poisoned, 3)
    poisoned[start + FRAME_HEAD_BYTES] = UNKNOWN_KIND
    closeFrame(poisoned, start, startOfFrame(poisoned, 4))
    writeFileSync(pathOf(second), poisoned)
    await run(() => expectCount(14))
    expect(said).toMatchObject([
      { message: 'The journal holds records that this version does not understand.', records: 1 },
    ])
    expect(readdirSync(join(journal(), 'dead-letters'))).toEqual([`${second.header.segment}-${start}`])
  })
})

describe('a segment', () => {
  test('of a newer version waits, and is counted when that version runs', async () => {
    const second = beginWithTenToCount()
    const newer = Buffer.from(second.bytes)
    newer.writeUInt16LE(FORMAT_MAX + 1, 8)
    newer.writeUInt32LE(Bun.hash.crc32(newer.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4)
    writeFileSync(pathOf(second), newer)
    await run(() => expectCount(8))
    expect(messages()).toEqual(['A journal segment was written by a newer version and waits for it.'])
    // This version is the newer one for a segment that says so.
    writeFileSync(pathOf(second), second.bytes)
    await run(() => expectCount(15))
    expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
  })

  test('with a damaged header is counted to its last click, and a copy is kept', async () => {
    const second = beginWithTenToCount()
    const damaged = Buffer.from(second.bytes).fill(0, 0, HEADER_BYTES)
    writeFileSync(pathOf(second), damaged)
    expect((await runTern(['doctor'], folder.settings)).output).toContain(
      'the next start rebuilds it and counts its clicks',
    )
    await run(() => expectCount(15))
    expect(said).toMatchObject([
      {
        level: 'error',
        message: 'The header of a journal segment was damaged and has been rebuilt; a copy is in quarantine.',
        clicks: 7,
      },
    ])
    expect(readFileSync(join(journal(), 'quarantine', second.name)).equals(damaged)).toBe(true)
    await run(() => expectCount(15))
    expect(said).toEqual([])
    expect(contradictions(folder.settings.DATA_DIR)).toEqual([])
    const { output } = await runTern(['doctor'], folder.settings)
    expect(output).toContain('15 clicks journaled: 15 counted, 0 waiting, 0 dead letters, 0 missing.')
  })

  test('that became empty is reported with the number of its clicks; the others are counted', async () => {
    const second = beginWithTenToCount()
    writeFileSync(pathOf(second), '')
    const { output } = await runTern(['doctor'], folder.settings)
    expect(output).toContain('7 missing.')
    expect(output).toContain(`${second.name} is empty`)
    await run(() => expectCount(8))
    expect(said).toMatchObject([
      {
        level: 'warn',
        message:
          'A journal segment is empty: its process was killed while creating it, or the disk lost its contents.',
      },
      { message: 'A journal segment disappeared before all its clicks were counted.', missing: 7 },
    ])
  })

  test('that was deleted too early causes an alarm with the number of its clicks; the others are counted', async () => {
    const second = beginWithTenToCount()
    unlinkSync(pathOf(second))
    await run(() => expectCount(8))
    expect(said).toMatchObject([
      {
        level: 'error',
        message: 'A journal segment disappeared before all its clicks were counted.',
        segment: second.header.segment,
        missing: 7,
      },
    ])
  })
})

/** Where the frame with this index begins. */
function startOfFrame(bytes: Buffer, index: number): number {
  let start = HEADER_BYTES
  for (let i = 0; i < index; i++) start += FRAME_HEAD_BYTES + bytes.readUInt32LE(start + 4)
  return start
}
