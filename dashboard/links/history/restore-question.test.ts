import { expect, test } from 'bun:test'
import type { LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'
import { changesBackTo } from './restore-question.tsx'

test('a restored version changes every field that has changed since, from its value of today', () => {
  expect(changesBackTo(1, VERSIONS)).toEqual({
    original_url: { from: 'https://c.example/', to: 'https://a.example/' },
    is_active: { from: false, to: true },
    max_clicks: { from: 5, to: null },
    title: { from: 'B', to: 'A' },
  })
  expect(Object.keys(changesBackTo(3, VERSIONS))).toEqual(['original_url', 'is_active'])
})

test('a field that has its value again is no change', () => {
  const again = version(5, { is_active: { from: false, to: true } })
  expect(Object.keys(changesBackTo(3, [again, ...VERSIONS]))).toEqual(['original_url'])
  expect(changesBackTo(4, VERSIONS)).toEqual({})
})

const VERSIONS = [
  version(4, {
    original_url: { from: 'https://b.example/', to: 'https://c.example/' },
    is_active: { from: true, to: false },
  }),
  version(3, { max_clicks: { from: null, to: 5 }, title: { from: 'A', to: 'B' } }),
  version(2, {
    original_url: { from: 'https://a.example/', to: 'https://b.example/' },
    has_password: { from: false, to: true },
  }),
  version(1, {}),
]

function version(number: number, changes: LinkVersionView['changes']): LinkVersionView {
  return {
    version: number,
    changed_at: '2026-11-20T10:00:00Z',
    changed_by: null,
    api_key: null,
    changes,
  }
}
