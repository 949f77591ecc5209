import { DAY_US, dayOf, isoDay } from '../../runtime/clock.ts'
import { type ClickFile, isCoarseFile } from './parquet-file.ts'
import type { Rewriting } from './rewrite-files.ts'

/** A period is over a day after its end: most late clicks are there by then. */
const LATE_US = DAY_US
/** Of one day, while it lasts. */
const FILES_OF_DAY_MAX = 16
/** Late clicks wait in a file of their own until they are worth writing the others again. */
const SMALL_SHARE = 0.1
const FILES_OF_PERIOD_MAX = 10

export type PlanSizes = { filesOfDayMax?: number }

type PlanOptions = PlanSizes & { nowUs: number; coarseBeforeUs: number }

/**
 * Which files to write into one: those of a month when it is over, of a day when it is over, and of today when they are many. Months
 * that end before `coarseBeforeUs` become coarse. Each file is in one rewriting at most.
 */
export function planRewrites(
  files: readonly ClickFile[],
  { nowUs, coarseBeforeUs, filesOfDayMax = FILES_OF_DAY_MAX }: PlanOptions,
): Rewriting[] {
  const rewritings: Rewriting[] = []
  for (const [month, ofMonth] of groupBy(files, monthOf)) {
    const isOver = month < monthOf({ from_us: nowUs - LATE_US })
    const coarsens = isOver && ofMonth.every(({ to_us }) => to_us <= coarseBeforeUs)
    if (isOver && (isWorthIt(ofMonth) || (coarsens && !isCoarseFile(largestOf(ofMonth).name))))
      rewritings.push({ names: namesOf(ofMonth), coarsens })
    if (isOver) continue
    for (const [day, ofDay] of groupBy(ofMonth, ({ from_us }) => String(dayOf(from_us)))) {
      const isDayOver = Number(day) < dayOf(nowUs - LATE_US)
      if (isDayOver ? isWorthIt(ofDay) : ofDay.length >= filesOfDayMax)
        rewritings.push({ names: namesOf(ofDay) })
    }
  }
  return rewritings
}

function isWorthIt(files: readonly ClickFile[]): boolean {
  if (files.length < 2 || files.length > FILES_OF_PERIOD_MAX) return files.length >= 2
  const largest = largestOf(files).rows
  return files.reduce((sum, { rows }) => sum + rows, 0) - largest >= largest * SMALL_SHARE
}

const largestOf = (files: readonly ClickFile[]): ClickFile =>
  files.reduce((largest, file) => (file.rows > largest.rows ? file : largest))

const monthOf = ({ from_us }: Pick<ClickFile, 'from_us'>) => isoDay(dayOf(from_us)).slice(0, 7)

const namesOf = (files: readonly ClickFile[]) => files.map(({ name }) => name).sort()

function groupBy(files: readonly ClickFile[], keyOf: (file: ClickFile) => string): Map<string, ClickFile[]> {
  return Map.groupBy(files, keyOf)
}
