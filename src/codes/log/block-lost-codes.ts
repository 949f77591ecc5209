import { systemClock } from '../../runtime/clock.ts'
import { raiseIds, type RowInsert, writeRows } from '../../store/engine-sql.ts'
import type { CurrentDb, DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { DEFAULT_DOMAIN } from '../code-rules.ts'
import { type ClaimedCode, HEAD_BYTES } from './code-log-record.ts'
import { codeLogPath, readCodeLog, readCodeLogHead } from './read-code-log.ts'

export type BlockedCodes = {
  /** Codes that the store did not know. */
  blocked: number
  /** Lines that cannot be read. */
  damagedLines: number
  /** The offset after the last complete line. */
  end: number
}

/**
 * Blocks every code in the log, from the offset on, that the store lacks. The code stays its owner's, like that of a deleted
 * link, or belongs to no one if the owner is gone too. No ID in the log is assigned again.
 */
export async function blockLostCodes(db: DurableDb, path: string, from: number): Promise<BlockedCodes> {
  const result: BlockedCodes = { blocked: 0, damagedLines: 0, end: from }
  for (const { claims, damagedLines, end } of readCodeLog(path, from)) {
    result.blocked += await transact(db, (tx) => block(tx, claims))
    result.damagedLines += damagedLines
    result.end = end
  }
  return result
}

/** The same from where store and log agree. For commands, also beside a server: it moves no position. */
export async function blockCodesLostSince(db: DurableDb, dataDir: string): Promise<BlockedCodes> {
  const path = codeLogPath(dataDir)
  const head = readCodeLogHead(path)
  const position = typeof head === 'string' ? undefined : await agreedPosition(db, head.log)
  return blockLostCodes(db, path, position ?? HEAD_BYTES)
}

/** Up to where the store knows every code of the log; undefined when it does not know the log. */
export async function agreedPosition(db: CurrentDb, log: string): Promise<number | undefined> {
  const row = await db.selectFrom('code_log').select('position').where('log', '=', log).executeTakeFirst()
  return row?.position
}

/** From here on the store is known to have all that the log has before the position. */
export async function agreeOn(db: DurableDb, log: string, position: number): Promise<void> {
  await db
    .insertInto('code_log')
    .values({ log, position })
    .onConflict((conflict) => conflict.column('log').doUpdateSet({ position }))
    .execute()
}

const LOST_CODES: RowInsert = {
  table: 'codes',
  columns: ['code', 'domain_id', 'workspace_id', 'lost_at'],
  texts: ['code'],
  then: 'ON CONFLICT DO NOTHING RETURNING code',
}

async function block(tx: Tx, claims: readonly ClaimedCode[]): Promise<number> {
  const workspaces = await existing(tx, new Set(claims.map(({ workspaceId }) => workspaceId)))
  const nowUs = systemClock.nowUs()
  const sorted = claims.toSorted((a, b) => (a.code < b.code ? -1 : 1))
  const rows = sorted.map(({ domainId, code, workspaceId }) => [
    code,
    domainId,
    workspaces.has(workspaceId) ? workspaceId : null,
    nowUs,
  ])
  const newRows = await writeRows<{ code: string }>(tx, LOST_CODES, rows)
  await raiseIds(tx, 'links', Math.max(0, ...claims.map(({ linkId }) => linkId)))
  // A domain that the store lost as well: no other may get its id, and with it its codes.
  const domainId = Math.max(...claims.map((claim) => claim.domainId))
  if (domainId > DEFAULT_DOMAIN) await raiseIds(tx, 'domains', domainId)
  await raiseIds(tx, 'workspaces', Math.max(0, ...claims.map(({ workspaceId }) => workspaceId)))
  return newRows.length
}

async function existing(tx: Tx, ids: Set<number>): Promise<Set<number>> {
  const existingIds = new Set<number>()
  // One by one: a piece has few workspaces as a rule, and the parameters of a statement are limited.
  for (const id of ids) {
    const row = await tx.selectFrom('workspaces').select('id').where('id', '=', id).executeTakeFirst()
    if (row !== undefined) existingIds.add(id)
  }
  return existingIds
}
