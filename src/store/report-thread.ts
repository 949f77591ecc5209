import type { Database } from 'bun:sqlite'
import type { ReportAnswer, ReportMessage, ReportRequest } from './report-line.ts'
import { openSqliteReader, runStatement } from './sqlite-file.ts'

/** The report thread: opens the file it is told first, then answers one statement after the other until it is to close. */
declare const self: Worker

let database: Database

self.onmessage = ({ data: message }: MessageEvent<ReportMessage>) => {
  if (message === 'close') {
    database.close()
    self.postMessage('closed' satisfies ReportAnswer)
  } else if ('path' in message) database = openSqliteReader(message.path)
  else self.postMessage(answer(message))
}

function answer({ id, text, parameters }: ReportRequest): ReportAnswer {
  try {
    return { id, rows: runStatement(database, text, parameters).rows }
  } catch (error) {
    return { id, error: String(error) }
  }
}
