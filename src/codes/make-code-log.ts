import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { headLine } from './code-log-line.ts'
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
    writeSync(file, headLine(log))
    if (head === 'damaged') append(file, path)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(next, path)
  syncFolder(dirname(path))
  return log
}

function append(to: number, path: string): void {
  const from = openSync(path, 'r')
  const bytes = Buffer.allocUnsafe(PIECE_BYTES)
  try {
    for (let read = readSync(from, bytes); read > 0; read = readSync(from, bytes))
      writeSync(to, bytes, 0, read)
  } finally {
    closeSync(from)
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
