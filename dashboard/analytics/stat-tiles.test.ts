import { expect, test } from 'bun:test'
import { changeOf } from './stat-tiles.tsx'

test.each([
  [140, 100, { kind: 'up', text: '+40%' }],
  [97, 100, { kind: 'down', text: '-3%' }],
  [0, 12, { kind: 'down', text: '-100%' }],
  [100, 100, { kind: 'none' }],
  // Half a percent would be shown as an arrow with 0%.
  [1_004, 1_000, { kind: 'none' }],
  [996, 1_000, { kind: 'none' }],
  [0, 0, { kind: 'none' }],
  [5, 0, { kind: 'new' }],
  [5, null, { kind: 'new' }],
  [0, null, { kind: 'new' }],
] as const)('%p after %p', (now, before, change) => {
  expect(changeOf({ now, before })).toEqual(change)
})
