import { join } from 'node:path'
import type { Db } from '../store/open-store.ts'
import type { Files } from './files.ts'
import { foldersOf, readFolderId } from './folder-id.ts'
import { countClicks, frameStarts } from './read-segment.ts'
import { decodeHeader, HEADER_BYTES, NO_SEGMENT, SEGMENT_SUFFIX, type SegmentHeader } from './segment.ts'

/** What the store knows of a segment. */
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

/** What is wrong with the heads of a journal's files, and what they have to have been. */
export type DamagedHeads = {
  rebuilt: RebuiltSegment[]
  /** Shorter than a header, so that no click can be in them: damaged, or just being made. */
  empty: string[]
}

export type RebuildDeps = {
  files: Files
  /** Segments that the store knows; asked for only where something is damaged. None while it does not answer. */
  stored(): Promise<readonly StoredSegment[]>
}

/** Segments of the folder that the store knows. */
export async function storedSegments(db: Db, files: Files, folder: string): Promise<StoredSegment[]> {
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

/** A segment of which it is known what came before it, by its own header or by the store. */
type Known = Pick<SegmentHeader, 'segment' | 'previous' | 'baseCount' | 'node' | 'folder'> & {
  /** Clicks journaled up to its end. */
  count: number
  /** Undefined when there is no file, or none that can be read. */
  path: string | undefined
  isFinished: boolean
}

type Head = { path: string; segment: string; header: SegmentHeader | 'short' | 'damaged' | 'newer' }

const SEGMENT_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Tells for each segment whose header is damaged what stood in it: its id is its file's name, and the rest is in the store
 * or follows from the segments around it. Changes nothing.
 */
export async function findDamagedHeads(deps: RebuildDeps, folder: string): Promise<DamagedHeads> {
  const heads = await readHeads(deps.files, folder)
  const found: DamagedHeads = { rebuilt: [], empty: [] }
  const broken = heads.filter(({ header }) => header === 'damaged' || header === 'short')
  if (broken.length === 0) return found
  found.empty = broken.filter(({ header }) => header === 'short').map(({ path }) => path)
  const known = await knownOf(deps.files, await deps.stored(), heads)
  const folderId = (await readFolderId(deps.files, folder)) ?? NO_SEGMENT
  // The oldest first: the next one may follow it.
  for (const { path, segment, header } of broken) {
    if (header === 'short') continue
    const rebuilt = await rebuild(deps, { path, segment, folderId }, known)
    found.rebuilt.push(rebuilt)
    const { header: made, clicks } = rebuilt
    known.set(segment, { ...made, count: made.baseCount + clicks, path, isFinished: false })
  }
  return found
}

async function readHeads(files: Files, folder: string): Promise<Head[]> {
  const heads: Head[] = []
  for (const name of await files.list(folder)) {
    const segment = name.slice(0, -SEGMENT_SUFFIX.length)
    if (!name.endsWith(SEGMENT_SUFFIX) || !SEGMENT_NAME.test(segment)) continue
    const path = join(folder, name)
    const bytes = await files.read(path, 0, HEADER_BYTES).catch(undefinedWhenMissing)
    if (bytes === undefined) continue
    heads.push({ path, segment, header: bytes.length < HEADER_BYTES ? 'short' : decodeHeader(bytes) })
  }
  return heads
}

async function knownOf(
  files: Files,
  stored: readonly StoredSegment[],
  heads: readonly Head[],
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  for (const { segment, node, folder, finished_at: finishedAt, ...row } of stored) {
    const { previous_segment: previous, base_count: baseCount } = row
    const count = baseCount + row.clicks + row.dead_letters
    known.set(segment, {
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
    const own = known.get(header.segment)
    const isFinished = own?.isFinished === true
    // A journal of days would take long to be read.
    const count = isFinished ? own.count : header.baseCount + countClicks(await framesIn(files, path))
    known.set(header.segment, { ...header, count, path, isFinished })
  }
  return known
}

const nextOf = (segment: string, known: ReadonlyMap<string, Known>): Known | undefined =>
  [...known.values()].find(({ previous }) => previous === segment)

type Broken = { path: string; segment: string; folderId: string }

async function rebuild(
  { files }: RebuildDeps,
  { path, segment, folderId }: Broken,
  known: ReadonlyMap<string, Known>,
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
    segment,
    folder: like?.folder || folderId,
    // Of no run that goes on.
    boot: NO_SEGMENT,
    previous: own?.previous ?? before?.segment ?? NO_SEGMENT,
    previousEnd: end.position,
    baseCount: base ?? end.count,
    createdAtUs: Number.parseInt(segment.replaceAll('-', '').slice(0, 12), 16) * 1000,
    node: like?.node ?? '',
  }
  return { path, header, clicks }
}

/** Where the next one begins by its name, which tells the time; for want of anything better. */
const laterBase = (segment: string, known: ReadonlyMap<string, Known>): number =>
  Math.min(...[...known.values()].filter((each) => each.segment > segment).map(({ baseCount }) => baseCount))

/** The one that no other continues, and that ends nearest before this one begins. */
function lastBefore(segment: string, endMax: number, known: ReadonlyMap<string, Known>): Known | undefined {
  const all = [...known.values()]
  const continued = new Set(all.map(({ previous }) => previous))
  const open = all.filter((each) => each.segment !== segment && !continued.has(each.segment))
  return open
    .filter(({ count }) => count <= endMax)
    .sort((a, b) => a.count - b.count)
    .at(-1)
}

/**
 * Where the segment before ends. A group that its disk refused may stand at its end, and once more as the first of the next
 * segment, byte for byte with its time: there it counts.
 */
async function endOf(
  files: Files,
  before: Known | undefined,
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

/** Somebody else has removed it. */
function undefinedWhenMissing(error: unknown): undefined {
  if ((error as { code?: string }).code !== 'ENOENT') throw error
}
