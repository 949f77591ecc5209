import type { ColumnKind } from '../files/csv-columns.ts'
import type { SourceOptions } from '../source.ts'
import type { JobOptions } from './import-job.ts'

/** How a job reads its files, as sources take it. */
export function sourceOptions({
  time_zone: timeZone,
  has_header: hasHeader,
  columns,
  delimiter,
  encoding,
}: JobOptions): SourceOptions {
  const named = Object.entries(columns ?? {}) as [ColumnKind, string | number | null][]
  return {
    delimiter,
    encoding,
    timeZone,
    hasHeader,
    columns: new Map(named.map(([kind, name]) => [kind, name === null ? null : String(name)])),
  }
}
