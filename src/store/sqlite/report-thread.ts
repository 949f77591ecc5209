import type { Database } from 'bun:sqlite'
import type { ThreadStatus } from '../../runtime/thread.ts'
import type { FromReportThread, ToReportThread } from './report-channel.ts'
import { openSqliteReader, runStatement } from './sqlite-file.ts'

/** The report thread: opens the file, then runs one statement after the other until it is stopped. */
declare const self: Worker

let database: Database

const send = (message: ThreadStatus | FromReportThread) => self.postMessage(message)

self.onmessage = ({ data: message }: MessageEvent<ToReportThread>) => {
  if (message.kind === 'query') send(run(message))
  else if (message.kind === 'open') {
    database = openSqliteReader(message.path)
    send({ kind: 'ready' })
  } else {
    database.close()
    send({ kind: 'stopped' })
  }
}

function run({ id, text, parameters }: ToReportThread & { kind: 'query' }): FromReportThread {
  try {
    return { kind: 'rows', id, rows: runStatement(database, text, parameters).rows }
  } catch (error) {
    // The code, which the text lacks, says whether the store is unavailable.
    return { kind: 'error', id, error: String(error), code: (error as { code?: unknown }).code }
  }
}
