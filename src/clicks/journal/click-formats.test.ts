import { describe, expect, test } from 'bun:test'
import { FaultyFiles } from '../../../test/rigs/clicks/faulty-files.ts'
import { aClick, openJournalRig, readSegments, visitorsOf } from '../../../test/rigs/clicks/journal-rig.ts'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import type { Click } from './click.ts'
import { formatOfFrames } from './read-segment.ts'
import { HEADER_BYTES } from './segment.ts'

const folders = useFolders()

describe('a segment', () => {
  test('of plain clicks has format 1, which every earlier version reads', async () => {
    expect(inShort(await journaled([plain(1)], [plain(2), plain(3)]))).toEqual([[1, [1, 2, 3]]])
  })

  test('of format 1 ends, sealed, where the first extended click comes; the next one takes both kinds', async () => {
    const segments = await journaled([plain(1)], [plain(2), extended(3)], [plain(4)], [extended(5)])
    expect(inShort(segments)).toEqual([
      [1, [1]],
      [2, [2, 3, 4, 5]],
    ])
    const [first, second] = segments
    expect([first!.sealedClicks, second!.sealedClicks, second!.header.baseCount]).toEqual([1, 4, 1])
    expect(second!.header.previous).toBe(first!.header.segment)
    expect(second!.clicks[1]!.extras).toEqual({
      variant: 'rule 1',
      via: 'qr',
      language: '',
      utm: '',
      alias: '',
    })
  })

  test('of format 2 ends, sealed, where the first click by an alias comes; the next one takes all kinds', async () => {
    const segments = await journaled([extended(1), plain(2)], [byAlias(3), plain(4)], [extended(5)])
    expect(inShort(segments)).toEqual([
      [2, [1, 2]],
      [3, [3, 4, 5]],
    ])
    expect(segments[1]!.clicks[0]!.extras?.alias).toBe('old-code')
  })

  test('of format 3 ends, sealed, where the first click of a city comes', async () => {
    const segments = await journaled([byAlias(1)], [ofCity(2), plain(3)])
    expect(inShort(segments)).toEqual([
      [3, [1]],
      [4, [2, 3]],
    ])
    expect(segments[1]!.clicks[0]!.extras?.city?.name).toBe('Hamburg, DE')
  })

  test('begins with format 2 when its first group has an extended click', async () => {
    expect(inShort(await journaled([extended(1)], [plain(2)]))).toEqual([[2, [1, 2]]])
  })

  test('tells its format by what is in it, should its header be lost', async () => {
    const formatsOf = async (...groups: Click[][]) =>
      (await journaled(...groups)).map(({ bytes }) => formatOfFrames(bytes.subarray(HEADER_BYTES)))
    expect(await formatsOf([plain(1), plain(2)])).toEqual([1])
    expect(await formatsOf([plain(1), extended(2)])).toEqual([2])
  })
})

const plain = (visitor: number) => aClick(visitor)
const extended = (visitor: number) =>
  aClick(visitor, { extras: { variant: 'rule 1', via: 'qr', language: '', utm: '', alias: '' } })

/** Journals groups of clicks one after the other; gives each segment's format and visitors. */
async function journaled(...groups: Click[][]) {
  const folder = folders.make()
  const { journal } = openJournalRig(new FaultyFiles(), { folder })
  for (const group of groups) await Promise.all(group.map((click) => journal.append(click)))
  await journal.close()
  return readSegments(folder)
}

const ofCity = (visitor: number) =>
  aClick(visitor, {
    extras: {
      variant: '',
      via: 'link',
      language: '',
      utm: '',
      alias: '',
      city: { region: 'Hamburg, DE', name: 'Hamburg, DE' },
    },
  })

const byAlias = (visitor: number) =>
  aClick(visitor, { extras: { variant: '', via: 'link', language: '', utm: '', alias: 'old-code' } })

const inShort = (segments: Awaited<ReturnType<typeof journaled>>) =>
  segments.map(({ header, clicks }) => [header.format, visitorsOf(clicks)])
