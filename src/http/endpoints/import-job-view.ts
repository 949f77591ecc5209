import { z } from '@hono/zod-openapi'
import { expiresAtUs, type ImportJob, JOB_STATES } from '../../import/jobs/import-job.ts'
import { COLUMN_KINDS } from '../../import/files/csv-columns.ts'
import { COLUMN_CHOICES, type TableColumns } from '../../import/jobs/table-columns.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { SOURCES, titleOfSource } from '../../import/sources/all-sources.ts'
import { jobEdit } from '../../import/jobs/edit-job.ts'
import type { JobProgress } from '../../import/jobs/job-progress.ts'
import { CONFLICT_CHOICES } from '../../import/import-fields.ts'
import { importCounts } from './import-endpoint.ts'
import { timestamp } from './schemas.ts'

const count = (description: string, example = 0) => z.int().min(0).openapi({ description, example })
const text = (description: string, example: string) => z.string().openapi({ description, example })

const checkCounts = z.strictObject({
  created: count('New links.', 186),
  equal: count('Links that are here, with all that the source says.'),
  conflicts: count('Links that differ from the link with their code.'),
  refused: count('Links that cannot be imported.'),
})

const choiceCounts = z.strictObject({
  on_conflict: z
    .enum(CONFLICT_CHOICES)
    .openapi({ description: 'For conflicts without a choice of their own.' }),
  conflict_domain: z
    .string()
    .nullable()
    .openapi({ description: 'The host that conflicts go to with `move`.', example: null }),
  skip: count('Conflicts in which nothing changes.'),
  keep: count('Conflicts in which only what is empty here is filled.'),
  replace: count('Conflicts in which what differs is replaced.'),
  move: count('Conflicts that go to another domain.'),
  moved_refused: count('Links that are refused because of their code, and go to another domain instead.'),
  rename: count('Conflicts that are imported under another code.'),
})

export const importJobSchema = z
  .strictObject({
    id: z.int().min(1).openapi({ example: 3 }),
    source: z.enum(Object.keys(SOURCES)).openapi({ example: 'csv' }),
    title: text('What the source is called.', 'CSV file'),
    state: z.enum(JOB_STATES).openapi({
      description:
        '`draft`: it takes files and options; `checking`; `checked`: nothing is stored yet; `importing`; `done`; `stopped` by a user; `failed`: see `message`.',
      example: 'draft',
    }),
    created_at: timestamp(),
    expires_at: timestamp()
      .nullable()
      .openapi({ description: 'When it is removed unless it changes; null while it runs.' }),
    url: z
      .string()
      .nullable()
      .openapi({ description: 'Of the API that it reads; null: it reads files.', example: null }),
    domain: z.string().nullable().openapi({ example: 'go.example.com' }),
    options: z
      .object(jobEdit.shape.options.unwrap().shape)
      .openapi({ description: 'How the source is read, and what comes along.', example: { delimiter: ';' } }),
    files: z.array(
      z.strictObject({
        name: text('As it was uploaded.', 'links.csv'),
        bytes: count('So far.', 4096),
        size: count('Of the whole file; null if no part has said it.', 4096).nullable(),
      }),
    ),
    description: z.array(z.string()).openapi({
      description: 'How the source was read, in lines for people.',
      example: ['CSV in utf-8, separated by commas, with a row of names', '  destination: Target'],
    }),
    counts: checkCounts.nullable().openapi({ description: 'What the check has found; null before.' }),
    choices: choiceCounts,
    old_codes: count('Codes that new links cannot have. They are kept as they are.'),
    progress: z.strictObject({
      links: count('Links that the check or the import has behind it.'),
      of: z.int().min(0).nullable().openapi({ description: 'null: not known yet.', example: 191 }),
      since: timestamp().nullable().openapi({ description: 'When that began; null before.' }),
    }),
    results: importCounts
      .nullable()
      .openapi({ description: 'What became of the links so far; null before the import.' }),
    waiting_until: timestamp()
      .nullable()
      .openapi({ description: 'When the source takes requests again; null: nothing is waited for.' }),
    message: z.string().nullable().openapi({ description: 'What the user should know.', example: null }),
    import_id: z
      .int()
      .min(1)
      .nullable()
      .openapi({ description: 'The import that its links are part of; null before.', example: null }),
  })
  .openapi('ImportJob')

export type ImportJobView = z.infer<typeof importJobSchema>

export const importJobView = (job: ImportJob, { results, choices }: JobProgress): ImportJobView => {
  const { counts } = job
  return {
    id: job.id,
    source: job.source,
    title: titleOfSource(job.source),
    state: job.state,
    created_at: isoMicroseconds(job.createdAtUs),
    expires_at: isoOrNull(expiresAtUs(job)),
    url: job.url ?? null,
    domain: job.domain ?? null,
    options: job.options,
    files: job.files,
    description: job.description,
    counts: counts
      ? {
          created: counts.created,
          equal: counts.equal,
          conflicts: counts.conflicts,
          refused: counts.refused,
        }
      : null,
    choices: { on_conflict: job.onConflict, conflict_domain: job.conflictDomain ?? null, ...choices },
    old_codes: counts?.oldCodes ?? 0,
    progress: { links: job.position, of: job.links ?? null, since: isoOrNull(job.startedAtUs) },
    results,
    waiting_until: isoOrNull(job.waitingUntilUs),
    message: job.message,
    import_id: job.importId ?? null,
  }
}

export const tableColumnsSchema = z
  .strictObject({
    description: z.array(z.string()).openapi({
      description: 'How the table is read, in lines for people.',
      example: ['CSV in utf-8, separated by commas, with a row of names'],
    }),
    delimiter: text('What separates the cells.', ','),
    encoding: text('Of the text.', 'utf-8'),
    has_header: z.boolean().openapi({ description: 'Whether the first row has names.', example: true }),
    columns: z.array(
      z.strictObject({
        number: z.int().min(1).openapi({ description: 'From the left, from 1.', example: 1 }),
        name: text('Of the first row, or made from the number.', 'Target'),
        values: z
          .array(z.string())
          .openapi({ description: 'The first three.', example: ['https://example.com/'] }),
        kind: z
          .enum(COLUMN_KINDS)
          .nullable()
          .openapi({ description: 'What it is taken for.', example: 'destination' }),
        note: z.string().nullable().openapi({ description: 'What its values are read as.', example: null }),
        problem: z
          .string()
          .nullable()
          .openapi({ description: 'What cannot be read in them.', example: null }),
      }),
    ),
    kinds: z
      .array(
        z.strictObject({
          name: z.enum(COLUMN_KINDS).openapi({ example: 'max-clicks' }),
          title: text('As people call it.', 'Click limit'),
        }),
      )
      .openapi({ description: 'All that a column may have.' }),
  })
  .openapi('ImportColumns')

export type ImportColumnsView = z.infer<typeof tableColumnsSchema>

export const tableColumnsView = ({ hasHeader, ...table }: TableColumns): ImportColumnsView => ({
  ...table,
  has_header: hasHeader,
  kinds: COLUMN_CHOICES,
})
