import { z } from '@hono/zod-openapi'
import { addPart, JOB_BYTES_MAX, PART_BYTES_MAX } from '../../import/jobs/add-part.ts'
import { beginJob, newJob } from '../../import/jobs/begin-job.ts'
import { editJob, jobEdit } from '../../import/jobs/edit-job.ts'
import { findJob, listJobs } from '../../import/jobs/find-job.ts'
import type { ImportJob } from '../../import/jobs/import-job.ts'
import { jobProgress } from '../../import/jobs/job-progress.ts'
import { findLists, listedSource } from '../../import/jobs/find-lists.ts'
import { removeJob } from '../../import/jobs/remove-jobs.ts'
import { tableColumns } from '../../import/jobs/table-columns.ts'
import type { AnyDb } from '../../store/handles.ts'
import { NOT_A_STRING } from '../../validation/field-rules.ts'
import { pageParameters } from '../../validation/query-parameters.ts'
import { body, pageOf, parameters } from '../dispatch/body-and-query.ts'
import { endpoint, type FindContext } from '../dispatch/endpoint.ts'
import { pageMeta } from '../requests/query.ts'
import { idOf } from '../requests/read-request.ts'
import { importJobSchema, importJobView, tableColumnsSchema, tableColumnsView } from './import-job-view.ts'
import { paginationMeta } from './schemas.ts'

// With the methods of this library, whatever was loaded before it.
const newJobInput = z.object(newJob.shape).openapi('NewImportJob')
const jobEditInput = z.object(jobEdit.shape).openapi('ImportJobEdit')

const listSchema = z.strictObject({ id: z.string(), name: z.string() })
export type SourceListView = z.infer<typeof listSchema>

const FILE_NAME_LENGTH_MAX = 255
const filePart = z.object({
  name: z
    .string(NOT_A_STRING)
    .max(FILE_NAME_LENGTH_MAX)
    .refine(
      (text) => !/[\x00-\x1f\x7f/\\]/.test(text) && text.isWellFormed() && text !== '',
      'The :attribute may not contain slashes or control characters.',
    )
    .openapi({ description: 'Of the file.', example: 'links.csv' }),
  offset: z
    .int('The :attribute must be a number of bytes.')
    .min(0)
    .max(JOB_BYTES_MAX)
    .openapi({ description: 'How many bytes of the file are before the part.', example: 0 }),
  size: z.int('The :attribute must be a number of bytes.').min(1).max(JOB_BYTES_MAX).optional().openapi({
    description: 'Of the whole file, so that one whose upload was interrupted is known as such.',
    example: 9,
  }),
})

export const findJobIn = ({ deps, caller, params }: FindContext<'both'>) =>
  findJob({ db: deps.readDb }, caller, idOf(params))

/** A job as it is answered. */
export const viewOfJob = async ({ readDb }: { readDb: AnyDb }, job: ImportJob) =>
  importJobView(job, await jobProgress({ db: readDb }, job))

/** What every endpoint of a job that changes it has. */
export const OF_JOB = { who: 'both', scope: 'links:write', tag: 'Imports' } as const

/** Imports that the server runs, from files that are uploaded or from an API. */
export const importJobEndpoints = [
  endpoint({
    route: 'POST /import-jobs',
    ...OF_JOB,
    summary: 'Begin an import that the server runs',
    description:
      'From files, which are uploaded next, or with `key` from the API of the program. Nothing is read or stored yet. A workspace has at most 5 that are not done.',
    input: body(newJobInput, { source: 'csv' }),
    answer: { status: 201, message: 'Import begun.', description: 'The job.', data: importJobSchema },
    refusals: [409, 422],
    run: async ({ caller, input }, deps) => ({
      data: await viewOfJob(deps, await beginJob(deps, caller, input)),
    }),
  }),
  endpoint({
    route: 'GET /import-jobs',
    who: 'both',
    scope: 'links:read',
    tag: 'Imports',
    summary: 'List imports that the server runs',
    description:
      'The latest first. Each is removed a day after its last change, or 30 days after it was done.',
    query: pageOf(pageParameters),
    answer: {
      message: 'Imports retrieved.',
      description: 'A page of jobs.',
      data: z.array(importJobSchema),
      meta: paginationMeta,
    },
    refusals: [422],
    async run({ caller, query: page }, { listDb }) {
      const { jobs, total } = await listJobs({ db: listDb }, caller, page)
      const data = await Promise.all(jobs.map((job) => viewOfJob({ readDb: listDb }, job)))
      return { data, meta: pageMeta(page, total) }
    },
  }),
  endpoint({
    route: 'GET /import-jobs/{id}',
    who: 'both',
    scope: 'links:read',
    tag: 'Imports',
    summary: 'Read an import that the server runs',
    description: 'While it runs, `progress` says how far it is.',
    answer: { message: 'Import retrieved.', description: 'The job.', data: importJobSchema },
    refusals: [404],
    run: async ({ caller, params }, deps) => ({
      data: await viewOfJob(deps, await findJob({ db: deps.readDb }, caller, idOf(params))),
    }),
  }),
  endpoint({
    route: 'PUT /import-jobs/{id}',
    ...OF_JOB,
    summary: 'Edit an import that the server runs',
    description:
      'What is left out stays. An import that was checked is a draft again. One that was stopped ends with the links that it has; those are equal in the next check.',
    input: body(jobEditInput, { options: { delimiter: ';' } }),
    answer: { message: 'Import edited.', description: 'The job.', data: importJobSchema },
    refusals: [404, 409, 422],
    find: findJobIn,
    run: async ({ caller, params, input: edit }, deps) => ({
      data: await viewOfJob(deps, await editJob(deps, caller, { jobId: idOf(params), edit })),
    }),
  }),
  endpoint({
    route: 'DELETE /import-jobs/{id}',
    ...OF_JOB,
    summary: 'Delete an import that the server runs',
    description:
      'With its files and its key. Links that it has imported stay: see `POST /api/imports/{id}/undo`.',
    answer: { message: 'Import deleted.', description: 'It is gone.' },
    refusals: [404, 409],
    find: findJobIn,
    run: ({ caller, params }, deps) => removeJob(deps, caller, idOf(params)),
  }),
  endpoint({
    route: 'POST /import-jobs/{id}/files',
    ...OF_JOB,
    summary: 'Upload a part of a file',
    description: `Up to ${PART_BYTES_MAX} bytes, the parts of a file in their order. A part that is there already changes nothing. Files have up to 200 MB together. They are deleted when the import is done.`,
    takesBytes: true,
    query: parameters(filePart),
    answer: { message: 'Part stored.', description: 'The job.', data: importJobSchema },
    refusals: [404, 409, 422],
    find: findJobIn,
    run: async ({ caller, params, query, bytes }, deps) => ({
      data: await viewOfJob(
        deps,
        await addPart(deps, caller, { jobId: idOf(params), part: { ...query, bytes } }),
      ),
    }),
  }),
  endpoint({
    route: 'POST /import-lists',
    who: 'session',
    role: 'links:write',
    input: body(z.object(listedSource.shape)),
    answer: { message: 'Lists retrieved.', data: z.array(listSchema) },
    run: async ({ caller, input: source }, deps) => ({
      data: await deps.sourceListPlaces.run(caller.workspaceId, () =>
        findLists({ client: deps.importClient, clock: deps.clock }, source),
      ),
    }),
  }),
  endpoint({
    route: 'GET /import-jobs/{id}/columns',
    who: 'both',
    scope: 'links:read',
    tag: 'Imports',
    summary: 'Read which columns an import recognizes',
    description: 'From the first 100 rows of the first file. Only for tables.',
    answer: { message: 'Columns retrieved.', description: 'The columns.', data: tableColumnsSchema },
    refusals: [404, 422],
    find: findJobIn,
    async run({ caller, params }, deps) {
      const job = await findJob({ db: deps.readDb }, caller, idOf(params))
      return { data: tableColumnsView(await tableColumns({ ...deps, db: deps.readDb }, job)) }
    },
  }),
]
