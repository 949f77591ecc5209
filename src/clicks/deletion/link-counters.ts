import { HOUR_US } from '../../runtime/clock.ts'
import type { WorkspaceHour } from '../counters/rollups.ts'
import { COMMON_VALUES, DIMENSIONS } from '../../store/click-dimensions.ts'
import type { ClickQuery, ClickRow } from '../queries/click-query.ts'

export type LinkOfWorkspace = { workspaceId: number; linkId: number }

/** Clicks, visitors and bots of the link that the counters of its workspace have. */
export type LinkCounters = { clicks: number; visitors: number; bots: number; hours: WorkspaceHour[] }

/** More than a link has: no row may be missing. */
const ROWS_MAX = 1_000_000_000

/** All clicks of a link by hour: all of them, and those with each value of each dimension. */
export const linkClicksQuery = ({ workspaceId, linkId }: LinkOfWorkspace): ClickQuery => ({
  workspaceId,
  linkIds: [linkId],
  fromUs: 0,
  toUs: Number.MAX_SAFE_INTEGER,
  stepUs: HOUR_US,
  groups: [
    { by: ['step'], top: ROWS_MAX },
    ...DIMENSIONS.map((name) => ({ by: ['step', name] as const, top: ROWS_MAX })),
  ],
})

/** What answers to `linkClicksQuery` are in the counters of the workspace: each hour and value once. */
export function linkCounters(workspaceId: number, answers: readonly ClickRow[][][]): LinkCounters {
  const hours = new Map<string, WorkspaceHour>()
  const addHour = (dimension: string, row: ClickRow, bots: number) => {
    const [hour, value = ''] = row.keys as [number, string?]
    const key = `${dimension} ${hour} ${value}`
    const total = hours.get(key) ?? { workspace_id: workspaceId, dimension, hour, value, ...NONE }
    hours.set(key, {
      ...total,
      clicks: total.clicks + row.clicks,
      visitors: total.visitors + row.workspace_visitors,
      bots: total.bots + bots,
    })
  }
  for (const [ofHours = [], ...ofDimensions] of answers) {
    for (const row of ofHours) addHour('total', row, row.bots)
    for (const [place, rows] of ofDimensions.entries()) {
      const name = DIMENSIONS[place]!
      // Of bots no counter has a dimension, and of what most clicks have none either.
      for (const row of rows) if (row.clicks > 0 && row.keys[1] !== COMMON_VALUES[name]) addHour(name, row, 0)
    }
  }
  return { ...sumOf([...hours.values()]), hours: [...hours.values()] }
}

const NONE = { clicks: 0, visitors: 0, bots: 0 }

function sumOf(hours: readonly WorkspaceHour[]): Omit<LinkCounters, 'hours'> {
  const totals = hours.filter(({ dimension }) => dimension === 'total')
  const sum = (of: (row: WorkspaceHour) => number) => totals.reduce((total, row) => total + of(row), 0)
  return {
    clicks: sum((row) => row.clicks),
    visitors: sum((row) => row.visitors),
    bots: sum((row) => row.bots),
  }
}
