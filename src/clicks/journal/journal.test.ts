import { describe, expect, test } from 'bun:test'
import { until } from '../../../test/rigs/eventually.ts'
import {
  aClick,
  NOON_US,
  outcomes,
  readSegments,
  visitorsOf,
  useJournalRig,
} from '../../../test/rigs/clicks/journal-rig.ts'
import { HOUR_US } from '../../runtime/clock.ts'
import { JournalUnavailable } from './journal.ts'
import { HEADER_BYTES, NO_SEGMENT } from './segment.ts'

const openRig = useJournalRig()

describe('a group', () => {
  test('is all the clicks of one turn: one write, one time, acknowledged together', async () => {
    const { journal, disk, append, stored } = openRig()
    await append(1)[0]
    expect(disk.countOf('write')).toBe(2) // the header, and the group of one
    const clicks = [2, 3, 4].map((visitor) => aClick(visitor, { clickedAtUs: 0 }))
    await Promise.all(clicks.map((click) => journal.append(click)))
    expect(disk.countOf('write')).toBe(3)
    expect(clicks.map(({ clickedAtUs }) => clickedAtUs)).toEqual([NOON_US, NOON_US, NOON_US])
    expect(journal.count).toBe(4)
    await journal.close()
    expect(stored()).toEqual([[1, 2, 3, 4]])
  })

  test('is acknowledged only after its write', async () => {
    const { journal, disk, append, progress } = openRig()
    await append(1)[0]
    disk.plan('hang', 'write')
    const [second] = append(2)
    await until(() => disk.hangingCount === 1)
    expect([Bun.peek.status(second!), progress.length, journal.count]).toEqual(['pending', 1, 1])
    disk.letGo()
    await second
    expect([progress.length, journal.count]).toEqual([2, 2])
    await journal.close()
  })

  test('gathers while the one before is being written, and follows in one write', async () => {
    const { journal, disk, append, stored } = openRig()
    await append(1)[0]
    disk.plan('hang', 'write')
    const first = append(2)
    await until(() => disk.hangingCount === 1)
    const second = [...append(3), ...append(4)]
    disk.letGo()
    await Promise.all([...first, ...second])
    expect(disk.countOf('write')).toBe(4)
    await journal.close()
    expect(stored()).toEqual([[1, 2, 3, 4]])
  })

  test('is written also when its click comes right at the acknowledgement of another', async () => {
    const { journal, append, stored } = openRig()
    for (let visitor = 1; visitor <= 20; visitor++) await append(visitor)[0]
    await journal.close()
    expect(stored()).toEqual([Array.from({ length: 20 }, (_, i) => i + 1)])
  })

  test('that waits for a hanging disk is bounded; the journal is degraded, and recovers', async () => {
    const { journal, disk, clock, append, stored } = openRig()
    await append(1)[0]
    disk.plan('hang', 'write')
    const first = append(2)
    await until(() => disk.hangingCount === 1)
    const waiting: Promise<void>[] = []
    let refused: unknown
    const large = { userAgent: 'u'.repeat(512), referrer: 'r'.repeat(255) }
    for (let visitor = 3; refused === undefined; visitor++) {
      const appended = journal.append(aClick(visitor, large))
      if (Bun.peek.status(appended) === 'rejected') refused = await appended.catch((error) => error)
      else waiting.push(appended)
    }
    expect(refused).toEqual(new JournalUnavailable('The journal is full.'))
    expect(waiting.length).toBeGreaterThan(10_000)
    expect(journal.state).toBe('ok')
    clock.advance(2_000_001)
    expect(journal.state).toBe('degraded')
    disk.letGo()
    expect(new Set(await outcomes([...first, ...waiting]))).toEqual(new Set(['safe']))
    expect(journal.state).toBe('ok')
    await append(0)[0]
    await journal.close()
    expect(stored().flat()).toHaveLength(waiting.length + 3)
  })
})

describe('a segment', () => {
  test('is sealed when it is full, and the next one continues the count', async () => {
    const { journal, append, folder, progress } = openRig({ segmentBytesMax: HEADER_BYTES + 100 })
    for (let visitor = 1; visitor <= 5; visitor++) await append(visitor)[0]
    await journal.close()
    const segments = readSegments(folder)
    expect(segments.map(({ clicks }) => visitorsOf(clicks))).toEqual([[1, 2], [3, 4], [5]])
    expect(segments.map(({ sealedClicks }) => sealedClicks)).toEqual([2, 2, 1])
    expect(segments.map(({ header }) => header.baseCount)).toEqual([0, 2, 4])
    const ids = segments.map(({ header }) => header.segment)
    expect(segments.map(({ header }) => header.previous)).toEqual([NO_SEGMENT, ids[0]!, ids[1]!])
    // Each is announced to its very end, closed once, and then not heard of again.
    for (const { header, bytes } of segments) {
      const steps = progress.filter(({ segment }) => segment === header.segment)
      expect(steps.filter(({ closed }) => closed)).toEqual([steps.at(-1)!])
      expect(steps.at(-1)!.position).toBe(bytes.length)
    }
  })

  test('is sealed when it is an hour old', async () => {
    const { journal, clock, append, stored } = openRig()
    await append(1)[0]
    clock.advance(HOUR_US - 1)
    await append(2)[0]
    clock.advance(1)
    await append(3)[0]
    await journal.close()
    expect(stored()).toEqual([[1, 2], [3]])
  })

  test('that cannot be sealed stays readable, and the clicks go on in the next one', async () => {
    const { journal, disk, clock, append, folder } = openRig()
    await append(1)[0]
    clock.advance(HOUR_US)
    disk.plan('short', 'write')
    disk.plan('fail', 'write', { skip: 1 })
    expect(await outcomes(append(2))).toEqual(['safe'])
    await journal.close()
    const segments = readSegments(folder)
    expect(segments.map(({ clicks }) => visitorsOf(clicks))).toEqual([[1], [2]])
    expect(segments.map(({ sealedClicks }) => sealedClicks)).toEqual([undefined, 1])
  })
})

describe('closing', () => {
  test('writes what waits, seals, and refuses what comes later', async () => {
    const { journal, append, folder } = openRig()
    const waiting = append(1, 2)
    const closing = journal.close()
    expect(await outcomes(append(3))).toEqual(['The journal is closed.'])
    await closing
    expect(await outcomes(waiting)).toEqual(['safe', 'safe'])
    expect(await outcomes(append(4))).toEqual(['The journal is closed.'])
    expect(readSegments(folder)).toMatchObject([{ sealedClicks: 2 }])
  })

  test('twice is closing once', async () => {
    const { journal, disk, append, folder, progress } = openRig()
    await append(1)[0]
    await Promise.all([journal.close(), journal.close()])
    await journal.close()
    expect(readSegments(folder)).toMatchObject([{ sealedClicks: 1, badBytes: 0 }])
    expect([disk.countOf('write'), progress.filter(({ closed }) => closed).length]).toEqual([3, 1])
  })

  test('a journal that nothing was written to leaves no file', async () => {
    const { journal, folder } = openRig()
    await journal.close()
    expect(readSegments(folder)).toEqual([])
  })
})
