import { join } from 'node:path'
import type { CurrentDb } from '../../store/handles.ts'
import type { Files } from '../journal/files.ts'
import { foldersOf, readFolderId } from '../journal/folder-id.ts'
import { countClicks, formatOfFrames, frameStarts } from '../journal/read-segment.ts'
import {
  decodeHeader,
  HEADER_BYTES,
  NO_SEGMENT,
  SEGMENT_SUFFIX,
  type SegmentHeader,
} from '../journal/segment.ts'
import { whenMissing } from '../../store/files/when-missing.ts'

export type StoredSegment = {
  segment: string
  node: string
  folder: string
  previous_segment: string
  base_count: number
  clicks: number
  dead_letters: number
  finished_at: number | null
}

export type RebuiltSegment = { path: string; header: SegmentHeader; clicks: number }

/** The damaged headers of a journal, and what they must have been. */
export type DamagedHeads = {
  rebuilt: RebuiltSegment[]
  /** Shorter than a header, so they hold no click: damaged, or just being created. */
  empty: string[]
}

export type RebuildDeps = {
  files: Files
  /** Segments that the store knows; called only if something is damaged. Empty while the store does not answer. */
  stored(): Promise<readonly StoredSegment[]>
}

export async function storedSegments(db: CurrentDb, files: Files, folder: string): Promise<StoredSegment[]> {
  return db
    .selectFrom('journal_segments')
    .select([
      'segment',
      'node',
      'folder',
      'previous_segment',
      'base_count',
      'clicks',
      'dead_letters',
      'finished_at',
    ])
    .where('folder', 'in', await foldersOf(files, folder))
    .execute()
}

/** A segment whose predecessor is known, from its header or from the store. */
type PlacedSegment = Pick<SegmentHeader, 'segment' | 'previous' | 'baseCount' | 'node' | 'folder'> & {
  /** Clicks that the folder had journaled at its end. */
  count: number
  /** Undefined if there is no readable file. */
  path: string | undefined
  isFinished: boolean
}

type Head = { path: string; segment: string; header: SegmentHeader | 'short' | 'damaged' | 'newer' }

const SEGMENT_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Works out each damaged header: the id is the file name, and the rest is in the store or follows from the neighboring
 * segments. Changes nothing.
 */
export async function findDamagedHeads(deps: RebuildDeps, folder: string): Promise<DamagedHeads> {
  const heads = await readHeads(deps.files, folder)
  const damage: DamagedHeads = { rebuilt: [], empty: [] }
  const broken = heads.filter(({ header }) => header === 'damaged' || header === 'short')
  if (broken.length === 0) return damage
  damage.empty = broken.filter(({ header }) => header === 'short').map(({ path }) => path)
  const places = await knownOf(deps.files, await deps.stored(), heads)
  const folderId = (await readFolderId(deps.files, folder)) ?? NO_SEGMENT
  // Oldest first, because the next one may follow it.
  for (const { path, segment, header } of broken) {
    if (header === 'short') continue
    const rebuilt = await rebuild(deps, { path, segment, folderId }, places)
    damage.rebuilt.push(rebuilt)
    const { header: made, clicks } = rebuilt
    places.set(segment, { ...made, count: made.baseCount + clicks, path, isFinished: false })
  }
  return damage
}

async function readHeads(files: Files, folder: string): Promise<Head[]> {
  const heads: Head[] = []
  for (const name of await files.list(folder)) {
    const segment = name.slice(0, -SEGMENT_SUFFIX.length)
    if (!name.endsWith(SEGMENT_SUFFIX) || !SEGMENT_NAME.test(segment)) continue
    const path = join(folder, name)
    const bytes = await files.read(path, 0, HEADER_BYTES).catch(whenMissing(undefined))
    if (bytes === undefined) continue
    heads.push({ path, segment, header: bytes.length < HEADER_BYTES ? 'short' : decodeHeader(bytes) })
  }
  return heads
}

async function knownOf(
  files: Files,
  stored: readonly StoredSegment[],
  heads: readonly Head[],
): Promise<Map<string, PlacedSegment>> {
  const places = new Map<string, PlacedSegment>()
  for (const { segment, node, folder, finished_at: finishedAt, ...row } of stored) {
    const { previous_segment: previous, base_count: baseCount } = row
    const count = baseCount + row.clicks + row.dead_letters
    places.set(segment, {
      segment,
      node,
      folder,
      previous,
      baseCount,
      count,
      path: undefined,
      isFinished: finishedAt !== null,
    })
  }
  for (const { path, header } of heads) {
    if (typeof header === 'string') continue
    const own = places.get(header.segment)
    const isFinished = own?.isFinished === true
    // Finished segments are not read: a journal of days would take too long.
    const count = isFinished ? own.count : header.baseCount + countClicks(await framesIn(files, path))
    places.set(header.segment, { ...header, count, path, isFinished })
  }
  return places
}

const nextOf = (segment: string, known: ReadonlyMap<string, PlacedSegment>): PlacedSegment | undefined =>
  [...known.values()].find(({ previous }) => previous === segment)

type Broken = { path: string; segment: string; folderId: string }

async function rebuild(
  { files }: RebuildDeps,
  { path, segment, folderId }: Broken,
  known: ReadonlyMap<string, PlacedSegment>,
): Promise<RebuiltSegment> {
  const frames = await framesIn(files, path)
  const clicks = countClicks(frames)
  const own = known.get(segment)
  const next = nextOf(segment, known)
  const base = own?.baseCount ?? (next === undefined ? undefined : Math.max(0, next.baseCount - clicks))
  const endMax = base ?? laterBase(segment, known) - clicks
  const before = own === undefined ? lastBefore(segment, endMax, known) : known.get(own.previous)
  const like = own ?? next ?? before
  const end = await endOf(files, before, frames)
  const header: SegmentHeader = {
    format: formatOfFrames(frames),
    segment,
    folder: like?.folder || folderId,
    // So that it belongs to no running process.
    boot: NO_SEGMENT,
    previous: own?.previous ?? before?.segment ?? NO_SEGMENT,
    previousEnd: end.position,
    baseCount: base ?? end.count,
    createdAtUs: Number.parseInt(segment.replaceAll('-', '').slice(0, 12), 16) * 1000,
    node: like?.node ?? '',
  }
  return { path, header, clicks }
}

/** The count at which the next segment by name (file names contain the time) begins, if nothing better is known. */
const laterBase = (segment: string, known: ReadonlyMap<string, PlacedSegment>): number =>
  Math.min(...[...known.values()].filter((each) => each.segment > segment).map(({ baseCount }) => baseCount))

/** The segment that no other one follows and that ends closest before this one begins. */
function lastBefore(
  segment: string,
  endMax: number,
  known: ReadonlyMap<string, PlacedSegment>,
): PlacedSegment | undefined {
  const all = [...known.values()]
  const continued = new Set(all.map(({ previous }) => previous))
  const open = all.filter((each) => each.segment !== segment && !continued.has(each.segment))
  return open
    .filter(({ count }) => count <= endMax)
    .sort((a, b) => a.count - b.count)
    .at(-1)
}

/**
 * Where the previous segment ends. A group that its disk refused may stand at its end and, byte for byte, at the start of
 * the next segment, where it counts.
 */
async function endOf(
  files: Files,
  before: PlacedSegment | undefined,
  nextFrames: Buffer,
): Promise<{ position: number; count: number }> {
  if (before?.path === undefined) return { position: 0, count: before?.count ?? 0 }
  const frames = await framesIn(files, before.path)
  const { starts, end } = frameStarts(frames)
  const again = starts.find((start) => {
    const tail = frames.subarray(start, end)
    return tail.equals(nextFrames.subarray(0, tail.length))
  })
  if (again === undefined) return { position: HEADER_BYTES + frames.length, count: before.count }
  const count = before.baseCount + countClicks(frames.subarray(0, again))
  return { position: HEADER_BYTES + again, count }
}

const framesIn = async (files: Files, path: string): Promise<Buffer> =>
  files.read(path, HEADER_BYTES, await files.sizeOf(path))
