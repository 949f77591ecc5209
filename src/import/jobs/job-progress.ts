import type { AnyDb } from '../../store/handles.ts'
import { type ImportCounts, IMPORT_RESULTS } from '../import-fields.ts'
import { type ImportJob, ITEM_CHOICES, type ItemChoice } from './import-job.ts'

/** `results`: null before the import. `choices`: what becomes of how many conflicts. */
export type JobProgress = {
  results: ImportCounts | null
  /** `moved_refused`: links that are refused because of their code, and go to another domain. */
  choices: Record<ItemChoice | 'moved_refused', number>
}

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

const NONE = { conflicts: 0, refused: 0 }

async function choicesOf(db: AnyDb, { id, counts, onConflict }: ImportJob): Promise<JobProgress['choices']> {
  const names = [...ITEM_CHOICES, 'moved_refused']
  const choices = Object.fromEntries(names.map((choice) => [choice, 0])) as JobProgress['choices']
  const { conflicts, refused } = counts ?? NONE
  if (conflicts + refused === 0) return choices
  const rows = await db
    .selectFrom('import_items')
    .select((eb) => ['choice', 'result', eb.fn.countAll<number>().as('count')])
    .where('job_id', '=', id)
    .where('choice', 'is not', null)
    .groupBy(['choice', 'result'])
    .execute()
  let chosen = 0
  for (const { choice, result, count } of rows) {
    if (result === 'conflict') {
      choices[choice as ItemChoice] = Number(count)
      chosen += Number(count)
    } else choices.moved_refused += Number(count)
  }
  choices[onConflict] += conflicts - chosen
  return choices
}
