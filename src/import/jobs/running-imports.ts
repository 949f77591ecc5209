import type { AnyDb } from '../../store/handles.ts'

/** By workspace: the job that imports, the first of several. */
export async function runningImports(
  db: AnyDb,
  workspaceIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('import_jobs')
    .select((eb) => ['workspace_id as workspaceId', eb.fn.min<number>('id').as('jobId')])
    .where('state', '=', 'importing')
    .where('workspace_id', 'in', workspaceIds)
    .groupBy('workspace_id')
    .execute()
  return new Map(rows.map(({ workspaceId, jobId }) => [workspaceId, Number(jobId)]))
}
