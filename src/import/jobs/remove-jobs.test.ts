import { expect, test } from 'bun:test'
import { operatorIn, COMMAND_LINE } from '../../access/caller.ts'
import { DAY_US, manualClock } from '../../runtime/clock.ts'
import { useOwnedStore } from '../../../test/rigs/store/owned-store.ts'
import { addPart } from './add-part.ts'
import { beginJob } from './begin-job.ts'
import { removeJob, removeJobs, removeJobsOfWorkspace } from './remove-jobs.ts'

const store = useOwnedStore()
const clock = manualClock(1_795_262_400_000_000)

test('a job that does not change for a day goes with all that it has, and others stay', async () => {
  const old = await jobWithFile()
  await store.db
    .updateTable('import_jobs')
    .set({ state: 'stopped', source_key: 'x' })
    .where('id', '=', old)
    .execute()
  const running = await jobWithFile()
  await store.db.updateTable('import_jobs').set({ state: 'checking' }).where('id', '=', running).execute()
  const done = await jobWithFile()
  await store.db.updateTable('import_jobs').set({ state: 'done' }).where('id', '=', done).execute()
  clock.advance(DAY_US - 1)
  await remove()
  expect(await jobIds()).toEqual([old, running, done])
  const recent = await jobWithFile()
  clock.advance(1)
  await remove()
  expect(await jobIds()).toEqual([running, done, recent])
  expect(await idsOfParts()).toEqual([running, done, recent])
  clock.advance(29 * DAY_US)
  await remove()
  expect(await jobIds()).toEqual([running])
})

test('a job that was deleted has no rows left, and neither have those of a workspace that is closed', async () => {
  const deleted = await jobWithFile()
  const kept = await jobWithFile()
  await removeJob({ db: store.db, clock }, caller(), deleted)
  await remove()
  expect([await jobIds(), await idsOfParts()]).toEqual([[kept], [kept]])
  await removeJobsOfWorkspace(store.relaxedDb, store.workspaceId)
  expect([await jobIds(), await idsOfParts()]).toEqual([[], []])
})

const caller = () => operatorIn(store.workspaceId, COMMAND_LINE)
const remove = () => removeJobs({ db: store.relaxedDb, clock, isStopping: () => false })

async function jobWithFile(): Promise<number> {
  const deps = { db: store.db, clock }
  const { id } = await beginJob(deps, caller(), { source: 'csv', domain: null })
  for (const [offset, text] of ['ab', 'cd'].entries()) {
    const part = { name: 'a.csv', offset: 2 * offset, bytes: new TextEncoder().encode(text) }
    await addPart(deps, caller(), { jobId: id, part })
  }
  return id
}

async function jobIds(): Promise<number[]> {
  const rows = await store.db.selectFrom('import_jobs').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

async function idsOfParts(): Promise<number[]> {
  const rows = await store.db
    .selectFrom('import_parts')
    .select('job_id')
    .distinct()
    .orderBy('job_id')
    .execute()
  return rows.map(({ job_id: id }) => id)
}
