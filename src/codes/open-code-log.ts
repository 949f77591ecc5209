import { closeSync, fsyncSync, ftruncateSync, openSync } from 'node:fs'
import type { Log } from '../log.ts'
import { writeAll } from '../store/durable-files.ts'
import { raiseIds } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { agreedPosition, agreeOn, blockLostCodes } from './block-lost-codes.ts'
import { claimLine, HEAD_BYTES } from './code-log-line.ts'
import type { OpenedCodeLog } from './code-log.ts'
import { readOrMakeCodeLog } from './make-code-log.ts'
import { codeLogPath, isWholeBefore } from './read-code-log.ts'

export type HighestIds = { link: number; account: number }

export type OpenCodeLogDeps = {
  db: Db
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
 * Brings store and code log of a data folder to know the same, and says where the log ends. Only for the process that
 * has the folder's lock.
 *
 * As a rule the store knows the log up to a position, and only what is behind it is read: nothing, after an orderly
 * end; what was claimed since, where an older database was put in place. Where the store does not know the log, or
 * more of it than there is, or the disk may have lost some, all of the log is read, and all codes of the store are
 * written into it once more.
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
    // Half a line at the end is of a claim that nobody heard of.
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
    const accounts = await tx
      .selectFrom('account_totals')
      .select((eb) => eb.fn.max('account_id').as('id'))
      .executeTakeFirst()
    await raiseIds(tx, 'links', Math.max(uncounted.link, links?.id ?? 0))
    await raiseIds(tx, 'accounts', Math.max(uncounted.account, accounts?.id ?? 0))
  })
}

const CODES_PER_STEP = 5_000

/** Every code of the store, from the offset on; where the log ends then. */
async function writeAllCodes(db: Db, file: number, from: number): Promise<number> {
  let end = from
  for (let after = ''; ;) {
    const claims = await someCodes(db, after)
    if (claims.length === 0) break
    const bytes = Buffer.from(claims.map(claimLine).join(''), 'latin1')
    writeAll(file, bytes, end)
    end += bytes.length
    after = claims.at(-1)!.code
  }
  if (end > from) fsyncSync(file)
  return end
}

async function someCodes(db: Db, after: string) {
  const rows = await db
    .selectFrom('codes')
    .leftJoin('links', 'links.code', 'codes.code')
    .select(['codes.code', 'codes.account_id', 'links.id'])
    .where('codes.code', '>', after)
    .orderBy('codes.code')
    .limit(CODES_PER_STEP)
    .execute()
  return rows.map(({ code, account_id, id }) => ({ code, accountId: account_id ?? 0, linkId: id ?? 0 }))
}

async function withFile<Result>(path: string, work: (file: number) => Promise<Result>): Promise<Result> {
  const file = openSync(path, 'r+')
  try {
    return await work(file)
  } finally {
    closeSync(file)
  }
}
