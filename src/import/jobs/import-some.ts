import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../../errors/refusal.ts'
import type { ImportEntry } from '../import-entry.ts'
import type { ConflictChoice } from '../import-fields.ts'
import type { ImportOutcome } from '../imported-items.ts'
import { importLinks } from '../import-links.ts'
import { callerOf } from './import-job.ts'
import { type JobRun, RunEnded } from './job-run.ts'

/** While others have passwords hashed, say. */
const ATTEMPTS_MAX = 60
const WAIT_SECONDS_MAX = 30
/** What was begun is finished, so that the record of the import has all of it. */
const NEVER = new AbortController().signal

const NOT_ALLOWED =
  'Who has started the import may not edit links in this workspace any more. Somebody who may can continue it.'

type Some = {
  entries: readonly Extract<ImportEntry, { fields: object }>[]
  onConflict: ConflictChoice
  conflictDomain?: string | undefined
  isDryRun: boolean
  importId?: number | undefined
}

/** As a request imports them, on behalf of the user who has started the job. What is busy is tried again. */
export async function importSome(
  { deps, job, signal }: JobRun,
  { entries, ...request }: Some,
): Promise<ImportOutcome[]> {
  if (entries.length === 0) return []
  if (!(await deps.mayImport(callerOf(job)))) throw new Refusal('role_insufficient', NOT_ALLOWED)
  const links = entries.map(({ fields }) => fields)
  for (let attempt = 1; ; attempt++) {
    try {
      return await importLinks(deps, callerOf(job), { ...request, links, signal: NEVER })
    } catch (error) {
      const seconds = error instanceof Refusal ? error.retryAfterSeconds : undefined
      if (seconds === undefined || attempt === ATTEMPTS_MAX) throw error
      const ms = Math.min(seconds, WAIT_SECONDS_MAX) * 1000
      await wait(ms, undefined, { signal }).catch(() => {
        throw new RunEnded()
      })
    }
  }
}
