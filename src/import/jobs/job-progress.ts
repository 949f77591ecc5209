import type { AnyDb } from '../../store/handles.ts'
import { type ImportCounts, IMPORT_RESULTS } from '../import-fields.ts'
import { type ImportJob, ITEM_CHOICES, type ItemChoice } from './import-job.ts'

/** `results`: null before the import. `choices`: what becomes of how many conflicts. */
export type JobProgress = { results: ImportCounts | null; choices: Record<ItemChoice, number> }

/** What a job has in other tables. */
export async function jobProgress({ db }: { db: AnyDb }, job: ImportJob): Promise<JobProgress> {
  return { results: await resultsOf(db, job), choices: await choicesOf(db, job) }
}

/** Those of its record, and what was refused before it could be part of that. */
async function resultsOf(db: AnyDb, { importId, refused }: ImportJob): Promise<ImportCounts | null> {
  if (importId === undefined) return null
  const row = await db
    .selectFrom('imports')
    .select(IMPORT_RESULTS)
    .where('id', '=', importId)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, refused: row.refused + refused }
}

async function choicesOf(db: AnyDb, { id, counts, onConflict }: ImportJob): Promise<JobProgress['choices']> {
  const choices = Object.fromEntries(ITEM_CHOICES.map((choice) => [choice, 0])) as JobProgress['choices']
  const conflicts = counts?.conflicts ?? 0
  if (conflicts === 0) return choices
  const rows = await db
    .selectFrom('import_items')
    .select((eb) => ['choice', eb.fn.countAll<number>().as('count')])
    .where('job_id', '=', id)
    .where('choice', 'is not', null)
    .groupBy('choice')
    .execute()
  let chosen = 0
  for (const { choice, count } of rows) {
    choices[choice as ItemChoice] = Number(count)
    chosen += Number(count)
  }
  choices[onConflict] += conflicts - chosen
  return choices
}
