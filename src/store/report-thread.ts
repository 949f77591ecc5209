import type { Database } from 'bun:sqlite'
import type { ReportAnswer, ReportRequest } from './report-line.ts'
import { openSqliteReader, runStatement } from './sqlite-file.ts'

/** The report thread: opens the file it is told first, then answers one statement after the other. */
declare const self: Worker

let database: Database

self.onmessage = (event: MessageEvent<{ path: string } | ReportRequest>) => {
  const message = event.data
  if ('path' in message) database = openSqliteReader(message.path)
  else self.postMessage(answer(message))
}

function answer({ id, text, parameters }: ReportRequest): ReportAnswer {
  try {
    return { id, rows: runStatement(database, text, parameters).rows }
  } catch (error) {
    return { id, error: String(error) }
  }
}
