import { describe, expect, test } from 'bun:test'
import { MovedStore, type StoreIdentity } from '../store-identity.ts'
import { stateOf } from './destination-state.ts'

const WHOLE: StoreIdentity = { id: '', filled_from: null, moved_to: null, moved_place: null, moved_at: null }
const MOVED = { moved_place: 'postgres://elsewhere/tern', moved_at: 1_795_262_400_000_000 }

const state = (source: Partial<StoreIdentity>, destination: Partial<StoreIdentity>) =>
  stateOf(
    { identity: { ...WHOLE, id: 'source', ...source }, location: 'sqlite:/data' },
    { identity: { ...WHOLE, id: 'target', ...destination }, location: 'postgres://here/tern' },
  )

describe('a target', () => {
  test.each([
    ['whole', {}, {}],
    ['left', {}, { ...MOVED, moved_to: 'source' }],
    ['begun', {}, { filled_from: 'source' }],
    ['filled', { ...MOVED, moved_to: 'target' }, { filled_from: 'source' }],
    ['finished', { ...MOVED, moved_to: 'target' }, {}],
    ['finished', { ...MOVED, moved_to: 'target' }, { ...MOVED, moved_to: 'further' }],
  ] as const)('is %s', (expected, source, destination) => {
    expect(state(source, destination)).toBe(expected)
  })

  test('of another move that is not finished is refused', () => {
    expect(() => state({}, { filled_from: 'another' })).toThrow(
      'A move from another store into postgres://here/tern is not finished',
    )
    expect(() => state({ ...MOVED, moved_to: 'target' }, { filled_from: 'another' })).toThrow('another store')
  })

  test('is refused to a source that was moved elsewhere, even one that this source has begun to fill', () => {
    for (const destination of [{}, { filled_from: 'source' }]) {
      const ask = () => state({ ...MOVED, moved_to: 'elsewhere' }, destination)
      expect(ask).toThrow(MovedStore)
      expect(ask).toThrow('This store was moved to postgres://elsewhere/tern at 2026-11-21T12:00:00Z')
    }
  })
})
