import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type ClaimedCode, HEAD_BYTES, readClaimRecord, readHeadRecord } from './code-log-record.ts'
import { whenMissing } from '../../store/files/when-missing.ts'

const PIECE_BYTES = 256 * 1024
/** What a power failure may have spoiled lies right before the end. */
const CHECKED_BYTES = 64 * 1024
const LINE_FEED = 0x0a

export const codeLogPath = (dataDir: string): string => join(dataDir, 'codes.log')

export type CodeLogHead = { log: string; bytes: number }

/** The log's id and size: 'none' where there is no log, 'damaged' where its first line cannot be read. */
export function readCodeLogHead(path: string): CodeLogHead | 'none' | 'damaged' {
  return withFile(path, 'none' as const, (file) => {
    const log = readHeadRecord(textAt(file, 0, HEAD_BYTES).trimEnd())
    return log === undefined ? ('damaged' as const) : { log, bytes: fstatSync(file).size }
  })
}

export type CodeLogPiece = {
  claims: ClaimedCode[]
  /** Lines that cannot be read. */
  damagedLines: number
  /** Behind the last whole line. */
  end: number
}

/** The lines from an offset on, piece by piece. Bytes after the last line feed are not a line yet. */
export function* readCodeLog(path: string, from: number): Generator<CodeLogPiece> {
  for (let at = from; ;) {
    const piece = withFile(path, undefined, (file) => readPiece(file, at))
    if (piece === undefined || piece.end === at) return
    yield piece
    at = piece.end
  }
}

/** Whether the log is intact up to the position. A power failure may lose bytes that were not synced. */
export function isWholeBefore(path: string, position: number): boolean {
  return withFile(path, false, (file) => {
    if (fstatSync(file).size < position) return false
    const from = Math.max(HEAD_BYTES, position - CHECKED_BYTES)
    const text = textAt(file, from, position - from)
    if (text === '') return true
    // Unless it is the first, the first line may be cut.
    const lines = text.split('\n').slice(from === HEAD_BYTES ? 0 : 1)
    return lines.pop() === '' && lines.every((line) => readClaimRecord(line) !== undefined)
  })
}

function readPiece(file: number, at: number): CodeLogPiece {
  const bytes = bytesAt(file, at, PIECE_BYTES)
  const end = bytes.lastIndexOf(LINE_FEED) + 1
  // So long a line is damage in any case: step over it.
  if (end === 0 && bytes.length === PIECE_BYTES)
    return { claims: [], damagedLines: 1, end: at + bytes.length }
  const lines = bytes.toString('latin1', 0, Math.max(0, end - 1)).split('\n')
  if (end === 0) return { claims: [], damagedLines: 0, end: at }
  const claims = lines.map(readClaimRecord).filter((claim) => claim !== undefined)
  return { claims, damagedLines: lines.length - claims.length, end: at + end }
}

function withFile<Result, Missing>(
  path: string,
  missing: Missing,
  read: (file: number) => Result,
): Result | Missing {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    return whenMissing(missing)(error)
  }
  try {
    return read(file)
  } finally {
    closeSync(file)
  }
}

function bytesAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}

const textAt = (file: number, offset: number, length: number) =>
  bytesAt(file, offset, length).toString('latin1')
