import { closeSync, fsyncSync, ftruncateSync, openSync } from 'node:fs'
import type { Log } from '../../runtime/log.ts'
import { writeToFile } from '../../store/files/durable-files.ts'
import { raiseIds } from '../../store/engine-sql.ts'
import type { CurrentDb, DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { agreedPosition, agreeOn, blockLostCodes } from './block-lost-codes.ts'
import { type ClaimedCode, claimRecord, HEAD_BYTES } from './code-log-record.ts'
import type { OpenedCodeLog } from './code-log.ts'
import { readOrMakeCodeLog } from './make-code-log.ts'
import { codeLogPath, isWholeBefore } from './read-code-log.ts'

type HighestIds = { link: number; workspace: number }

export type OpenCodeLogDeps = {
  db: DurableDb
  log: Log
  /** The highest ids among the clicks that are not counted yet. */
  uncountedIds(): Promise<HighestIds>
  /** The disk has refused to sync the log. */
  isDistrusted?: boolean
}

export type CodeLogState = OpenedCodeLog & {
  /** Codes that were in the log and not in the store, and are blocked now. */
  blocked: number
}

/**
 * Brings the store and the code log of a data folder into agreement, and returns where the log ends. Only for the process that
 * holds the folder's lock.
 *
 * The store normally knows the log up to a position, and only the rest is read: nothing after an orderly shutdown, or what was
 * claimed since if an older database was put in place. If the store does not know the log, or the log is too short or may have
 * lost bytes, all of it is read, and all codes of the store are written to it again.
 */
export async function openCodeLog(deps: OpenCodeLogDeps, dataDir: string): Promise<CodeLogState> {
  const { db, log, isDistrusted = false } = deps
  const path = codeLogPath(dataDir)
  const id = readOrMakeCodeLog(path)
  const position = await agreedPosition(db, id)
  const isInStep = !isDistrusted && position !== undefined && isWholeBefore(path, position)
  const lost = await blockLostCodes(db, path, isInStep ? position : HEAD_BYTES)
  if (lost.blocked > 0) log.warn('Codes that the database lost are now blocked.', { codes: lost.blocked })
  if (lost.damagedLines > 0) {
    log.warn('The code log has unreadable lines.', { path, lines: lost.damagedLines })
  }
  const end = await withFile(path, async (file) => {
    // An incomplete last line belongs to a claim that was not acknowledged.
    ftruncateSync(file, lost.end)
    if (isInStep) return lost.end
    await raiseIdsAboveClicks(deps)
    return writeAllCodes(db, file, lost.end)
  })
  if (end !== position) await agreeOn(db, id, end)
  return { log: id, path, end, blocked: lost.blocked }
}

/** Where the log may lack some, the clicks tell which ids there have been. */
async function raiseIdsAboveClicks({ db, uncountedIds }: OpenCodeLogDeps): Promise<void> {
  const uncounted = await uncountedIds()
  await transact(db, async (tx) => {
    const links = await tx
      .selectFrom('link_totals')
      .select((eb) => eb.fn.max('link_id').as('id'))
      .executeTakeFirst()
    const workspaces = await tx
      .selectFrom('workspace_totals')
      .select((eb) => eb.fn.max('workspace_id').as('id'))
      .executeTakeFirst()
    await raiseIds(tx, 'links', Math.max(uncounted.link, links?.id ?? 0))
    await raiseIds(tx, 'workspaces', Math.max(uncounted.workspace, workspaces?.id ?? 0))
  })
}

const CODES_PER_STEP = 5_000

/** Every code of the store, from the offset on; where the log ends then. */
async function writeAllCodes(db: CurrentDb, file: number, from: number): Promise<number> {
  let end = from
  let after = { code: '', domainId: 0 }
  for (;;) {
    const claims = await someCodes(db, after)
    if (claims.length === 0) break
    const bytes = Buffer.from(claims.map(claimRecord).join(''), 'latin1')
    writeToFile(file, bytes, end)
    end += bytes.length
    after = claims.at(-1)!
  }
  if (end > from) fsyncSync(file)
  return end
}

async function someCodes(db: CurrentDb, after: { code: string; domainId: number }): Promise<ClaimedCode[]> {
  const rows = await db
    .selectFrom('codes')
    .select(['code', 'domain_id as domainId', 'workspace_id', 'link_id'])
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('code', 'domain_id'), '>', tuple(after.code, after.domainId)),
    )
    .orderBy('code')
    .orderBy('domain_id')
    .limit(CODES_PER_STEP)
    .execute()
  return rows.map(({ workspace_id, link_id, ...key }) => ({
    ...key,
    workspaceId: workspace_id ?? 0,
    linkId: link_id ?? 0,
  }))
}

async function withFile<Result>(path: string, work: (file: number) => Promise<Result>): Promise<Result> {
  const file = openSync(path, 'r+')
  try {
    return await work(file)
  } finally {
    closeSync(file)
  }
}
