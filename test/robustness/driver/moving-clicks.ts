import type { Change } from '../../rigs/program/changed-checkout.ts'

const LAST_TO_CLOSE = 'src/clicks/facts/last-to-close.ts'
const JOBS = 'src/background/jobs.ts'
const MERGE_JOB = `name: 'merge clicks whose exact times are kept no longer'`

/**
 * Clicks move into files or to ClickHouse several times a second, these few at once; files of a day are written into one when they are three,
 * and old clicks of a quarter of an hour become one row.
 */
export const movesClicks = ({
  leftOpen,
  movedAtOnce,
}: {
  leftOpen: number
  movedAtOnce: number
}): Change[] => [
  { path: LAST_TO_CLOSE, of: 'LEFT_OPEN = 10_000', instead: `LEFT_OPEN = ${leftOpen}` },
  { path: LAST_TO_CLOSE, of: 'CLOSED_AT_ONCE = 50_000', instead: `CLOSED_AT_ONCE = ${movedAtOnce}` },
  {
    path: 'src/clicks/parquet/plan-rewrites.ts',
    of: 'FILES_OF_DAY_MAX = 16',
    instead: 'FILES_OF_DAY_MAX = 3',
  },
  { path: JOBS, of: 'everyMs: 15 * SECOND_MS', instead: 'everyMs: 300' },
  {
    path: JOBS,
    of: `${MERGE_JOB},\n      everyMs: 60 * MINUTE_MS`,
    instead: `${MERGE_JOB},\n      everyMs: 300`,
  },
]
