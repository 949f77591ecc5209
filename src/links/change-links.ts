import type { ClaimedCode } from '../codes/log/code-log-record.ts'
import type { Clock } from '../runtime/clock.ts'
import type { DurableDb, Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import type { LinkKey } from './link-key.ts'
import type { LinkChanges } from './link.ts'

/** Where claims are written down outside of the database: inside the commit, or behind it. */
type CodesWrittenDown = {
  ready(): Promise<void>
  note(claims: readonly ClaimedCode[]): void
  keep(claims: readonly ClaimedCode[]): Promise<void>
}

export type ChangeLinksDeps = {
  db: DurableDb
  clock: Clock
  changes: LinkChanges
  codeLog: CodesWrittenDown
}

/** A transaction that changes links, and what is done once it is committed. */
export type LinksTx = {
  tx: Tx
  /** One time for the links and their entries in the audit log. */
  nowUs: number
  /** Codes that open a link only now. They are written into the code log with the commit. */
  claims: ClaimedCode[]
  /** Every key that opens a changed link: caches drop them before the caller gets a response. */
  changedKeys: LinkKey[]
  afterCommit: (() => void)[]
}

/** `claimsCodes`: the code log is opened first. */
type Options = { claimsCodes?: boolean; isDryRun?: boolean | undefined }

/** Does the work in a transaction. A dry run is rolled back, and so returns and refuses exactly what it would have otherwise. */
export async function changeLinks<Result>(
  { db, clock, changes, codeLog }: ChangeLinksDeps,
  { claimsCodes = false, isDryRun = false }: Options,
  work: (change: LinksTx) => Promise<Result>,
): Promise<Result> {
  if (claimsCodes) await codeLog.ready()
  try {
    const { result, change } = await transact(db, async (tx) => {
      const change: LinksTx = { tx, nowUs: clock.nowUs(), claims: [], changedKeys: [], afterCommit: [] }
      const result = await work(change)
      if (isDryRun) throw new DryRun(result)
      codeLog.note(change.claims)
      return { result, change }
    })
    if (claimsCodes) await codeLog.keep(change.claims)
    changes.changed(change.changedKeys)
    for (const act of change.afterCommit) act()
    return result
  } catch (error) {
    if (error instanceof DryRun) return error.result as Result
    throw error
  }
}

/** Ends a transaction that nobody wants the effects of. */
class DryRun extends Error {
  constructor(readonly result: unknown) {
    super('The transaction was a dry run.')
  }
}
