import { z } from '@hono/zod-openapi'
import { csvLine } from '../../export/csv-line.ts'
import { CHECK_RESULTS, type CheckedItem, KEPT_MAX } from '../../import/jobs/checked-item.ts'
import { chooseForConflicts, jobChoices } from '../../import/jobs/choose.ts'
import { findJob } from '../../import/jobs/find-job.ts'
import { ITEM_CHOICES } from '../../import/jobs/import-job.ts'
import { type JobItem, listItems, refusedItems } from '../../import/jobs/list-items.ts'
import { checkImport, startImport, stopImport } from '../../import/jobs/start-job.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { choice } from '../../validation/field-rules.ts'
import { pageParameters } from '../../validation/query-parameters.ts'
import { body, pageOf } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { pageMeta } from '../requests/query.ts'
import { idOf } from '../requests/read-request.ts'
import { EXPORT_TYPES, exportedFile } from '../responses/exported-file.ts'
import { findJobIn, OF_JOB, viewOfJob } from './import-job-endpoints.ts'
import { importJobSchema } from './import-job-view.ts'
import { paginationMeta } from './schemas.ts'
import { wholeText } from '../../runtime/number-text.ts'

const choicesInput = z.object(jobChoices.shape).openapi('ImportChoices')

const code = (description: string) => z.string().nullable().openapi({ description, example: null })

const itemSchema = z
  .strictObject({
    number: z.int().min(1).openapi({ description: 'Among the links of the source, from 1.', example: 7 }),
    at: z.string().openapi({ description: 'Where it is in the source.', example: 'line 8' }),
    code: z.string().openapi({ description: "'' if one will be assigned.", example: 'winter' }),
    short_url: z.string().nullable().openapi({ example: 'http://localhost:3000/winter' }),
    destination: z.string().openapi({ example: 'https://example.com/winter' }),
    result: z.enum(CHECK_RESULTS).openapi({ example: 'conflict' }),
    here: z.string().nullable().openapi({
      description: 'The destination of the link that has the code of a conflict.',
      example: 'https://example.com/old',
    }),
    differences: z
      .record(z.string(), z.strictObject({ here: z.unknown(), imported: z.unknown() }))
      .openapi({ description: 'Of a conflict: by field, what is here and what is imported.', example: {} }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .openapi({ description: 'Of a refused link: the sentences about its fields.', example: {} }),
    lost: z.array(z.string()).openapi({ description: 'What does not come along.', example: [] }),
    choice: z
      .enum(ITEM_CHOICES)
      .nullable()
      .openapi({ description: 'null: what is chosen for all conflicts.', example: null }),
    new_code: code('The code that was chosen for `rename`.'),
    new_domain: code('The host that was chosen for `move`.'),
    suggested_code: code('A free code for `rename`, of a conflict.'),
  })
  .openapi('ImportJobItem')

export type ImportJobItemView = z.infer<typeof itemSchema>

const itemView = (
  { domains }: { domains: Pick<Domains, 'shortUrlOf'> },
  { domainId, newCode, newDomain, suggestedCode, ...item }: JobItem,
): ImportJobItemView => ({
  ...item,
  short_url: domainId === null || item.code === '' ? null : domains.shortUrlOf({ domainId, code: item.code }),
  new_code: newCode,
  new_domain: newDomain,
  suggested_code: suggestedCode,
})

const itemParameters = pageParameters.extend({ result: choice(CHECK_RESULTS).optional() })

const REFUSED_HEAD = ['line', 'code', 'destination', 'why']

const refusedCells = ({ at, code: its, destination, errors }: CheckedItem) => [
  at,
  its,
  destination,
  Object.values(errors).flat().join(' '),
]

const [CREATED, CONFLICTS] = [KEPT_MAX.created, KEPT_MAX.conflict].map(wholeText)

/** What is done with a job once it has its source. */
export const importJobRunEndpoints = [
  endpoint({
    route: 'POST /import-jobs/{id}/check',
    ...OF_JOB,
    summary: 'Check an import',
    description:
      'A dry run on the server: it reads all links, and says of each what would become of it. Nothing is stored but the results. The answer comes at once; the state says when it has ended.',
    answer: { message: 'Check begun.', description: 'The job.', data: importJobSchema },
    refusals: [404, 409, 422],
    find: findJobIn,
    run: async ({ caller, params }, deps) => ({
      data: await viewOfJob(deps, await checkImport(deps, caller, idOf(params))),
    }),
  }),
  endpoint({
    route: 'GET /import-jobs/{id}/items',
    who: 'both',
    scope: 'links:read',
    tag: 'Imports',
    summary: 'List what a check has found',
    description: `In the order of the source. All conflicts and refused links are listed, up to ${CONFLICTS} of each, and the first ${CREATED} of those that are new or equal. The others are counted.`,
    query: pageOf(itemParameters),
    answer: {
      message: 'Links retrieved.',
      description: 'A page of links.',
      data: z.array(itemSchema),
      meta: paginationMeta,
    },
    refusals: [404, 422],
    find: findJobIn,
    async run({ caller, params, query: page }, deps) {
      const job = await findJob({ db: deps.readDb }, caller, idOf(params))
      const { items, total } = await listItems({ db: deps.listDb, readDb: deps.readDb }, job, page)
      return { data: items.map((item) => itemView(deps, item)), meta: pageMeta(page, total) }
    },
  }),
  endpoint({
    route: 'GET /import-jobs/{id}/refused',
    who: 'both',
    scope: 'links:read',
    tag: 'Imports',
    summary: 'Export the links that an import refuses',
    description: 'As CSV: where each is in the source, its code, its destination, and why it is refused.',
    answer: {
      description: 'The file.',
      bare: z.string().openapi({ example: csvLine(REFUSED_HEAD) }),
      types: [EXPORT_TYPES.csv],
    },
    refusals: [404],
    find: findJobIn,
    async run({ caller, params }, deps) {
      const job = await findJob({ db: deps.readDb }, caller, idOf(params))
      return exportedFile({
        format: 'csv',
        name: `refused-of-import-${job.id}`,
        nowUs: deps.clock.nowUs(),
        pages: refusedItems({ db: deps.reportDb }, job),
        view: (item) => item,
        head: REFUSED_HEAD,
        cellsOf: refusedCells,
        onEnd: deps.exportPlaces.links.take(caller.workspaceId),
      })
    },
  }),
  endpoint({
    route: 'PUT /import-jobs/{id}/choices',
    ...OF_JOB,
    summary: 'Choose what becomes of conflicts',
    description:
      'For all of them, and one by one. No link gets another code or domain unless it is chosen. A link that is refused because of its code can be put on another domain.',
    input: body(choicesInput, { on_conflict: 'keep' }),
    answer: { message: 'Choices saved.', description: 'The job.', data: importJobSchema },
    refusals: [404, 409, 422],
    find: findJobIn,
    run: async ({ caller, params, input: choices }, deps) => ({
      data: await viewOfJob(deps, await chooseForConflicts(deps, caller, { jobId: idOf(params), choices })),
    }),
  }),
  endpoint({
    route: 'POST /import-jobs/{id}/start',
    ...OF_JOB,
    summary: 'Start or continue an import',
    description:
      'Of what was checked. One that was stopped, or has failed, goes on where it was. The answer comes at once; `progress` says how far it is. The links are part of an import that can be undone as a whole: `import_id`.',
    answer: { message: 'Import started.', description: 'The job.', data: importJobSchema },
    refusals: [404, 409],
    find: findJobIn,
    run: async ({ caller, params }, deps) => ({
      data: await viewOfJob(deps, await startImport(deps, caller, idOf(params))),
    }),
  }),
  endpoint({
    route: 'POST /import-jobs/{id}/stop',
    ...OF_JOB,
    summary: 'Stop an import',
    description: 'Or its check. What is imported so far stays, and it can be continued.',
    answer: { message: 'Import stopped.', description: 'The job.', data: importJobSchema },
    refusals: [404, 409],
    find: findJobIn,
    run: async ({ caller, params }, deps) => ({
      data: await viewOfJob(deps, await stopImport(deps, caller, idOf(params))),
    }),
  }),
]
