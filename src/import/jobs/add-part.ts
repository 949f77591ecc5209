import type { Caller } from '../../access/caller.ts'
import { invalid } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { foreignFileFault } from '../files/import-file.ts'
import { findJob, jobConflict, lockJob } from './find-job.ts'
import type { ImportJob } from './import-job.ts'

/** Below what a request may have. */
export const PART_BYTES_MAX = 900_000
export const JOB_BYTES_MAX = 200 * 1024 * 1024
const FILES_MAX = 100

export type FilePart = { name: string; offset: number; size?: number | undefined; bytes: Uint8Array }

type AddDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

/** Adds the next part of a file. One that is there already changes nothing, so that a part without an answer is sent again. */
export function addPart(
  { db, clock }: AddDeps,
  caller: Caller,
  { jobId, part }: { jobId: number; part: FilePart },
): Promise<ImportJob> {
  const { name, offset, bytes } = part
  return transact(db, async (tx) => {
    const job = await lockJob(tx, caller, jobId)
    if (job.url !== undefined) throw jobConflict('The import reads an API, so it has no files.')
    if (job.state !== 'draft') throw jobConflict('The import takes files only before it is checked.')
    const known = job.files.findIndex((file) => file.name === name)
    const file = known < 0 ? job.files.length : known
    const present = job.files[file]?.bytes ?? 0
    if (offset < present) {
      await refuseOtherPart(part, present)
      return job
    }
    refusePart(job, part, present)
    const added = {
      name,
      bytes: present + bytes.byteLength,
      size: part.size ?? job.files[file]?.size ?? null,
    }
    const files = job.files.toSpliced(file, 1, added)
    await tx.insertInto('import_parts').values({ job_id: jobId, file, position: offset, bytes }).execute()
    const row = tx.updateTable('import_jobs').where('id', '=', jobId)
    const changes = { files: JSON.stringify(files), links: null, changed_at: clock.nowUs() }
    await row.set(changes).execute()
    return findJob({ db: tx }, caller, jobId)
  })
}

async function refuseOtherPart({ offset, bytes }: FilePart, present: number): Promise<void> {
  if (offset + bytes.byteLength > present) throw outOfOrder(present)
}

function refusePart({ files }: ImportJob, { name, offset, size, bytes }: FilePart, present: number): void {
  if (offset !== present) throw outOfOrder(present)
  if (bytes.byteLength === 0) throw invalid({ body: ['The part is empty.'] })
  if (bytes.byteLength > PART_BYTES_MAX)
    throw invalid({ body: [`A part may not have more than ${PART_BYTES_MAX} bytes.`] })
  if (size !== undefined && present + bytes.byteLength > size)
    throw invalid({ size: [`The file may not have more than the ${size} bytes that were announced.`] })
  const total = files.reduce((sum, file) => sum + file.bytes, bytes.byteLength)
  if (total > JOB_BYTES_MAX)
    throw invalid({ body: ['The files of an import may not have more than 200 MB together. Split them.'] })
  if (offset > 0) return
  if (files.length === FILES_MAX) throw invalid({ name: [`An import has at most ${FILES_MAX} files.`] })
  const fault = foreignFileFault(bytes)
  if (fault !== undefined) throw invalid({ body: [`${name} ${fault}`] })
}

const outOfOrder = (present: number) =>
  invalid({ offset: [`The next part of the file begins at byte ${present}. Send the parts in their order.`] })
