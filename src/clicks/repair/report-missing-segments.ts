import type { Log } from '../../runtime/log.ts'
import type { Store } from '../../store/open-store.ts'
import { NO_SEGMENT, SEGMENT_SUFFIX, type SegmentHeader } from '../journal/segment.ts'

type KnownSegment = {
  segment: string
  base_count: number
  clicks: number
  dead_letters: number
  finished_at: number | null
}

/** Segments of these folders that the store knows. Call it before listing the folder: a known segment had its file by then. */
export function knownSegments(
  { clicksDb }: Pick<Store, 'clicksDb'>,
  folders: readonly string[],
): Promise<KnownSegment[]> {
  return clicksDb
    .selectFrom('journal_segments')
    .select(['segment', 'base_count', 'clicks', 'dead_letters', 'finished_at'])
    .where('folder', 'in', folders)
    .execute()
}

type FolderContent = { names: readonly string[]; headers: readonly SegmentHeader[] }

/**
 * Logs an error for each missing segment: one that was not counted to its end, or is known only from the next segment. It
 * includes the number of missing clicks if that is known. The last counted segment is never removed, so a folder without it
 * is older than the store. Returns how many clicks are known to be missing.
 */
export function reportMissingSegments(log: Log, known: KnownSegment[], content: FolderContent): number {
  const { names, headers } = content
  const ids = new Set([NO_SEGMENT, ...known.map(({ segment }) => segment)])
  const gone = [
    ...known
      .filter(({ finished_at: finishedAt }) => finishedAt === null)
      .map((each) => ({ segment: each.segment, missing: missingFrom(each, headers) })),
    ...headers
      .filter(({ previous }) => !ids.has(previous))
      .map((next) => ({ segment: next.previous, missing: missingBefore(next, known, headers) })),
  ]
  const isThere = (segment: string) => names.includes(segment + SEGMENT_SUFFIX)
  let missingClicks = 0
  for (const { segment, missing } of gone) {
    if (missing === 0 || isThere(segment)) continue
    missingClicks += missing ?? 0
    log.error('A journal segment disappeared before all its clicks were counted.', { segment, missing })
  }
  const last = known.toSorted(inOrderOfWriting).at(-1)
  if (last !== undefined && last.finished_at !== null && !isThere(last.segment))
    log.warn('The journal is older than the database: the last counted segment is missing.', {
      segment: last.segment,
    })
  return missingClicks
}

/** Undefined if no segment follows it. */
function missingFrom(known: KnownSegment, headers: readonly SegmentHeader[]): number | undefined {
  const next = headers.find(({ previous }) => previous === known.segment)
  return next && next.baseCount - endCount(known)
}

/** Clicks between what was counted and the segment. Undefined while earlier segments are uncounted. */
function missingBefore(
  next: SegmentHeader,
  known: KnownSegment[],
  headers: readonly SegmentHeader[],
): number | undefined {
  const finished = new Set(known.filter((each) => each.finished_at !== null).map(({ segment }) => segment))
  const before = headers.filter(({ baseCount }) => baseCount < next.baseCount)
  if (before.some(({ segment }) => !finished.has(segment))) return undefined
  const ends = known.filter((each) => each.base_count < next.baseCount).map(endCount)
  return next.baseCount - Math.max(0, ...ends)
}

const endCount = ({ base_count, clicks, dead_letters }: KnownSegment): number =>
  base_count + clicks + dead_letters

/** As in `removeOldSegments`: an abandoned empty segment comes before the one with clicks. */
const inOrderOfWriting = (a: KnownSegment, b: KnownSegment): number =>
  a.base_count - b.base_count || a.clicks - b.clicks || (a.segment < b.segment ? -1 : 1)
