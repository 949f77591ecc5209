import {
  IMPORTED_DIMENSIONS,
  type ImportedClicks,
  type ImportedDimension,
} from '../clicks/imported/imported-clicks.ts'
import { isoDay } from '../runtime/clock.ts'
import { NO_VALUE } from './dimension-definition.ts'
import { NONE, REPORT_DIMENSIONS } from './report-dimensions.ts'

type NamedClicks = { name: string; clicks: number }
type Report = (typeof REPORT_DIMENSIONS)[ImportedDimension]['report']

/** As an import takes them: what is not known is absent. */
export type ImportedClicksView = { total: number; days?: { day: string; clicks: number }[] } & {
  [Name in Report]?: NamedClicks[]
}

export function importedClicksView({ total, days, values }: ImportedClicks): ImportedClicksView {
  const parts = IMPORTED_DIMENSIONS.flatMap((name) => {
    const rows = [...(values[name] ?? [])].map(([value, clicks]) => ({ name: nameOf(name, value), clicks }))
    return rows.length === 0 ? [] : [[REPORT_DIMENSIONS[name].report, rows] as const]
  })
  const byDay = [...days].map(([day, clicks]) => ({ day: isoDay(day), clicks }))
  return { total, ...(byDay.length > 0 && { days: byDay }), ...Object.fromEntries(parts) }
}

/** As filters have it. */
const nameOf = (dimension: ImportedDimension, value: string): string =>
  value || (dimension === 'referrer' ? NONE : NO_VALUE)
