import { agreedPosition } from '../codes/log/block-lost-codes.ts'
import { type ClaimedCode, HEAD_BYTES } from '../codes/log/code-log-record.ts'
import { codeLogPath, isWholeBefore, readCodeLog, readCodeLogHead } from '../codes/log/read-code-log.ts'
import type { CurrentDb } from '../store/handles.ts'
import { openStoreReader } from '../store/open-store-reader.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'
import { blockedLosses, claimsMissing, compareClaims, namedCodes } from './lost-codes.ts'

/** A running server writes a claim to the log shortly before it commits. */
const COMMIT_MS = 1_000

/** Whether the database has every acknowledged link, and the code log is complete. */
export async function checkCodes(db: CurrentDb, dataDir: string): Promise<Finding[]> {
  const losses = await blockedLosses(db)
  const complaints: Problem[] = []
  if (losses.count > 0) {
    complaints.push(
      warning(
        `${losses.count} acknowledged links are lost because the database went back in time. Their codes are blocked: ${namedCodes(losses.codes, losses.count)}.`,
      ),
    )
  }
  const log = await examineLog(db, dataDir)
  return findings(
    'codes',
    [...complaints, ...log.complaints],
    `${log.lines} claims are recorded in codes.log.`,
  )
}

async function examineLog(db: CurrentDb, dataDir: string): Promise<{ complaints: Problem[]; lines: number }> {
  const path = codeLogPath(dataDir)
  const head = readCodeLogHead(path)
  if (typeof head === 'string') {
    const state = head === 'none' ? 'There is no code log' : 'The first line of the code log is damaged'
    return { complaints: [warning(`${state}: the next start of the server repairs it.`)], lines: 0 }
  }
  const position = await agreedPosition(db, head.log)
  const isInStep = position !== undefined && isWholeBefore(path, position)
  const complaints: Problem[] = []
  if (!isInStep) {
    complaints.push(warning('The code log and the database differ: the next start of the server repairs it.'))
  }
  const lost = await lostClaims(db, dataDir, isInStep ? position : HEAD_BYTES)
  if (lost.length > 0) {
    const codes = namedCodes(lost.map(({ code }) => code))
    complaints.push(
      fault(
        `${lost.length} acknowledged links are lost, and their codes are not blocked yet: ${codes}. Restore a newer backup, or start the server to block the codes.`,
      ),
    )
  }
  const { lines, damaged } = countLines(path)
  if (damaged > 0)
    complaints.push(warning(`${damaged} lines of the code log cannot be read. Check the disk.`))
  return { complaints, lines }
}

async function lostClaims(db: CurrentDb, dataDir: string, from: number): Promise<ClaimedCode[]> {
  const { lost } = await compareClaims(db, codeLogPath(dataDir), from)
  if (lost.length === 0) return []
  await Bun.sleep(COMMIT_MS)
  const later = openStoreReader(dataDir)
  try {
    return await claimsMissing(later.db, lost)
  } finally {
    await later.close()
  }
}

function countLines(path: string): { lines: number; damaged: number } {
  const count = { lines: 0, damaged: 0 }
  for (const { claims, damagedLines } of readCodeLog(path, HEAD_BYTES)) {
    count.lines += claims.length
    count.damaged += damagedLines
  }
  return count
}
