import { z } from '@hono/zod-openapi'
import { countImported, sinceFirstImported } from '../../analytics/count-imported.ts'
import { readTimeRange } from '../../analytics/time-range.ts'
import type { ReadingContext } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import type { Query } from '../requests/query.ts'
import { reportParameters } from './analytics-view.ts'
import { filtersOfSingleClicks, importedReportSchema, importedReportView } from './imported-clicks-view.ts'
import { readReport } from './report-request.ts'

/** What other programs counted, apart from all other reports. */
export const importedClicksEndpoint = endpoint({
  route: 'GET /analytics/imported',
  who: 'key',
  scope: 'analytics:read',
  tag: 'Analytics',
  summary: 'Read imported clicks',
  description:
    'Clicks that other programs had counted when their links were imported. No other report has them. Each breakdown was counted by itself, so filters by what is known of single clicks cannot reach them: with such filters `imported` is null, and `not_reached_by` names them. Links in the trash are left out.',
  query: {
    schema: reportParameters,
    async read(query: Query, { deps, caller }: ReadingContext) {
      const { scope, parameters, sinceUs: createdAtUs, limit } = await readReport(deps, caller!, query)
      const nowUs = deps.clock.nowUs()
      const sinceUs = await sinceFirstImported(deps.reportDb, scope, createdAtUs)
      const range = readTimeRange(parameters, nowUs, sinceUs)
      return { scope, range, limit, nowUs, sinceUs, filters: filtersOfSingleClicks(parameters) }
    },
  },
  answer: {
    message: 'Imported clicks retrieved.',
    description: 'The imported clicks of the range.',
    data: z.strictObject({
      imported: importedReportSchema.nullable().openapi({ description: 'null: see `not_reached_by`.' }),
      not_reached_by: z
        .array(z.string())
        .openapi({ description: 'Names of the filters that cannot reach imported clicks.', example: [] }),
    }),
  },
  refusals: [404, 422],
  async run({ query: { scope, filters, ...counting } }, { reportDb }) {
    const report = filters.length > 0 ? null : await countImported(reportDb, scope, counting)
    return { data: { imported: report && importedReportView(report), not_reached_by: filters } }
  },
})
