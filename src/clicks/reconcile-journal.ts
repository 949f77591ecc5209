import { NO_SEGMENT } from './segment.ts'
import type { SurveyedSegment } from './survey-journal.ts'

/** What became of every click that was ever journaled: the numbers below the first add up to it. */
export type Reconciliation = {
  journaled: number
  counted: number
  /** Could be read but not understood; kept in journal/dead-letters. */
  deadLetters: number
  /** Not counted yet, in a file where it will be found. */
  waiting: number
  /** Not counted, in the trash, where nobody looks: counted when moved back. */
  inTrash: number
  /** Journaled, and nowhere. */
  missing: number
  /** Counted beyond what the headers say there was; 0, as it should be. */
  surplus: number
  /** Where clicks are missing: the segment that lacks them. */
  gaps: { segment: string; missing: number }[]
}

/**
 * Each segment's header says how many clicks there were before it, so where the segments before it hold fewer, exactly
 * so many are missing. What the last one has lost only its seal can tell.
 */
export function reconcileJournal(segments: readonly SurveyedSegment[]): Reconciliation {
  const total: Reconciliation = {
    journaled: 0,
    counted: sumOf(segments, ({ counted }) => counted),
    deadLetters: sumOf(segments, ({ deadLetters }) => deadLetters),
    waiting: sumOf(segments, ({ waiting, file }) => (file === 'there' ? waiting : 0)),
    inTrash: sumOf(segments, ({ waiting, file }) => (file === 'in the trash' ? waiting : 0)),
    missing: 0,
    surplus: 0,
    gaps: [],
  }
  for (const row of rowsOf(segments)) follow(row, total)
  return total
}

const heldBy = ({ counted, deadLetters, waiting }: SurveyedSegment) => counted + deadLetters + waiting

const sumOf = (segments: readonly SurveyedSegment[], count: (segment: SurveyedSegment) => number) =>
  segments.reduce((sum, segment) => sum + count(segment), 0)

/** One row of segments, from the first on. */
function follow(row: SurveyedSegment[], total: Reconciliation): void {
  let before = 0
  for (const segment of row) {
    note(total, { segment: segment.previous, missing: segment.baseCount - before })
    before = segment.baseCount + heldBy(segment)
  }
  const last = row.at(-1)!
  const sealed = last.baseCount + (last.sealed ?? 0)
  if (sealed > before) note(total, { segment: last.segment, missing: sealed - before })
  total.journaled += Math.max(before, sealed)
}

function note(total: Reconciliation, gap: { segment: string; missing: number }): void {
  total.missing += Math.max(0, gap.missing)
  total.surplus += Math.max(0, -gap.missing)
  if (gap.missing > 0) total.gaps.push(gap)
}

/**
 * The segments in rows, each in its order. As a rule there is one; a second one begins where a database was put into
 * a folder without its journal. One whose predecessor nobody knows continues the row that it fits behind.
 */
function rowsOf(segments: readonly SurveyedSegment[]): SurveyedSegment[][] {
  const firstOf = firstOnes(segments)
  const rows = Map.groupBy(segments, (segment) => firstOf.get(segment)!)
  for (const row of rows.values()) row.sort((a, b) => a.baseCount - b.baseCount || heldBy(a) - heldBy(b))
  const joined: SurveyedSegment[][] = []
  const inOrder = [...rows.values()].sort((a, b) => a[0]!.baseCount - b[0]!.baseCount)
  for (const row of inOrder) {
    const fitting = joined.filter((before) => endOf(before) <= row[0]!.baseCount)
    const before =
      row[0]!.previous === NO_SEGMENT ? undefined : fitting.sort((a, b) => endOf(a) - endOf(b)).at(-1)
    if (before === undefined) joined.push(row)
    else before.push(...row)
  }
  return joined
}

const endOf = (row: SurveyedSegment[]) => row.at(-1)!.baseCount + heldBy(row.at(-1)!)

/** Each segment's first one. Every step is taken once, however long the rows are. */
function firstOnes(segments: readonly SurveyedSegment[]): Map<SurveyedSegment, SurveyedSegment> {
  const byId = new Map(segments.map((segment) => [segment.segment, segment]))
  const firstOf = new Map<SurveyedSegment, SurveyedSegment>()
  for (const segment of segments) {
    const walked: SurveyedSegment[] = []
    let at = segment
    for (let before = byId.get(at.previous); before !== undefined && !firstOf.has(at);) {
      walked.push(at)
      at = before
      before = byId.get(at.previous)
    }
    const first = firstOf.get(at) ?? at
    for (const each of [...walked, at]) firstOf.set(each, first)
  }
  return firstOf
}
