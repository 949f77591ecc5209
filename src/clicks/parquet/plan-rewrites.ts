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
/** Reports read a file as a whole, also for its last day: months with more have files of fewer days. */
const ROWS_OF_MONTH_MAX = 10_000_000
const DAYS_OF_PART = 8

export type PlanSizes = { filesOfDayMax?: number; rowsOfMonthMax?: number }

type PlanOptions = PlanSizes & { nowUs: number; coarseBeforeUs: number }

/**
 * Which files to write into one: those of a month, or of a part of a large one, when it is over, of a day when it is over, and of today when
 * they are many. Those that end before `coarseBeforeUs` become coarse. Each file is in one rewriting at most.
 */
export function planRewrites(files: readonly ClickFile[], options: PlanOptions): Rewriting[] {
  const { rowsOfMonthMax = ROWS_OF_MONTH_MAX } = options
  return [...groupBy(files, monthOf).values()].flatMap((ofMonth) =>
    rewritingsOf(ofMonth, options, sumOfRows(ofMonth) > rowsOfMonthMax ? partOf : monthOf),
  )
}

type PeriodOf = (file: Pick<ClickFile, 'from_us'>) => string

function rewritingsOf(
  files: readonly ClickFile[],
  { nowUs, coarseBeforeUs, filesOfDayMax = FILES_OF_DAY_MAX }: PlanOptions,
  periodOf: PeriodOf,
): Rewriting[] {
  const rewritings: Rewriting[] = []
  for (const [period, ofPeriod] of groupBy(files, periodOf)) {
    const isOver = period < periodOf({ from_us: nowUs - LATE_US })
    const coarsens = isOver && ofPeriod.every(({ to_us }) => to_us <= coarseBeforeUs)
    if (isOver && (isWorthIt(ofPeriod) || (coarsens && !isCoarseFile(largestOf(ofPeriod).name))))
      rewritings.push({ names: namesOf(ofPeriod), coarsens })
    if (isOver) continue
    for (const [day, ofDay] of groupBy(ofPeriod, ({ from_us }) => String(dayOf(from_us)))) {
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
  return sumOfRows(files) - largest >= largest * SMALL_SHARE
}

const sumOfRows = (files: readonly ClickFile[]): number => files.reduce((sum, { rows }) => sum + rows, 0)

const largestOf = (files: readonly ClickFile[]): ClickFile =>
  files.reduce((largest, file) => (file.rows > largest.rows ? file : largest))

const monthOf: PeriodOf = ({ from_us }) => isoDay(dayOf(from_us)).slice(0, 7)

const partOf: PeriodOf = ({ from_us }) => {
  const [year, month, day] = isoDay(dayOf(from_us)).split('-')
  return `${year}-${month} ${Math.ceil(Number(day) / DAYS_OF_PART)}`
}

const namesOf = (files: readonly ClickFile[]) => files.map(({ name }) => name).sort()

function groupBy(files: readonly ClickFile[], keyOf: (file: ClickFile) => string): Map<string, ClickFile[]> {
  return Map.groupBy(files, keyOf)
}
