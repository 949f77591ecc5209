import type { Log } from '../log.ts'
import type { Store } from '../store/open-store.ts'
import { NO_SEGMENT, SEGMENT_SUFFIX, type SegmentHeader } from './segment.ts'

type KnownSegment = {
  segment: string
  base_count: number
  clicks: number
  dead_letters: number
  finished_at: number | null
}

/** Segments that the store knows. To be asked for before the folder is listed: their files were there earlier still. */
export function knownSegments({ quickDb }: Pick<Store, 'quickDb'>): Promise<KnownSegment[]> {
  return quickDb
    .selectFrom('journal_segments')
    .select(['segment', 'base_count', 'clicks', 'dead_letters', 'finished_at'])
    .execute()
}

/** What the journal's folder holds. */
type FolderContent = { names: readonly string[]; headers: readonly SegmentHeader[] }

/**
 * Gives an alarm for each segment that should be there and is not: one that was not counted to its end, with the number
 * of missing clicks as far as the segment after it tells, and one that only the segment after it knows. Returns how many
 * clicks are known to be missing.
 */
export function reportGoneSegments(log: Log, known: KnownSegment[], content: FolderContent): number {
  const { names, headers } = content
  const ids = new Set([NO_SEGMENT, ...known.map(({ segment }) => segment)])
  const gone = [
    ...known
      .filter(({ finished_at: finishedAt }) => finishedAt === null)
      .map((each) => ({ segment: each.segment, missing: missingFrom(each, headers) })),
    ...headers
      .filter(({ previous }) => !ids.has(previous))
      .map(({ previous }) => ({ segment: previous, missing: undefined })),
  ]
  let missingClicks = 0
  for (const { segment, missing } of gone) {
    if (missing === 0 || names.includes(segment + SEGMENT_SUFFIX)) continue
    missingClicks += missing ?? 0
    log.error('A journal segment is gone before it was counted to its end.', { segment, missing })
  }
  return missingClicks
}

/** Undefined when no segment follows it. */
function missingFrom(known: KnownSegment, headers: readonly SegmentHeader[]): number | undefined {
  const next = headers.find(({ previous }) => previous === known.segment)
  return next && next.baseCount - known.base_count - known.clicks - known.dead_letters
}
