import { expect, test } from 'bun:test'
import { NO_CHOICES } from '../../../../test/rigs/import/job-rig.ts'
import { percentDone } from '../import-progress.ts'
import { linksToImport, outcomeText, resultText } from './import-numbers.ts'

const counts = { created: 182, equal: 5, conflicts: 6, refused: 3 }
const choices = { ...NO_CHOICES, skip: 2, replace: 1, rename: 3 } as const

test('what is imported are new links, and conflicts that change something', () => {
  expect(linksToImport({ counts, choices })).toBe(186)
  expect(outcomeText({ counts, choices })).toBe('186 imported, 5 already here, 2 kept as they are, 3 refused')
})

test('what goes to another domain is imported, and no longer refused', () => {
  const moved = { ...NO_CHOICES, move: 6, moved_refused: 1 }
  expect(outcomeText({ counts, choices: moved })).toBe('189 imported, 5 already here, 2 refused')
})

test('of what there is none, nothing is said', () => {
  const none = { ...NO_CHOICES, skip: 1 } as const
  const one = { created: 0, equal: 0, conflicts: 1, refused: 0 }
  expect(outcomeText({ counts: one, choices: none })).toBe('1 kept as it is')
  expect(linksToImport({ counts: null, choices: none })).toBe(0)
})

test('links under another code are counted once', () => {
  const results = { created: 185, equal: 5, skipped: 2, kept: 0, replaced: 1, refused: 3 }
  expect(resultText(results, 3)).toBe('182 new, 3 under another code, 1 replaced')
})

test('the share that is done is unknown until it is known how many links there are', () => {
  expect(percentDone({ links: 120, of: null, since: null })).toBeUndefined()
  expect(percentDone({ links: 120, of: 186, since: null })).toBe(64)
  expect(percentDone({ links: 186, of: 186, since: null })).toBe(100)
})
