import { agreedPosition } from '../codes/log/block-lost-codes.ts'
import { HEAD_BYTES } from '../codes/log/code-log-record.ts'
import { codeLogPath, isWholeBefore, readCodeLog, readCodeLogHead } from '../codes/log/read-code-log.ts'
import type { CurrentDb } from '../store/handles.ts'
import { type Problem, type Finding, findings, warning } from './finding.ts'

/** Whether the code log is complete: after a restore it keeps codes from being claimed again. */
export async function checkCodes(db: CurrentDb, dataDir: string): Promise<Finding[]> {
  const path = codeLogPath(dataDir)
  const head = readCodeLogHead(path)
  if (typeof head === 'string') {
    const state = head === 'none' ? 'There is no code log' : 'The first line of the code log is damaged'
    return findings('codes', [warning(`${state}: the next start of the server repairs it.`)], '')
  }
  const position = await agreedPosition(db, head.log)
  const { lines, damaged } = countLines(path)
  const complaints: Problem[] = []
  if (position === undefined || !isWholeBefore(path, position)) {
    complaints.push(warning('The code log and the database differ: the next start of the server repairs it.'))
  } else if (position < head.bytes) {
    complaints.push(
      warning('The code log has codes that the database lost. The next start of the server blocks them.'),
    )
  }
  if (damaged > 0)
    complaints.push(warning(`${damaged} lines of the code log cannot be read. Check the disk.`))
  return findings('codes', complaints, `${lines} claims are recorded in codes.log.`)
}

function countLines(path: string): { lines: number; damaged: number } {
  const count = { lines: 0, damaged: 0 }
  for (const { claims, damagedLines } of readCodeLog(path, HEAD_BYTES)) {
    count.lines += claims.length
    count.damaged += damagedLines
  }
  return count
}
