import { systemClock } from '../clock.ts'
import { raiseIds, type RowTarget, writeRows } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { type ClaimedCode, HEAD_BYTES } from './code-log-line.ts'
import { codeLogPath, readCodeLog, readCodeLogHead } from './read-code-log.ts'

export type BlockedCodes = {
  /** Codes that the store did not know. */
  blocked: number
  /** Lines that cannot be read. */
  damagedLines: number
  /** Behind the last whole line. */
  end: number
}

/**
 * Blocks every code that the log has from the offset on and the store does not know: it stays its account's, as that of
 * a deleted link does, or nobody's where the account is gone too. No id in the log will be given again.
 */
export async function blockLostCodes(db: Db, path: string, from: number): Promise<BlockedCodes> {
  const found: BlockedCodes = { blocked: 0, damagedLines: 0, end: from }
  for (const { claims, damagedLines, end } of readCodeLog(path, from)) {
    found.blocked += await transact(db, (tx) => block(tx, claims))
    found.damagedLines += damagedLines
    found.end = end
  }
  return found
}

/** The same from where store and log agree. For commands, also beside a server: it moves no position. */
export async function blockCodesLostSince(db: Db, dataDir: string): Promise<BlockedCodes> {
  const path = codeLogPath(dataDir)
  const head = readCodeLogHead(path)
  const position = typeof head === 'string' ? undefined : await agreedPosition(db, head.log)
  return blockLostCodes(db, path, position ?? HEAD_BYTES)
}

/** Up to where the store knows every code of the log; undefined when it does not know the log. */
export async function agreedPosition(db: Db, log: string): Promise<number | undefined> {
  const row = await db.selectFrom('code_log').select('position').where('log', '=', log).executeTakeFirst()
  return row?.position
}

/** From here on the store is known to have all that the log has before the position. */
export async function agreeOn(db: Db, log: string, position: number): Promise<void> {
  await db
    .insertInto('code_log')
    .values({ log, position })
    .onConflict((conflict) => conflict.column('log').doUpdateSet({ position }))
    .execute()
}

const LOST_CODES: RowTarget = {
  table: 'codes',
  columns: ['code', 'account_id', 'lost_at'],
  texts: ['code'],
  then: 'ON CONFLICT DO NOTHING RETURNING code',
}

async function block(tx: Db, claims: readonly ClaimedCode[]): Promise<number> {
  const accounts = await existing(tx, new Set(claims.map(({ accountId }) => accountId)))
  const nowUs = systemClock.nowUs()
  const sorted = claims.toSorted((a, b) => (a.code < b.code ? -1 : 1))
  const rows = sorted.map(({ code, accountId }) => [code, accounts.has(accountId) ? accountId : null, nowUs])
  const blocked = await writeRows<{ code: string }>(tx, LOST_CODES, rows)
  await raiseIds(tx, 'links', Math.max(0, ...claims.map(({ linkId }) => linkId)))
  await raiseIds(tx, 'accounts', Math.max(0, ...claims.map(({ accountId }) => accountId)))
  return blocked.length
}

async function existing(tx: Db, ids: Set<number>): Promise<Set<number>> {
  const found = new Set<number>()
  // One by one: a piece has few accounts as a rule, and a statement takes only so many parameters.
  for (const id of ids) {
    const row = await tx.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst()
    if (row !== undefined) found.add(id)
  }
  return found
}
