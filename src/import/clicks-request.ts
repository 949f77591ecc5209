import { DAYS_MAX, VALUES_MAX } from './imported-clicks-field.ts'
import type { SourceLink } from './source.ts'

/** What is sent of the clicks that the source counted, and what of them cannot come along. Undefined without any. */
export function clicksRequest({ clicks: total, clicksBy = {} }: SourceLink): {
  clicks: object | undefined
  lost: string[]
} {
  if (!total) return { clicks: undefined, lost: [] }
  const { days: allDays = [], ...dimensions } = clicksBy
  const days = allDays.toSorted((a, b) => (a.day < b.day ? -1 : 1)).slice(-DAYS_MAX)
  const parts = Object.entries(dimensions).map(([name, rows]) => {
    const byClicks = rows.toSorted((a, b) => b.clicks - a.clicks)
    return [name, byClicks.slice(0, VALUES_MAX)] as const
  })
  return {
    clicks: { total, ...(days.length > 0 && { days }), ...Object.fromEntries(parts) },
    lost: [
      ...undated(total, days),
      ...Object.entries(dimensions).flatMap(([name, { length }]) =>
        length <= VALUES_MAX
          ? []
          : [`Of its ${name.replace('_', ' ')}, the ${VALUES_MAX} with the most clicks come along.`],
      ),
    ],
  }
}

function undated(total: number, days: readonly { clicks: number }[]): string[] {
  const dated = days.reduce((sum, { clicks }) => sum + clicks, 0)
  if (dated >= total) return []
  if (dated > 0) return [`Of its ${total} clicks, ${dated} come along with their days.`]
  return [`Its ${total === 1 ? 'click comes' : `${total} clicks come`} along as a total, without days.`]
}
