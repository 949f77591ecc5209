import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeFrame, FRAME_HEAD_BYTES } from '../../../src/clicks/journal/frame.ts'
import { FORMAT_MAX, HEADER_BYTES } from '../../../src/clicks/journal/segment.ts'
import { readSegments, type StoredSegment } from '../../rigs/clicks/journal-rig.ts'
import { contradictions } from '../../rigs/store/store-agreement.ts'
import { Tern } from '../driver/tern.ts'

/** The complete service, after its files were changed while it was stopped. */

/** Its folder is that of the test. */
const tern = new Tern()
/** After a first run with 5 clicks. */
let afterFirst: string
/** After two more, with 7 and 3 clicks, and with the database from before them. */
let tenToCount: string
/** What the server that ran last has said. */
let said: { level: string; message: string; [field: string]: unknown }[] = []

beforeAll(runThreeTimes)
afterAll(() => tern[Symbol.asyncDispose]())

describe('an older copy in place of', () => {
  test('the database: later clicks are counted again from the journal, each once', async () => {
    beginWithTenToCount()
    await run(async () => {
      await expectCount(15)
      await click(2)
    })
    expect(said).toEqual([])
    await run(() => expectCount(17))
    expect(await contradictions(tern.dataDir)).toEqual([])
  })

  test('the journal: nothing counts twice, and the service reports it and continues', async () => {
    beginWith(afterFirst)
    const backup = putAside(JOURNAL)
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
    const backups = [putAside(DATABASE), putAside(JOURNAL)]
    await run(() => click(7))
    for (const backup of backups) backup.putBack()
    await run(async () => {
      await expectCount(5)
      await click(4)
    })
    expect(said).toEqual([])
    await run(() => expectCount(9))
    expect(await contradictions(tern.dataDir)).toEqual([])
  })
})

describe('in a sealed segment', () => {
  test('the clicks lost to zeros after a restored backup are the same number in the log and for the doctor', async () => {
    beginWith(afterFirst)
    const backup = join(tern.folders.make(), 'backup')
    const outputOf = async (...words: string[]) => (await tern.run(words)).output
    await outputOf('backup', backup)
    await run(() => click(30))
    await outputOf('restore', backup)
    const segment = readSegments(journal()).find(({ clicks }) => clicks.length === 30)!
    const from = startOfFrame(segment.bytes, 5)
    writeFileSync(pathOf(segment), Buffer.from(segment.bytes).fill(0, from, from + ZEROED_BYTES))
    const missingFor = (output: string) => Number(/ (\d+) missing\.$/m.exec(output)![1])
    const before = missingFor(await outputOf('doctor'))
    await run(() => expectCount(35 - before))
    expect(before).toBeGreaterThan(0)
    expect(said.flatMap(({ missing = [] }) => missing)).toEqual([before])
    expect(missingFor(await outputOf('doctor'))).toBe(before)
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
    expect(await contradictions(tern.dataDir)).toEqual([])
  })

  test('with a damaged header is counted to its last click, and a copy is kept', async () => {
    const second = beginWithTenToCount()
    const damaged = Buffer.from(second.bytes).fill(0, 0, HEADER_BYTES)
    writeFileSync(pathOf(second), damaged)
    expect((await tern.run(['doctor'])).output).toContain('the next start rebuilds it and counts its clicks')
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
    expect(await contradictions(tern.dataDir)).toEqual([])
    const { output } = await tern.run(['doctor'])
    expect(output).toContain('15 clicks journaled: 15 counted, 0 waiting, 0 dead letters, 0 missing.')
  })

  test('that became empty is reported with the number of its clicks; the others are counted', async () => {
    const second = beginWithTenToCount()
    writeFileSync(pathOf(second), '')
    const { output } = await tern.run(['doctor'])
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

async function runThreeTimes(): Promise<void> {
  await tern.prepare()
  tenToCount = tern.dataDir
  await run(async () => {
    await tern.makeLinks('code')
    await click(5)
  })
  afterFirst = tern.folders.make()
  cpSync(tern.dataDir, afterFirst, { recursive: true })
  const backup = putAside(DATABASE)
  await run(() => click(7))
  await run(() => click(3))
  backup.putBack()
}

const UNKNOWN_KIND = 9

const ZEROED_BYTES = 900
const DATABASE = ['tern.db', 'tern.db-wal', 'tern.db-shm']
const JOURNAL = ['journal']

/** Where the frame with this index begins. */
function startOfFrame(bytes: Buffer, index: number): number {
  let start = HEADER_BYTES
  for (let i = 0; i < index; i++) start += FRAME_HEAD_BYTES + bytes.readUInt32LE(start + 4)
  return start
}

/** A folder of the test's own, as it was then. */
function beginWith(dataDir: string): void {
  tern.nodes[0]!.settings.DATA_DIR = tern.folders.make()
  cpSync(dataDir, tern.dataDir, { recursive: true })
}

/** One run of the program, from its start to an orderly end in which everything is counted that can be. */
async function run(work: () => Promise<unknown>): Promise<void> {
  await tern.startAll()
  await work()
  const { exitCode, output } = await tern.stop()
  expect(exitCode).toBe(0)
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  // That a thread was slow says something of the machine, and nothing of the files.
  said = lines.map((line) => JSON.parse(line)).filter(({ message }) => !message.startsWith('The API thread'))
}

async function click(times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect((await tern.api('GET', '/code')).status).toBe(302)
}

const expectCount = (clicks: number) => tern.counted({ code: clicks })
const messages = () => said.map(({ message }) => message)

const journal = () => join(tern.dataDir, 'journal')
const pathOf = ({ name }: StoredSegment) => join(journal(), name)

/** The segment of the second run, which has not been counted. */
function beginWithTenToCount(): StoredSegment {
  beginWith(tenToCount)
  const segments = readSegments(journal())
  expect(segments.map(({ clicks }) => clicks.length).sort()).toEqual([3, 5, 7])
  return segments.find(({ clicks }) => clicks.length === 7)!
}

/** What an operator puts aside while the program does not run, and puts back later in place of what is there then. */
function putAside(names: readonly string[]): { putBack(): void } {
  const aside = tern.folders.make()
  const present = names.filter((name) => existsSync(join(tern.dataDir, name)))
  for (const name of present) cpSync(join(tern.dataDir, name), join(aside, name), { recursive: true })
  return {
    putBack() {
      for (const name of names) rmSync(join(tern.dataDir, name), { recursive: true, force: true })
      for (const name of present) cpSync(join(aside, name), join(tern.dataDir, name), { recursive: true })
    },
  }
}
