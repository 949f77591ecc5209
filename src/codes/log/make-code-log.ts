import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, renameSync } from 'node:fs'
import { syncFolderOf, writeToFile } from '../../store/files/durable-files.ts'
import { headRecord } from './code-log-record.ts'
import { readCodeLogHead } from './read-code-log.ts'

const PIECE_BYTES = 1024 * 1024

/** The log's id. Where there is no log it is made; one whose first line is damaged gets a new one, before all that it has. */
export function readOrMakeCodeLog(path: string): string {
  const head = readCodeLogHead(path)
  if (typeof head === 'object') return head.log
  const log = randomUUID()
  const next = `${path}.next`
  const file = openSync(next, 'w')
  try {
    const first = Buffer.from(headRecord(log))
    writeToFile(file, first, 0)
    if (head === 'damaged') append(file, { path, at: first.length })
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(next, path)
  syncFolderOf(path)
  return log
}

function append(to: number, { path, at }: { path: string; at: number }): void {
  const from = openSync(path, 'r')
  const bytes = Buffer.allocUnsafe(PIECE_BYTES)
  try {
    for (let read = readSync(from, bytes); read > 0; read = readSync(from, bytes)) {
      writeToFile(to, bytes.subarray(0, read), at)
      at += read
    }
  } finally {
    closeSync(from)
  }
}
