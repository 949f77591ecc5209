import type { Selectable } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { isGranted } from '../../access/roles-and-scopes.ts'
import { DAY_US } from '../../runtime/clock.ts'
import type { ImportJobTable } from '../../store/import-job-schema.ts'
import { CONFLICT_CHOICES, type ConflictChoice } from '../import-fields.ts'
import type { ColumnKind } from '../files/csv-columns.ts'
import type { LinkChoices } from '../link-choices.ts'
import type { ClickChoice } from '../network/click-history-reader.ts'
import type { Encoding } from '../files/text-encoding.ts'
import { UNDO_DAYS } from '../records/import-record.ts'

// An import that the server runs. All that it needs is in the store, so it goes on after a restart, and on any node.
//
//   draft ──(check)──▶ checking ──▶ checked ──(start)──▶ importing ──▶ done
//     ▲                   └───────(stop, or a fault)────────┤
//     └──(edited)── checked, stopped, failed ◀──────────────┘
//
// A check reads all links once and keeps them in groups, so that an import has what was checked, and needs the source no more.

export const JOB_STATES = ['draft', 'checking', 'checked', 'importing', 'done', 'stopped', 'failed'] as const
export type JobState = (typeof JOB_STATES)[number]

/** Of a job that the user has deleted: what it has is removed in steps. */
export const REMOVED = 'removed'

/** How its source is read. `columns`: null for a kind that no column has. `clicks`, `list`: what is read of an API. */
export type JobOptions = {
  clicks?: ClickChoice | undefined
  list?: string | undefined
  delimiter?: string | undefined
  encoding?: Encoding | undefined
  time_zone?: string | undefined
  has_header?: boolean | undefined
  columns?: Partial<Record<ColumnKind, string | number | null>> | undefined
  created_from?: string | undefined
  created_to?: string | undefined
} & Pick<LinkChoices, 'folder' | 'without'>

/** `bytes`: so far. `size`: of the whole file; null if nobody has said it. */
type JobFile = { name: string; bytes: number; size: number | null }

/** What becomes of a conflict. `rename`: the link is imported under another code. `move`: it goes to another domain. */
export const ITEM_CHOICES = [...CONFLICT_CHOICES, 'rename'] as const
export type ItemChoice = (typeof ITEM_CHOICES)[number]

/** The results of a check. `oldCodes`: codes that new links cannot have, and that are kept. */
export type CheckCounts = {
  created: number
  equal: number
  conflicts: number
  refused: number
  oldCodes: number
}

/** On whose behalf a job runs. */
type JobCaller = Pick<Caller, 'userId' | 'keyId' | 'restrictions' | 'actor' | 'client'>

export type ImportJob = {
  id: number
  workspaceId: number
  source: string
  state: JobState
  caller: JobCaller
  createdAtUs: number
  changedAtUs: number
  /** Of the API that it reads; undefined for files. */
  url: string | undefined
  /** Encrypted. */
  sourceKey: string | undefined
  domain: string | undefined
  options: JobOptions
  files: JobFile[]
  description: string[]
  links: number | undefined
  counts: CheckCounts | undefined
  onConflict: ConflictChoice
  conflictDomain: string | undefined
  position: number
  startedAtUs: number | null
  importId: number | undefined
  recorded: number
  refused: number
  waitingUntilUs: number | null
  message: string | null
}

export const isRunning = (state: JobState): boolean => state === 'checking' || state === 'importing'

/** Without a change, a job that is not done is removed after a day, with its files and its key. */
const UNFINISHED_US = DAY_US
const DONE_US = UNDO_DAYS * DAY_US

/** Null while it runs. What is removed then: the job, and all that it has. */
export function expiresAtUs({ state, changedAtUs }: ImportJob): number | null {
  if (isRunning(state)) return null
  return changedAtUs + (state === 'done' ? DONE_US : UNFINISHED_US)
}

/** Jobs that have expired were changed before. */
export const expiredSinceUs = (nowUs: number) => ({
  unfinished: nowUs - UNFINISHED_US,
  done: nowUs - DONE_US,
})

export const toImportJob = (row: Selectable<ImportJobTable>): ImportJob => ({
  id: row.id,
  workspaceId: row.workspace_id,
  source: row.source,
  state: row.state as JobState,
  caller: JSON.parse(row.caller),
  createdAtUs: row.created_at,
  changedAtUs: row.changed_at,
  url: row.url ?? undefined,
  sourceKey: row.source_key ?? undefined,
  domain: row.domain ?? undefined,
  options: JSON.parse(row.options),
  files: JSON.parse(row.files),
  description: JSON.parse(row.description),
  links: row.links ?? undefined,
  counts: row.counts === null ? undefined : JSON.parse(row.counts),
  onConflict: row.on_conflict as ConflictChoice,
  conflictDomain: row.conflict_domain ?? undefined,
  position: row.position,
  startedAtUs: row.started_at,
  importId: row.import_id ?? undefined,
  recorded: row.recorded,
  refused: row.refused,
  waitingUntilUs: row.waiting_until,
  message: row.message,
})

/** What is stored of the caller of a request. */
export function callerText({ userId, keyId, restrictions, actor, client }: Caller): string {
  const caller: JobCaller = {
    userId,
    actor,
    client,
    ...(keyId && { keyId }),
    ...(restrictions && { restrictions }),
  }
  return JSON.stringify(caller)
}

export const linkChoicesOf = ({ domain, options }: ImportJob): LinkChoices => ({
  domain,
  folder: options.folder,
  without: options.without,
  createdFrom: options.created_from,
  createdTo: options.created_to,
})

/** Who a run acts for: what its caller may do with links, and no more. */
export const callerOf = ({ workspaceId, caller }: ImportJob): Caller => ({
  ...caller,
  workspaceId,
  can: (action) => isGranted(['links:write'], action),
})
