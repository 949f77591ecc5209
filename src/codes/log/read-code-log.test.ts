import { expect, test } from 'bun:test'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { type ClaimedCode, claimRecord, HEAD_BYTES, headRecord } from './code-log-record.ts'
import { isWholeBefore, readCodeLog, readCodeLogHead } from './read-code-log.ts'

const folders = useFolders()

const LOG = '0193b1c0-0000-4000-8000-0000000000c0'

test('a log of several pieces is read whole, or from any line on', () => {
  const all = claims(20_000)
  const lines = all.map(claimRecord)
  const { path, bytes } = written(...lines)
  expect(readAll(path)).toEqual({ claims: all, damagedLines: 0, end: bytes })
  const from = HEAD_BYTES + lines.slice(0, 12_345).join('').length
  expect(readAll(path, from)).toEqual({ claims: all.slice(12_345), damagedLines: 0, end: bytes })
})

test('cut at any byte, the log gives the lines that are whole', () => {
  const all = claims(3)
  const { path, bytes } = written(...all.map(claimRecord))
  const starts = [0, 1, 2, 3].map(
    (count) => HEAD_BYTES + all.slice(0, count).map(claimRecord).join('').length,
  )
  for (let size = bytes - 1; size >= HEAD_BYTES; size--) {
    truncateSync(path, size)
    const whole = starts.findLastIndex((start) => start <= size)
    expect(readAll(path)).toEqual({ claims: all.slice(0, whole), damagedLines: 0, end: starts[whole]! })
  }
})

test('damage costs its own lines and is counted', () => {
  const [first, second, third] = claims(3)
  const { path, bytes } = written(
    claimRecord(first!),
    claimRecord(second!).replace('code', 'c0de'),
    '\0'.repeat(300_000) + '\n',
    claimRecord(third!),
  )
  const read = readAll(path)
  expect(read.claims).toEqual([first!, third!])
  expect(read.damagedLines).toBeGreaterThanOrEqual(2)
  expect(read.end).toBe(bytes)
})

test('where there is no log there are no lines', () => {
  const path = join(folders.make(), 'codes.log')
  expect(readCodeLogHead(path)).toBe('none')
  expect(readAll(path).claims).toEqual([])
  expect(isWholeBefore(path, HEAD_BYTES)).toBe(false)
})

test('the first line says which log it is, unless it is damaged', () => {
  const { path, bytes } = written()
  expect(readCodeLogHead(path)).toEqual({ log: LOG, bytes })
  writeFileSync(path, headRecord(LOG).replace('tern', 'tarn'))
  expect(readCodeLogHead(path)).toBe('damaged')
})

test('what stands before a position is whole, shorter than that, or spoiled', () => {
  const all = claims(5_000)
  const { path, bytes } = written(...all.map(claimRecord))
  expect(isWholeBefore(path, HEAD_BYTES)).toBe(true)
  expect(isWholeBefore(path, bytes)).toBe(true)
  expect(isWholeBefore(path, bytes + 1)).toBe(false)
  expect(isWholeBefore(path, bytes - 1)).toBe(false)
  truncateSync(path, bytes - 10)
  truncateSync(path, bytes)
  expect(isWholeBefore(path, bytes)).toBe(false)
})

const claims = (count: number): ClaimedCode[] =>
  Array.from({ length: count }, (_, i) => ({ domainId: 0, code: `code-${i}`, workspaceId: 1, linkId: i + 1 }))

function written(...lines: string[]): { path: string; bytes: number } {
  const path = join(folders.make(), 'codes.log')
  const text = headRecord(LOG) + lines.join('')
  writeFileSync(path, text, 'latin1')
  return { path, bytes: text.length }
}

function readAll(path: string, from = HEAD_BYTES) {
  const pieces = [...readCodeLog(path, from)]
  return {
    claims: pieces.flatMap(({ claims }) => claims),
    damagedLines: pieces.reduce((sum, { damagedLines }) => sum + damagedLines, 0),
    end: pieces.at(-1)?.end ?? from,
  }
}
