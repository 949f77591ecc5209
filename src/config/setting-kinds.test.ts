import { expect, test } from 'bun:test'
import { SETTING_CASES } from '../../test/rigs/service/setting-kinds.data.ts'
import { duration } from './setting-kinds.ts'

test.each(Object.entries(SETTING_CASES))(
  '%s: what is allowed is read, and nothing else',
  (_, { kind, accepted, refused }) => {
    for (const [text, value] of accepted) expect([text, kind.read(text)]).toEqual([text, value])
    for (const text of refused) expect([text, kind.read(text)]).toEqual([text, undefined])
  },
)

test('a range says its ends and its reason as the operator would write them', () => {
  const { allowed } = duration({ min: '1h', max: '365d', why: 'backups are daily' })
  expect(allowed).toBe('a duration such as 30m, 72h or 3d, from 1h to 365d (backups are daily)')
})
