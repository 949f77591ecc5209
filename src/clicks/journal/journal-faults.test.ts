import { describe, expect, test } from 'bun:test'
import { until } from '../../../test/rigs/eventually.ts'
import { outcomes, readSegments, visitorsOf, useJournalRig } from '../../../test/rigs/clicks/journal-rig.ts'

const openRig = useJournalRig()

const REFUSED = 'Could not record the click.'

describe('a disk that takes less than it is given', () => {
  test('is offered the rest', async () => {
    const { journal, disk, append, stored } = openRig()
    disk.plan('short', 'write', { times: 6 })
    expect(await outcomes(append(1, 2, 3))).toEqual(['safe', 'safe', 'safe'])
    await journal.close()
    expect(stored()).toEqual([[1, 2, 3]])
  })

  test.each([['fail'], ['none']] as const)(
    'and is then full (%s): the group is refused, the file cut back, and all is well when there is room again',
    async (fault) => {
      const { journal, disk, append, stored, progress } = openRig()
      await append(1)[0]
      disk.plan('short', 'write')
      disk.plan(fault, 'write', { skip: 1 })
      expect(await outcomes(append(2, 3))).toEqual([REFUSED, REFUSED])
      expect(journal.state).toBe('degraded')
      expect([stored(), journal.count, progress.length]).toEqual([[[1]], 1, 1])
      expect(await outcomes(append(4))).toEqual(['safe'])
      expect(journal.state).toBe('ok')
      await journal.close()
      expect(stored()).toEqual([[1, 4]])
      expect(disk.countOf('createNew')).toBe(1)
    },
  )

  test('and cannot be cut back: the segment is left, and the group goes into the next one', async () => {
    const { journal, disk, append, folder, progress } = openRig()
    await append(1)[0]
    disk.plan('short', 'write')
    disk.plan('fail', 'write', { skip: 1 })
    disk.plan('fail', 'truncate')
    expect(await outcomes(append(2, 3))).toEqual(['safe', 'safe'])
    await journal.close()
    const [first, second] = readSegments(folder)
    const previousEnd = progress[0]!.position
    expect(second!.header).toMatchObject({ previous: first!.header.segment, previousEnd, baseCount: 1 })
    expect([visitorsOf(second!.clicks), second!.sealedClicks]).toEqual([[2, 3], 2])
    // What is left behind the announced end of the first is not to be read.
    expect(progress.filter(({ segment }) => segment === first!.header.segment)).toMatchObject([
      { closed: false },
      { closed: true, position: progress[0]!.position },
    ])
  })
})

describe('a segment that cannot be opened', () => {
  test.each([['createNew'], ['write'], ['syncFolder']] as const)(
    'refuses the group and leaves no file behind, the next try is another one: %s fails',
    async (operation) => {
      const { journal, disk, append, stored, folder } = openRig()
      disk.plan('fail', operation)
      expect(await outcomes(append(1))).toEqual([REFUSED])
      expect(readSegments(folder)).toEqual([])
      expect(await outcomes(append(2))).toEqual(['safe'])
      await journal.close()
      expect(stored()).toEqual([[2]])
    },
  )
})

describe("sync 'disk'", () => {
  test('acknowledges only after the disk has the group', async () => {
    const { journal, disk, append } = openRig({ sync: 'disk' })
    await append(1)[0]
    expect(disk.calls).toEqual(['createNew', 'write', 'datasync', 'syncFolder', 'write', 'datasync'])
    disk.plan('hang', 'datasync')
    const [second] = append(2)
    await until(() => disk.hangingCount === 1)
    expect(Bun.peek.status(second!)).toBe('pending')
    disk.letGo()
    await second
    await journal.close()
  })

  test.each([['fail'], ['fail after doing it']] as const)(
    'writes the group into a new segment when the disk refuses it, and it is there once: %s',
    async (fault) => {
      const { journal, disk, append, folder } = openRig({ sync: 'disk' })
      await append(1)[0]
      disk.plan(fault, 'datasync')
      expect(await outcomes(append(2, 3))).toEqual(['safe', 'safe'])
      await journal.close()
      const [first, second] = readSegments(folder)
      expect([visitorsOf(first!.clicks), visitorsOf(second!.clicks)]).toEqual([[1], [2, 3]])
      expect(second!.header).toMatchObject({ previous: first!.header.segment, baseCount: 1 })
      expect([first!.sealedClicks, second!.sealedClicks, journal.count]).toEqual([undefined, 2, 3])
    },
  )

  test('gives up after the second segment, and never writes into either again', async () => {
    const { journal, disk, append, folder } = openRig({ sync: 'disk' })
    await append(1)[0]
    // The group; the header of the next segment is let through; the group again.
    disk.plan('fail', 'datasync')
    disk.plan('fail', 'datasync', { skip: 2 })
    expect(await outcomes(append(2))).toEqual([REFUSED])
    expect([journal.state, journal.count]).toEqual(['degraded', 1])
    expect(await outcomes(append(3))).toEqual(['safe'])
    await journal.close()
    expect(readSegments(folder).map(({ clicks }) => visitorsOf(clicks))).toEqual([[1], [], [3]])
    expect(readSegments(folder).map(({ header }) => header.baseCount)).toEqual([0, 1, 1])
  })
})

describe("sync 'os'", () => {
  test('syncs on request, once for what is new', async () => {
    const { journal, disk, append } = openRig()
    await journal.syncToDisk()
    await append(1)[0]
    expect(disk.countOf('datasync')).toBe(0)
    await journal.syncToDisk()
    await journal.syncToDisk()
    expect(disk.countOf('datasync')).toBe(1)
    await journal.close()
  })

  test('puts nothing more into a segment that the disk has refused to sync', async () => {
    const { journal, disk, append, folder, stored } = openRig()
    await append(1)[0]
    disk.plan('fail', 'datasync')
    await journal.syncToDisk()
    expect(journal.state).toBe('degraded')
    await journal.syncToDisk()
    expect(disk.countOf('datasync')).toBe(1)
    await append(2)[0]
    expect(journal.state).toBe('ok')
    await journal.close()
    expect(stored()).toEqual([[1], [2]])
    expect(readSegments(folder).map(({ sealedClicks }) => sealedClicks)).toEqual([undefined, 1])
  })
})
