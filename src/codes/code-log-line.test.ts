import { expect, test } from 'bun:test'
import { claimLine, HEAD_BYTES, headLine, readClaimLine, readHeadLine } from './code-log-line.ts'

const LOG = '0193b1c0-0000-4000-8000-0000000000c0'
const CLAIM = { code: 'launch_-9', accountId: 5, linkId: Number.MAX_SAFE_INTEGER }

test('a line says what was claimed, and reads back as it was written', () => {
  expect(claimLine(CLAIM)).toMatch(/^[0-9a-f]{8} 5 9007199254740991 launch_-9\n$/)
  expect(readClaimLine(claimLine(CLAIM).trimEnd())).toEqual(CLAIM)
})

test('the first line has the log’s id and a known length', () => {
  expect(headLine(LOG)).toHaveLength(HEAD_BYTES)
  expect(readHeadLine(headLine(LOG).trimEnd())).toBe(LOG)
})

test('a line is neither read as the first nor the first as a claim', () => {
  expect(readHeadLine(claimLine(CLAIM).trimEnd())).toBeUndefined()
  expect(readClaimLine(headLine(LOG).trimEnd())).toBeUndefined()
})

test('with any one bit of it flipped, or cut anywhere, a line is not read', () => {
  const bytes = Buffer.from(claimLine(CLAIM).trimEnd(), 'latin1')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    expect(readClaimLine(flipped.toString('latin1'))).toBeUndefined()
  }
  for (let length = 0; length < bytes.length; length++)
    expect(readClaimLine(bytes.toString('latin1', 0, length))).toBeUndefined()
})
