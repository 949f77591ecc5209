import { expect, test } from 'bun:test'
import { NOON_US } from '../../../../test/rigs/clicks/journal-rig.ts'
import { HOUR_US } from '../../../runtime/clock.ts'
import { isShareToken, shareToken } from './share-token.ts'

const SHARE = { secret: 'secret', passwordHash: '$argon2id$one' }

test('a token holds for an hour, for one URL and one password, and only as it was made', () => {
  const token = shareToken(SHARE, NOON_US)
  const holds = (text: string, share = SHARE, atUs = NOON_US) => isShareToken(text, share, atUs)
  expect(holds(token)).toBe(true)
  expect(holds(token, SHARE, NOON_US + HOUR_US - 1)).toBe(true)
  expect(holds(token, SHARE, NOON_US + HOUR_US)).toBe(false)
  expect(holds(token, { ...SHARE, secret: 'another' })).toBe(false)
  expect(holds(token, { ...SHARE, passwordHash: '$argon2id$two' })).toBe(false)
  const [ends, signature] = token.split('.')
  for (const text of ['', '.', ends!, `${Number(ends) + 1}.${signature}`, `${token}A`, `0${token}`])
    expect([text, holds(text)]).toEqual([text, false])
})
