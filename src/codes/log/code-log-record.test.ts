import { expect, test } from 'bun:test'
import { claimRecord, HEAD_BYTES, headRecord, readClaimRecord, readHeadRecord } from './code-log-record.ts'

const LOG = '0193b1c0-0000-4000-8000-0000000000c0'
const CLAIM = { domainId: 0, code: 'launch_-9', workspaceId: 5, linkId: Number.MAX_SAFE_INTEGER }

test('a line says what was claimed, and reads back as it was written', () => {
  expect(claimRecord(CLAIM)).toMatch(/^[0-9a-f]{8} 5 9007199254740991 launch_-9\n$/)
  expect(readClaimRecord(claimRecord(CLAIM).trimEnd())).toEqual(CLAIM)
})

test('a line of another domain begins with it, one of the default domain is as it always was', () => {
  const elsewhere = { ...CLAIM, domainId: 12 }
  expect(claimRecord(elsewhere)).toMatch(/^[0-9a-f]{8} 12 5 9007199254740991 launch_-9\n$/)
  expect(readClaimRecord(claimRecord(elsewhere).trimEnd())).toEqual(elsewhere)
  // Written by the version before domains.
  expect(readClaimRecord('cc6d145d 5 17 launch')).toEqual({
    domainId: 0,
    code: 'launch',
    workspaceId: 5,
    linkId: 17,
  })
  expect(claimRecord({ domainId: 0, code: 'launch', workspaceId: 5, linkId: 17 })).toBe(
    'cc6d145d 5 17 launch\n',
  )
})

test('the first line has the log’s id and a known length', () => {
  expect(headRecord(LOG)).toHaveLength(HEAD_BYTES)
  expect(readHeadRecord(headRecord(LOG).trimEnd())).toBe(LOG)
})

test('a line is neither read as the first nor the first as a claim', () => {
  expect(readHeadRecord(claimRecord(CLAIM).trimEnd())).toBeUndefined()
  expect(readClaimRecord(headRecord(LOG).trimEnd())).toBeUndefined()
})

test('with any one bit of it flipped, or cut anywhere, a line is not read', () => {
  const bytes = Buffer.from(claimRecord(CLAIM).trimEnd(), 'latin1')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    expect(readClaimRecord(flipped.toString('latin1'))).toBeUndefined()
  }
  for (let length = 0; length < bytes.length; length++)
    expect(readClaimRecord(bytes.toString('latin1', 0, length))).toBeUndefined()
})
