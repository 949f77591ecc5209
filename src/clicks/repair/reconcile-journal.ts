import { NO_SEGMENT } from '../journal/segment.ts'
import type { SurveyedSegment } from './survey-journal.ts'

/** What became of every click that was ever journaled. The other numbers add up to `journaled`. */
export type Reconciliation = {
  journaled: number
  counted: number
  /** Could be read but not understood; saved in journal/dead-letters. */
  deadLetters: number
  /** Not counted yet, in a segment that will be read. */
  waiting: number
  /** Not counted, in the trash; counted only if the segment is moved back. */
  inTrash: number
  /** Journaled, and found nowhere. */
  missing: number
  /** Counted beyond what the headers say; should be 0. */
  surplus: number
  /** The segments that lack clicks. */
  gaps: { segment: string; missing: number }[]
}

/**
 * Each header says how many clicks came before its segment. If the earlier segments hold fewer, the difference is missing.
 * So is the difference between the seal of a segment and what it holds.
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

/** Follows one chain of segments from its first. */
function follow(row: SurveyedSegment[], total: Reconciliation): void {
  let before = 0
  let sealedBefore = 0
  let unsealed = 0
  for (const segment of row) {
    // A journal that went on behind damaged clicks counts from those that it found.
    const gap = segment.baseCount - before
    const missing = Math.max(gap, sealedBefore - before)
    note(total, { segment: segment.previous, missing: missing > 0 ? missing : gap })
    unsealed += Math.max(0, missing - Math.max(0, gap))
    before = segment.baseCount + heldBy(segment)
    sealedBefore = segment.baseCount + (segment.sealed ?? 0)
  }
  const last = row.at(-1)!
  if (sealedBefore > before) note(total, { segment: last.segment, missing: sealedBefore - before })
  total.journaled += Math.max(before, sealedBefore) + unsealed
}

function note(total: Reconciliation, gap: { segment: string; missing: number }): void {
  total.missing += Math.max(0, gap.missing)
  total.surplus += Math.max(0, -gap.missing)
  if (gap.missing > 0) total.gaps.push(gap)
}

/**
 * The segments as chains, each in order. Usually there is one; a second one begins where a database was put into a folder
 * without its journal. A segment with an unknown predecessor continues the chain behind which it fits.
 */
function rowsOf(segments: readonly SurveyedSegment[]): SurveyedSegment[][] {
  const firstOf = firstOnes(segments)
  const rows = Map.groupBy(segments, (segment) => firstOf.get(segment)!)
  for (const row of rows.values()) row.sort((a, b) => a.baseCount - b.baseCount || heldBy(a) - heldBy(b))
  const chains: SurveyedSegment[][] = []
  const inOrder = [...rows.values()].sort((a, b) => a[0]!.baseCount - b[0]!.baseCount)
  for (const row of inOrder) {
    const fitting = chains.filter((before) => endOf(before) <= row[0]!.baseCount)
    const before =
      row[0]!.previous === NO_SEGMENT ? undefined : fitting.sort((a, b) => endOf(a) - endOf(b)).at(-1)
    if (before === undefined) chains.push(row)
    else before.push(...row)
  }
  return chains
}

const endOf = (row: SurveyedSegment[]) => row.at(-1)!.baseCount + heldBy(row.at(-1)!)

/** The first segment of the chain of each. Linear in the number of segments. */
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
