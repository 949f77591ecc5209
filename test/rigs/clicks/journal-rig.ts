import { afterEach, expect } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, manualClock } from '../../../src/runtime/clock.ts'
import type { Click } from '../../../src/clicks/journal/click.ts'
import { Journal } from '../../../src/clicks/journal/journal.ts'
import type { JournalProgress, LastSegment } from '../../../src/clicks/journal/segment-sequence.ts'
import { readBatch } from '../../../src/clicks/journal/read-segment.ts'
import {
  decodeHeader,
  HEADER_BYTES,
  NO_SEGMENT,
  SEGMENT_SUFFIX,
  type SegmentHeader,
} from '../../../src/clicks/journal/segment.ts'
import { temporaryFolders } from '../temporary-folders.ts'
import { FaultyFiles } from './faulty-files.ts'

/** 2026-04-20T12:00:00Z */
export const NOON_US = 1_776_686_400_000_000

/** A click of link 1; each has its own visitor number. */
export function aClick(visitor: number, others: Partial<Click> = {}): Click {
  return {
    linkId: 1,
    workspaceId: 1,
    clickedAtUs: NOON_US,
    visitor,
    country: 'DE',
    userAgent: `Browser/${visitor}`,
    referrer: 'example.org',
    ...others,
  }
}

export type JournalRigSettings = {
  folder: string
  sync?: 'os' | 'disk'
  segmentBytesMax?: number
  after?: LastSegment
  boot?: string
  onProgress?(progress: JournalProgress): void
}

export const BOOT = '0193b1c0-0000-7000-8000-0000000000b0'
export const FOLDER_ID = '0193b1c0-0000-7000-8000-0000000000f0'

/** A journal in the folder, with the clock that it reads and everything that it has announced. */
export function openJournalRig(disk: FaultyFiles, settings: JournalRigSettings) {
  const clock = manualClock(NOON_US)
  const progress: JournalProgress[] = []
  const deps: { files: FaultyFiles['files']; clock: Clock } = { files: disk.files, clock }
  const journal = new Journal(deps, {
    folder: settings.folder,
    identity: { folder: FOLDER_ID, boot: settings.boot ?? BOOT, node: 'here' },
    after: settings.after ?? { segment: NO_SEGMENT, end: 0, count: 0 },
    sync: settings.sync ?? 'os',
    segmentBytesMax: settings.segmentBytesMax ?? 2 ** 20,
    onProgress(step) {
      progress.push(step)
      settings.onProgress?.(step)
    },
  })
  return { journal, clock, progress }
}

/** Opens the journal of a test in a folder of its own. After the test, every file that was opened has been closed. */
export function useJournalRig() {
  const folders = temporaryFolders()
  const disks: FaultyFiles[] = []
  afterEach(() => {
    folders.remove()
    expect(disks.splice(0).map((disk) => disk.openCount)).toEqual([0])
  })
  return (settings: Partial<JournalRigSettings> = {}) => {
    const disk = new FaultyFiles()
    disks.push(disk)
    const folder = folders.make()
    const rig = openJournalRig(disk, { folder, ...settings })
    const append = (...visitors: number[]) => visitors.map((visitor) => rig.journal.append(aClick(visitor)))
    const stored = () => readSegments(folder).map(({ clicks }) => visitorsOf(clicks))
    return { ...rig, disk, folder, append, stored }
  }
}

export type StoredSegment = {
  name: string
  header: SegmentHeader
  clicks: Click[]
  sealedClicks: number | undefined
  bytes: Buffer
  badBytes: number
}

/** What is in the folder's segments, oldest first. */
export function readSegments(folder: string): StoredSegment[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(SEGMENT_SUFFIX))
  return names.sort().map((name) => {
    const bytes = readFileSync(join(folder, name))
    const header = decodeHeader(bytes)
    if (typeof header === 'string') throw new Error(`${name} is ${header}`)
    const rest = { bytes: bytes.subarray(HEADER_BYTES), offset: HEADER_BYTES, isLast: true }
    const { clicks, sealedClicks, tornBytes, damagedBytes } = readBatch(rest, Infinity)
    return { name, header, clicks, sealedClicks, bytes, badBytes: tornBytes + damagedBytes }
  })
}

/** For a run that continues a run which ended in order. */
export const endOf = ({ header, bytes, clicks }: StoredSegment): LastSegment => ({
  segment: header.segment,
  end: bytes.length,
  count: header.baseCount + clicks.length,
})

export const visitorsOf = (clicks: readonly Click[]): number[] => clicks.map(({ visitor }) => visitor)

/** What became of each append, in order: 'safe' or the error's message. */
export async function outcomes(appends: Promise<void>[]): Promise<string[]> {
  const settled = await Promise.allSettled(appends)
  return settled.map((end) => (end.status === 'fulfilled' ? 'safe' : String((end.reason as Error).message)))
}
