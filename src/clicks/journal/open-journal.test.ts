import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FaultyFiles } from '../../../test/rigs/clicks/faulty-files.ts'
import { aClick, BOOT, NOON_US, readSegments, visitorsOf } from '../../../test/rigs/clicks/journal-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { SeededRandom } from '../../../test/simulation/seeded-random.ts'
import { SimulatedDisk } from '../../../test/simulation/simulated-disk.ts'
import { SimulatedProcess } from '../../../test/simulation/simulated-process.ts'
import { manualClock } from '../../runtime/clock.ts'
import { journalFolder, openJournal } from './open-journal.ts'
import { readBatch } from './read-segment.ts'
import { encodeHeader, HEADER_BYTES, NO_SEGMENT, SEGMENT_SUFFIX } from './segment.ts'

const folders = temporaryFolders()
let dataDir: string
let folder: string
let disk: FaultyFiles
let runs: number

beforeEach(makeFolder)
afterEach(removeFolder)

describe('a power failure', () => {
  test('takes nothing from a folder that was new, when each click was synced', async () => {
    for (const seed of SEEDS) {
      const disk = new SimulatedDisk(new SeededRandom(seed), '/data')
      await killedRun(disk, { sync: 'disk', visitor: 1 })
      disk.losePower()
      expect(visitorsOn(disk)).toEqual([1])
    }
  })

  test('takes nothing of what a killed run had not synced, once the next run has opened the journal', async () => {
    for (const seed of SEEDS) {
      const disk = new SimulatedDisk(new SeededRandom(seed), '/data')
      await killedRun(disk, { sync: 'os', visitor: 1 })
      await killedRun(disk, { sync: 'os', visitor: 2 })
      disk.losePower()
      expect(visitorsOn(disk)).toContain(1)
    }
  })

  /** A run on the disk that journals the visitor and is killed. */
  async function killedRun(disk: SimulatedDisk, { sync, visitor }: { sync: 'os' | 'disk'; visitor: number }) {
    const process = new SimulatedProcess(new SeededRandom(visitor), [], { onCall() {} })
    const journal = await openJournal(
      { files: disk.filesFor(process), clock: manualClock(NOON_US) },
      {
        dataDir: '/data',
        node: 'here',
        boot: BOOT,
        sync,
        segmentBytesMax: 2 ** 20,
        onProgress() {},
      },
    )
    await journal.append(aClick(visitor))
    process.end()
  }

  function visitorsOn(disk: SimulatedDisk): number[] {
    const segments = disk.list('/data/journal').filter((name) => name.endsWith(SEGMENT_SUFFIX))
    return segments.flatMap((name) => {
      const bytes = disk.read(join('/data/journal', name)).subarray(HEADER_BYTES)
      return visitorsOf(readBatch({ bytes, offset: HEADER_BYTES, isLast: true }, Infinity).clicks)
    })
  }

  // Each seed is another choice of what the disk had not written yet.
  const SEEDS = Array.from({ length: 20 }, (_, seed) => seed)
})

const headers = () => readSegments(folder).map(({ header }) => header)

describe('each run', () => {
  test('begins a segment of its own and continues the count', async () => {
    expect([await run([1, 2, 3]), await run([4]), await run([5, 6])]).toEqual([3, 4, 6])
    expect(readSegments(folder).map(({ clicks }) => visitorsOf(clicks))).toEqual([[1, 2, 3], [4], [5, 6]])
    const [first, second, third] = headers()
    expect(headers().map(({ baseCount }) => baseCount)).toEqual([0, 3, 4])
    expect([first!.previous, second!.previous, third!.previous]).toEqual([
      NO_SEGMENT,
      first!.segment,
      second!.segment,
    ])
    expect(new Set(headers().map((header) => header.folder)).size).toBe(1)
    expect(new Set(headers().map((header) => header.boot)).size).toBe(3)
  })

  test('leaves the bytes of the runs before as they are, torn or not', async () => {
    await run([1, 2, 3])
    const { name, bytes } = readSegments(folder)[0]!
    truncateSync(join(folder, name), bytes.length - 20)
    expect(await run([4])).toBe(3)
    expect(readFileSync(join(folder, name)).equals(bytes.subarray(0, -20))).toBe(true)
    expect(headers()[1]).toMatchObject({ baseCount: 2, previous: headers()[0]!.segment })
  })

  test('continues the count, not a segment that was begun and given up beside it', async () => {
    await run([1, 2])
    const segment = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
    writeFileSync(join(folder, `${segment}.journal`), encodeHeader({ ...headers()[0]!, segment }))
    expect(await run([3])).toBe(3)
  })

  test('that journals nothing leaves no segment, and the next one continues all the same', async () => {
    await run([1])
    await run([])
    await run([2])
    expect(headers()[1]).toMatchObject({ baseCount: 1, previous: headers()[0]!.segment })
  })

  test('keeps the id of the folder', async () => {
    await run([1])
    const id = readFileSync(join(folder, 'folder-id'), 'utf8').trim()
    await run([2])
    expect(headers().map((header) => header.folder)).toEqual([id, id])
  })
})

describe('the count goes on', () => {
  test('from the seal, when damage has taken clicks of the last segment', async () => {
    await run([1, 2, 3])
    const [segment] = readSegments(folder)
    const damaged = Buffer.from(segment!.bytes)
    damaged[HEADER_BYTES + 20]! ^= 1
    writeFileSync(join(folder, segment!.name), damaged)
    expect(await run([4])).toBe(4)
  })

  test('from the last segment that can be read, when there is a later one that cannot', async () => {
    await run([1, 2, 3])
    writeFileSync(join(folder, 'ffffffff-ffff-7fff-bfff-ffffffffffff.journal'), 'torn')
    expect(await run([4])).toBe(4)
  })

  test('from the segment that none continues, when the clock was set back and the names are out of order', async () => {
    await run([1, 2, 3])
    await run([4, 5])
    const later = readSegments(folder)[1]!.name
    renameSync(join(folder, later), join(folder, '00000000-0000-7000-8000-000000000000.journal'))
    expect(await run([6])).toBe(6)
    expect(readdirSync(folder).filter((name) => name.endsWith('.journal'))).toHaveLength(3)
  })
})

function makeFolder(): void {
  dataDir = folders.make()
  folder = journalFolder(dataDir)
  disk = new FaultyFiles()
  runs = 0
}

function removeFolder(): void {
  expect(disk.openCount).toBe(0)
  folders.remove()
}

/** One run of the program that journals the visitors and ends in order. */
async function run(visitors: number[]): Promise<number> {
  const journal = await openJournal(
    { files: disk.files, clock: manualClock(NOON_US) },
    {
      dataDir,
      node: 'here',
      boot: `0193b1c0-0000-7000-8000-00000000000${runs++}`,
      sync: 'os',
      segmentBytesMax: 2 ** 20,
      onProgress() {},
    },
  )
  await Promise.all(visitors.map((visitor) => journal.append(aClick(visitor))))
  await journal.close()
  return journal.count
}
