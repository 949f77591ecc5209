import { expect, test } from 'bun:test'
import { changesOf, panelsOf } from './share-form.ts'

const BEFORE = {
  panels: ['clicks' as const, 'countries' as const],
  endsAt: '2026-12-31T09:00:00.000000Z',
  password: undefined,
}

test('only what differs is sent, and nothing while nothing does', () => {
  const changes = (change: Partial<Parameters<typeof changesOf>[1]>) =>
    changesOf(BEFORE, { ...BEFORE, ...change })
  expect(changes({})).toBeUndefined()
  // The same time in another spelling, and a password that is not typed yet.
  expect(changes({ endsAt: '2026-12-31T09:00:00.000Z', password: '' })).toBeUndefined()
  expect(changes({ panels: [] })).toEqual({ panels: [] })
  expect(changes({ endsAt: null })).toEqual({ ends_at: null })
  expect(changes({ endsAt: '2027-01-01T09:00:00.000Z' })).toEqual({ ends_at: '2027-01-01T09:00:00.000Z' })
  expect(changes({ password: 'sesame' })).toEqual({ password: 'sesame' })
  expect(changes({ password: null })).toEqual({ password: null })
  expect(changesOf({ ...BEFORE, endsAt: null }, BEFORE)).toEqual({ ends_at: BEFORE.endsAt })
})

test('a link can show its destination, a tag and a folder their links', () => {
  const link = { kind: 'link', name: '', short_code: '', domain: '' } as const
  expect(panelsOf(link)).toEqual(['clicks', 'countries', 'sources', 'devices', 'via', 'destination'])
  for (const kind of ['tags', 'folders'] as const)
    expect(panelsOf({ kind, id: 1, name: '' })).toEqual([
      ...(['clicks', 'countries', 'sources', 'devices', 'via', 'links'] as const),
    ])
})
