import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CurrentDb } from '../../store/handles.ts'
import type { ImportJob } from './import-job.ts'

type FilesOf = { db: CurrentDb; folder: string; signal: AbortSignal }

/** The files of a job, out of the store while `work` reads them: sources read files from their beginning more than once. */
export async function withSourceFiles<Value>(
  deps: FilesOf,
  job: ImportJob,
  work: (files: { name: string; path: string }[]) => Promise<Value>,
): Promise<Value> {
  const folder = join(deps.folder, String(job.id))
  try {
    await mkdir(folder, { recursive: true })
    const files = job.files.map(({ name }, at) => ({ name, path: join(folder, String(at)) }))
    for (const [at, { path }] of files.entries()) await writeParts(deps, { jobId: job.id, file: at, path })
    return await work(files)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Place = { jobId: number; file: number; path: string }

/** One part is in memory at a time. */
async function writeParts({ db, signal }: FilesOf, { jobId, file, path }: Place): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    for (let position = 0; ;) {
      signal.throwIfAborted()
      const part = await db
        .selectFrom('import_parts')
        .select('bytes')
        .where('job_id', '=', jobId)
        .where('file', '=', file)
        .where('position', '=', position)
        .executeTakeFirst()
      if (part === undefined) return
      await handle.writeFile(part.bytes)
      position += part.bytes.byteLength
    }
  } finally {
    await handle.close()
  }
}
