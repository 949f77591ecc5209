import { describe, expect, test } from 'bun:test'
import { MovedStore, type StoreIdentity } from '../store-identity.ts'
import { stateOf } from './target-state.ts'

const WHOLE: StoreIdentity = { id: '', filled_from: null, moved_to: null, moved_place: null, moved_at: null }
const MOVED = { moved_place: 'postgres://elsewhere/tern', moved_at: 1_795_262_400_000_000 }

const state = (source: Partial<StoreIdentity>, target: Partial<StoreIdentity>) =>
  stateOf(
    { identity: { ...WHOLE, id: 'source', ...source }, place: 'sqlite:/data' },
    { identity: { ...WHOLE, id: 'target', ...target }, place: 'postgres://here/tern' },
  )

describe('a target', () => {
  test.each([
    ['whole', {}, {}],
    ['left', {}, { ...MOVED, moved_to: 'source' }],
    ['begun', {}, { filled_from: 'source' }],
    ['filled', { ...MOVED, moved_to: 'target' }, { filled_from: 'source' }],
    ['finished', { ...MOVED, moved_to: 'target' }, {}],
    ['finished', { ...MOVED, moved_to: 'target' }, { ...MOVED, moved_to: 'further' }],
  ] as const)('is %s', (expected, source, target) => {
    expect(state(source, target)).toBe(expected)
  })

  test('of another move that is not finished is refused', () => {
    expect(() => state({}, { filled_from: 'another' })).toThrow(
      'A move from another store into postgres://here/tern is not finished',
    )
    expect(() => state({ ...MOVED, moved_to: 'target' }, { filled_from: 'another' })).toThrow('another store')
  })

  test('is refused to a source that was moved elsewhere, even one that this source has begun to fill', () => {
    for (const target of [{}, { filled_from: 'source' }]) {
      const ask = () => state({ ...MOVED, moved_to: 'elsewhere' }, target)
      expect(ask).toThrow(MovedStore)
      expect(ask).toThrow('This store was moved to postgres://elsewhere/tern at 2026-11-21T12:00:00Z')
    }
  })
})
