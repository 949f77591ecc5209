import { z } from 'zod'
import { REPORT_DIMENSIONS } from '../analytics/report-dimensions.ts'
import {
  IMPORTED_DIMENSIONS,
  type ImportedClicks,
  type ImportedDimension,
} from '../clicks/imported/imported-clicks.ts'
import { isObject } from '../validation/is-object.ts'
import { day, NOT_A_STRING } from '../validation/field-rules.ts'

/** Eleven years. */
export const DAYS_MAX = 4_000
export const VALUES_MAX = 500

/** Days and values of all links in a request together: as many as one link may have. Each is a row. */
export const CLICK_ROWS_MAX = 7_000

/** How many days and values of clicks a link has, as it was sent. */
export function clickRowsOf(link: unknown): number {
  const clicks = isObject(link) && isObject(link.clicks) ? Object.values(link.clicks) : []
  return clicks.reduce<number>((sum, part) => sum + (Array.isArray(part) ? part.length : 0), 0)
}

const NOT_A_COUNT = 'The :attribute must be a whole number, and not negative.'
const tooMany = (max: number, of: string) => `The :attribute may not have more than ${max} ${of}.`

const count = z.int(NOT_A_COUNT).min(0, NOT_A_COUNT)

const days = z
  .array(z.object({ day, clicks: count }))
  .max(DAYS_MAX, tooMany(DAYS_MAX, 'days'))
  .optional()
  .meta({ description: 'By the calendar of the other program. Clicks without a day are in the total only.' })

const valuesOf = (name: ImportedDimension) =>
  z
    .array(
      z.object({ name: z.string(NOT_A_STRING).pipe(REPORT_DIMENSIONS[name].filter.value), clicks: count }),
    )
    .max(VALUES_MAX, tooMany(VALUES_MAX, 'values'))
    .optional()
    .meta({ description: `By ${REPORT_DIMENSIONS[name].by}, with names as in the filters of reports.` })

const fields = z.object({
  total: count,
  days,
  countries: valuesOf('country'),
  devices: valuesOf('device'),
  browsers: valuesOf('browser'),
  operating_systems: valuesOf('os'),
  referrers: valuesOf('referrer'),
})

type Sent = z.output<typeof fields>
type Part = Exclude<keyof Sent, 'total'>

const MORE_THAN_ALL = 'The :attribute may not have more clicks than the total.'

/** What another program counted. Each part counts the same clicks again, so that none has more than there are. */
export const importedClicksField = fields
  .superRefine((sent, context) => {
    for (const [part, rows] of Object.entries(sent))
      if (Array.isArray(rows) && sumOf(rows) > sent.total)
        context.addIssue({ code: 'custom', path: [part], message: MORE_THAN_ALL })
  })
  .transform((sent) => ({
    total: sent.total,
    days: summed((sent.days ?? []).map(({ day, clicks }) => [dayNumber(day), clicks])),
    values: Object.fromEntries(
      IMPORTED_DIMENSIONS.map((name) => {
        const { report, filter } = REPORT_DIMENSIONS[name]
        const rows = sent[report satisfies Part] ?? []
        return [name, summed(rows.map((row) => [filter.stored(row.name)[0]!, row.clicks]))] as const
      }).filter(([, rows]) => rows.size > 0),
    ) as ImportedClicks['values'],
  }))
  .nullish()
  .meta({
    description:
      'How often it was clicked there. These clicks are counted apart from those that are counted here, and nothing of `max_clicks` is spent by them. Together, the links of a request may have 7,000 days and values.',
    example: {
      total: 402,
      days: [{ day: '2026-11-20', clicks: 12 }],
      countries: [{ name: 'DE', clicks: 300 }],
    },
  })

const sumOf = (rows: readonly { clicks: number }[]): number =>
  rows.reduce((sum, { clicks }) => sum + clicks, 0)

/** Each key once, without those that have no clicks. */
function summed<Key>(rows: readonly (readonly [Key, number])[]): Map<Key, number> {
  const sums = new Map<Key, number>()
  for (const [key, clicks] of rows) if (clicks > 0) sums.set(key, (sums.get(key) ?? 0) + clicks)
  return sums
}

const DAY_MS = 86_400_000

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS
