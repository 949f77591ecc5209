import type { JobRun } from './job-run.ts'

/** The links of a job as a check has read them, group by group. `first`: the number of the first one, from 1. */
export async function* storedGroups({
  deps,
  job,
  signal,
}: JobRun): AsyncGenerator<{ first: number; links: string }, void> {
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const group = await deps.readDb
      .selectFrom('import_groups')
      .select(['first', 'links'])
      .where('job_id', '=', job.id)
      .where('first', '>', after)
      .orderBy('first')
      .limit(1)
      .executeTakeFirst()
    if (group === undefined) return
    yield group
    after = group.first
  }
}
