import { agreedPosition } from '../codes/log/block-lost-codes.ts'
import { type ClaimedCode, HEAD_BYTES } from '../codes/log/code-log-record.ts'
import { codeLogPath, readCodeLog, readCodeLogHead } from '../codes/log/read-code-log.ts'
import type { CurrentDb } from '../store/handles.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'

const CODES_AT_ONCE = 500

/**
 * Whether the database has every acknowledged link: the losses that nodes have found, and the claims of this node that are
 * not checked yet.
 */
export async function checkNodeCodes(db: CurrentDb, dataDir: string): Promise<Finding[]> {
  const path = codeLogPath(dataDir)
  const complaints: Problem[] = []
  const found = await lostCodes(db)
  if (found > 0) {
    complaints.push(
      fault(
        `${found} acknowledged links are lost because the database went back in time. Their codes are blocked.`,
      ),
    )
  }
  const head = readCodeLogHead(path)
  if (head === 'damaged')
    complaints.push(warning('The first line of the code log is damaged. The next start repairs it.'))
  const log = typeof head === 'string' ? undefined : head.log
  const { claims, lost, damaged } = await compare(db, path, log)
  if (lost > 0) {
    complaints.push(
      fault(
        `${lost} links that this node acknowledged are lost, and their codes are not blocked yet. Start the node.`,
      ),
    )
  }
  if (damaged > 0)
    complaints.push(warning(`${damaged} lines of the code log cannot be read. Check the disk.`))
  return findings('codes', complaints, `${claims} claims of this node were compared with the database.`)
}

async function lostCodes(db: CurrentDb): Promise<number> {
  const { lost } = await db
    .selectFrom('codes')
    .select((eb) => eb.fn.countAll<number>().as('lost'))
    .where('lost_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return lost
}

/** From the position where log and database last agreed. */
async function compare(db: CurrentDb, path: string, log: string | undefined) {
  const result = { claims: 0, lost: 0, damaged: 0 }
  if (log === undefined) return result
  const from = (await agreedPosition(db, log)) ?? HEAD_BYTES
  for (const { claims, damagedLines } of readCodeLog(path, from)) {
    result.claims += claims.length
    result.damaged += damagedLines
    for (let at = 0; at < claims.length; at += CODES_AT_ONCE) {
      result.lost += await missing(db, claims.slice(at, at + CODES_AT_ONCE))
    }
  }
  return result
}

async function missing(db: CurrentDb, claims: readonly ClaimedCode[]): Promise<number> {
  const keyOf = ({ code, domainId }: { code: string; domainId: number }) => `${domainId} ${code}`
  const claimed = new Set(claims.map(keyOf))
  const rows = await db
    .selectFrom('codes')
    .select(['code', 'domain_id as domainId'])
    .where(
      'code',
      'in',
      claims.map(({ code }) => code),
    )
    .execute()
  return claimed.difference(new Set(rows.map(keyOf))).size
}
