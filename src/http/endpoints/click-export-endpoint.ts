import { z } from '@hono/zod-openapi'
import { REPORT_DIMENSION_NAMES, REPORT_DIMENSIONS } from '../../analytics/report-dimensions.ts'
import { type ClickOfLink, clicksOfScope } from '../../export/clicks-of-scope.ts'
import { csvLine } from '../../export/csv-line.ts'
import { parquetBytes, type ParquetColumns } from '../../export/parquet-export.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { UTM_NAMES, utmInQuery } from '../../links/utm-parameters.ts'
import { isoMicroseconds, QUARTER_US } from '../../runtime/clock.ts'
import { choice } from '../../validation/field-rules.ts'
import type { ReadingContext } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { type Query, readParameters } from '../requests/query.ts'
import { EXPORT_FORMATS, EXPORT_TYPES, exportedFile, fileName } from '../responses/exported-file.ts'
import { streamedFile } from '../responses/streamed-file.ts'
import { reportParameters } from './analytics-view.ts'
import { readRangeReport } from './report-request.ts'

/** By its names, in the order of the columns. Null: the link was deleted. */
function exportedClick(click: ClickOfLink, domains: Pick<Domains, 'hostOf'>) {
  const { link } = click
  const fields = {
    clicked_at: isoMicroseconds(click.clicked_at),
    short_code: link?.code ?? null,
    domain: link ? domains.hostOf(link.domainId) : null,
  }
  for (const name of REPORT_DIMENSION_NAMES) Object.assign(fields, REPORT_DIMENSIONS[name].view(click[name]))
  return Object.assign(fields, utmFields(click.utm), {
    clicks: click.clicks,
    unique_visitors: click.visitors,
    bots: click.bots,
    workspace_visitors: click.workspace_visitors,
  })
}

/** With which the short URL was opened; null without one. */
function utmFields(utm: string) {
  if (utm === '') return NO_UTM
  const values = utmInQuery(utm)
  return Object.fromEntries(UTM_NAMES.map((name) => [`utm_${name}`, values?.[name] ?? null]))
}

const NO_UTM = Object.fromEntries(UTM_NAMES.map((name) => [`utm_${name}`, null]))

const text = (name: string) => [name, 'text'] as const

const COLUMNS: ParquetColumns = {
  clicked_at: 'time',
  ...Object.fromEntries(['short_code', 'domain'].map(text)),
  ...Object.fromEntries(
    REPORT_DIMENSION_NAMES.flatMap((name) => Object.keys(REPORT_DIMENSIONS[name].row)).map(text),
  ),
  ...Object.fromEntries(UTM_NAMES.map((name) => text(`utm_${name}`))),
  clicks: 'count',
  unique_visitors: 'count',
  bots: 'count',
  workspace_visitors: 'count',
}
const HEAD = Object.keys(COLUMNS)

const PARQUET = 'application/vnd.apache.parquet'

const schema = z.object({
  format: choice([...EXPORT_FORMATS, 'parquet']).default('csv'),
  ...reportParameters.omit({ limit: true, granularity: true, compare: true }).shape,
})

export const clickExportEndpoint = endpoint({
  route: 'GET /analytics/export',
  who: 'both',
  scope: 'analytics:read',
  tag: 'Analytics',
  summary: 'Export clicks as a file',
  description:
    'Every click of the range that passes the filters: CSV with a header row, a JSON object for each line, or Parquet. Clicks of the last days have their exact times; of older ones those of a quarter of an hour that are the same in everything are one row, with their number in `clicks`. Bots have rows of their own, with `clicks` 0. `unique_visitors` are those of the link, as its report counts them, and `workspace_visitors` those of the workspace, as reports of several links do. `short_code` is null where the link was deleted. In CSV a text that a spreadsheet would take for a formula begins with an apostrophe. Two at once, then 429.',
  query: {
    schema,
    async read(query: Query, context: ReadingContext) {
      const { format } = readParameters(schema.pick({ format: true }), query)
      return { ...(await readRangeReport(query, context)), format }
    },
  },
  answer: {
    description: 'The file.',
    bare: z.string().openapi({ example: csvLine(HEAD) }),
    types: [...Object.values(EXPORT_TYPES), PARQUET],
  },
  refusals: [404, 422],
  run({ caller, query: { format, scope, range } }, deps) {
    const onEnd = deps.exportPlaces.clicks.take(caller.workspaceId)
    const { reportDb: db, callEngine, clickHouse, domains } = deps
    const times = { fromUs: range.fromQuarter * QUARTER_US, toUs: range.toQuarter * QUARTER_US }
    const pages = clicksOfScope({ db, callEngine, clickHouse }, scope, times)
    const file = { name: 'tern-clicks', nowUs: deps.clock.nowUs(), onEnd }
    const view = (click: ClickOfLink) => exportedClick(click, domains)
    if (format !== 'parquet') return exportedFile({ ...file, format, pages, view, head: HEAD })
    return streamedFile({
      name: fileName(file, format),
      type: PARQUET,
      pages: parquetBytes(COLUMNS, parquetRows(pages, view)),
      onEnd,
    })
  },
})

async function* parquetRows(pages: AsyncIterable<ClickOfLink[]>, view: (click: ClickOfLink) => object) {
  for await (const clicks of pages)
    yield clicks.map((click) => ({ ...view(click), clicked_at: click.clicked_at }))
}
