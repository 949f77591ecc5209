import type { ImportSource } from './import-sources.ts'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'

/** The five steps that are counted. The columns of a table are chosen in the first half of the check. */
export const STEPS = ['source', 'connect', 'check', 'import', 'done'] as const
export type Step = (typeof STEPS)[number]

export type WizardPage = 'connect' | 'columns' | 'checking' | 'check' | 'import' | 'done'

type Job = Pick<ImportJobView, 'state' | 'import_id' | 'url'>

/** Has begun to create links, so that the way back is closed. */
const hasBegun = ({ import_id: id }: Job): boolean => id !== null

/** What is shown of a job. `wanted`: an earlier step that the user went back to. */
export function pageOf(job: Job, source: ImportSource | undefined, wanted: string | null): WizardPage {
  if (job.state === 'done') return 'done'
  if (job.state === 'importing' || hasBegun(job)) return 'import'
  if (job.state === 'checking') return 'checking'
  // What reads an API has no files: another key makes another import.
  if (job.url === null) {
    if (wanted === 'columns' && source?.isTable) return 'columns'
    if (wanted === 'upload' || job.state === 'draft') return 'connect'
  }
  // Also of a check that failed or was stopped, or has not begun.
  return 'check'
}
