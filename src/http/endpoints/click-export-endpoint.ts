import { z } from '@hono/zod-openapi'
import { REPORT_DIMENSIONS } from '../../analytics/report-dimensions.ts'
import { DIMENSIONS } from '../../clicks/facts/dimensions.ts'
import { type ClickOfLink, clicksOfScope } from '../../export/clicks-of-scope.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../export/csv-line.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { dayOf, isoDay, isoMicroseconds, QUARTER_US } from '../../runtime/clock.ts'
import type { ReadingContext } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { type Query, readParameters } from '../requests/query.ts'
import { EXPORT_TYPES, exportFormat, streamedFile } from '../responses/streamed-file.ts'
import { reportParameters } from './analytics-view.ts'
import { readRangeReport } from './report-request.ts'

type ExportedClick = Record<string, string | number | null>

/** By its names, in the order of the columns. Null: the link was deleted. */
function exportedClick({ link, ...row }: ClickOfLink, domains: Pick<Domains, 'hostOf'>): ExportedClick {
  return {
    clicked_at: isoMicroseconds(row.clicked_at),
    short_code: link?.code ?? null,
    domain: link ? domains.hostOf(link.domainId) : null,
    ...Object.assign({}, ...DIMENSIONS.map((name) => REPORT_DIMENSIONS[name].view(row[name]))),
    clicks: row.clicks,
    unique_visitors: row.visitors,
    bots: row.bots,
  }
}

const HEAD = [
  'clicked_at',
  'short_code',
  'domain',
  ...DIMENSIONS.flatMap((name) => Object.keys(REPORT_DIMENSIONS[name].row)),
  'clicks',
  'unique_visitors',
  'bots',
]

async function* viewsOf(
  pages: AsyncIterable<ClickOfLink[]>,
  domains: Pick<Domains, 'hostOf'>,
): AsyncGenerator<ExportedClick[]> {
  for await (const clicks of pages) yield clicks.map((click) => exportedClick(click, domains))
}

async function* csvTexts(pages: AsyncIterable<ExportedClick[]>): AsyncGenerator<string[]> {
  yield [BYTE_ORDER_MARK + csvLine(HEAD)]
  for await (const clicks of pages) yield clicks.map((click) => csvLine(HEAD.map((name) => click[name])))
}

async function* jsonTexts(pages: AsyncIterable<ExportedClick[]>): AsyncGenerator<string[]> {
  for await (const clicks of pages) yield clicks.map((click) => JSON.stringify(click) + '\n')
}

const schema = z.object({
  ...exportFormat,
  ...reportParameters.omit({ limit: true, granularity: true, compare: true }).shape,
})

export const clickExportEndpoint = endpoint({
  route: 'GET /analytics/export',
  who: 'both',
  scope: 'analytics:read',
  tag: 'Analytics',
  summary: 'Export clicks as a file',
  description:
    'Every click of the range that passes the filters: CSV with a header row, or a JSON object for each line. Clicks of the last days have their exact times; of older ones those of a quarter of an hour that are the same in everything are one row, with their number in `clicks`. Bots have rows of their own, with `clicks` 0. `short_code` is null where the link was deleted. In CSV a text that a spreadsheet would take for a formula begins with an apostrophe. Two at once, then 429.',
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
    types: Object.values(EXPORT_TYPES),
  },
  refusals: [404, 422],
  run({ caller, query: { format, scope, range } }, deps) {
    const onEnd = deps.exportPlaces.clicks.take(caller.workspaceId)
    const { reportDb: db, callEngine, clickHouse, domains } = deps
    const times = { fromUs: range.fromQuarter * QUARTER_US, toUs: range.toQuarter * QUARTER_US }
    const pages = viewsOf(clicksOfScope({ db, callEngine, clickHouse }, scope, times), domains)
    return streamedFile({
      name: `tern-clicks-${isoDay(dayOf(deps.clock.nowUs()))}.${format}`,
      type: EXPORT_TYPES[format],
      pages: format === 'csv' ? csvTexts(pages) : jsonTexts(pages),
      onEnd,
    })
  },
})
