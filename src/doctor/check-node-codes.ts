import { agreedPosition } from '../codes/log/block-lost-codes.ts'
import { HEAD_BYTES } from '../codes/log/code-log-record.ts'
import { codeLogPath, readCodeLogHead } from '../codes/log/read-code-log.ts'
import type { CurrentDb } from '../store/handles.ts'
import { blockedLosses, compareClaims, namedCodes } from './lost-codes.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'

/**
 * Whether the database has every acknowledged link: the losses that nodes have found, and the claims of this node that are
 * not checked yet.
 */
export async function checkNodeCodes(db: CurrentDb, dataDir: string): Promise<Finding[]> {
  const path = codeLogPath(dataDir)
  const complaints: Problem[] = []
  const losses = await blockedLosses(db)
  if (losses.count > 0) {
    complaints.push(
      fault(
        `${losses.count} acknowledged links are lost because the database went back in time. Their codes are blocked: ${namedCodes(losses.codes, losses.count)}.`,
      ),
    )
  }
  const head = readCodeLogHead(path)
  if (head === 'damaged')
    complaints.push(warning('The first line of the code log is damaged. The next start repairs it.'))
  const log = typeof head === 'string' ? undefined : head.log
  const from = log === undefined ? undefined : ((await agreedPosition(db, log)) ?? HEAD_BYTES)
  const { claims, lost, damaged } = await compareClaims(db, path, from)
  if (lost.length > 0) {
    complaints.push(
      fault(
        `${lost.length} links that this node acknowledged are lost, and their codes are not blocked yet: ${namedCodes(lost.map(({ code }) => code))}. Start the node.`,
      ),
    )
  }
  if (damaged > 0)
    complaints.push(warning(`${damaged} lines of the code log cannot be read. Check the disk.`))
  return findings('codes', complaints, `${claims} claims of this node were compared with the database.`)
}
