import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { choice, lineOfText, NOT_A_STRING, trueOrFalse } from '../../validation/field-rules.ts'
import { COLUMN_KINDS } from '../files/csv-columns.ts'
import { ENCODINGS } from '../files/text-encoding.ts'
import { isTimeZone } from '../files/time-zone.ts'
import { linkChoices, refuseReversedDays } from '../link-choices.ts'
import { clicksOfJob, domainOfJob, listOfJob } from './begin-job.ts'
import { findJob, jobConflict, lockJob } from './find-job.ts'
import { type ImportJob, isRunning } from './import-job.ts'

const COLUMN_LENGTH_MAX = 1_000
const NUMBER_MAX = 1_000

const column = z.union(
  [lineOfText(COLUMN_LENGTH_MAX), z.int().min(1).max(NUMBER_MAX)],
  'The :attribute must be the name of a column, its number from 1, or null.',
)

const options = z.object({
  clicks: clicksOfJob,
  list: listOfJob,
  ...linkChoices,
  delimiter: z
    .string(NOT_A_STRING)
    .refine((text) => /^([^"\r\n]|tab)$/.test(text), 'The :attribute must be one character, or tab.')
    .optional()
    .meta({ description: 'What separates the cells; recognized without it.', example: ';' }),
  encoding: choice(ENCODINGS).optional().meta({ description: 'Recognized without it.', example: 'utf-8' }),
  time_zone: z
    .string(NOT_A_STRING)
    .refine(isTimeZone, 'The :attribute must be a time zone, such as UTC, Europe/Berlin or +02:00.')
    .optional()
    .meta({ description: 'That of the database server that wrote a dump of YOURLS.', example: 'UTC' }),
  has_header: trueOrFalse
    .optional()
    .meta({ description: 'Whether the first row has the names of the columns; recognized without it.' }),
  columns: z
    .partialRecord(z.enum(COLUMN_KINDS), column.nullable())
    .optional()
    .meta({
      description:
        'Which column has what: a name, or a number from 1; null: none has it. What is not said is recognized.',
      example: { destination: 'Target', tags: null },
    }),
})

export const jobEdit = z.object({
  domain: domainOfJob.optional(),
  options: options.optional().meta({
    description: 'How the source is read, and what comes along. They replace those that were there.',
  }),
})

type EditDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

/** What was checked is a draft again, and an import that was stopped ends with what it has. */
export function editJob(
  { db, clock }: EditDeps,
  caller: Caller,
  { jobId, edit }: { jobId: number; edit: z.output<typeof jobEdit> },
): Promise<ImportJob> {
  refuseReversedDays(edit.options?.created_from, edit.options?.created_to)
  return transact(db, async (tx) => {
    const job = await lockJob(tx, caller, jobId)
    if (isRunning(job.state)) throw jobConflict('The import runs. Stop it first.')
    if (job.state === 'done') throw jobConflict('The import is done. Begin another one.')
    const row = tx.updateTable('import_jobs').where('id', '=', jobId)
    await row
      .set({
        ...DRAFT,
        changed_at: clock.nowUs(),
        ...('domain' in edit && { domain: edit.domain ?? null }),
        ...(edit.options && { options: JSON.stringify(edit.options), ...withFilesUnread(job) }),
      })
      .execute()
    if (job.importId !== undefined) {
      const open = tx.updateTable('imports').set({ ended_at: clock.nowUs() })
      await open.where('id', '=', job.importId).where('ended_at', 'is', null).execute()
    }
    return findJob({ db: tx }, caller, jobId)
  })
}

const DRAFT = {
  state: 'draft',
  counts: null,
  position: 0,
  started_at: null,
  import_id: null,
  recorded: 0,
  refused: 0,
  message: null,
} as const

/** What an API has answered stays as it is: options are of files. */
const withFilesUnread = ({ files }: ImportJob) => (files.length > 0 ? { links: null, description: '[]' } : {})
