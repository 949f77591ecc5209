import { expect, test } from 'bun:test'
import { invalid, Refusal } from '../errors/refusal.ts'
import { optionSentences } from './option-sentences.ts'

const OPTIONS = Object.fromEntries(
  ['page', 'domain', 'on-conflict', 'conflict-domain'].map((name) => [
    name,
    { type: 'string' as const, meaning: '' },
  ]),
)

test.each([
  ['page', 'The page must be at least 1.', '--page must be at least 1.'],
  ['domain', 'The domain field is required.', '--domain is required.'],
  ['on_conflict', 'The on conflict must be one of skip, keep.', '--on-conflict must be one of skip, keep.'],
  [
    'conflict_domain',
    'The conflict domain is required when on conflict is move.',
    '--conflict-domain is required when --on-conflict is move.',
  ],
  ['email', 'The email must be a valid email address.', 'The email must be a valid email address.'],
  ['email', 'The page of the email is full.', 'The page of the email is full.'],
])('%s: %s', (field, sentence, ofOptions) => {
  expect(optionSentences(invalid({ [field]: [sentence] }), OPTIONS)).toEqual([ofOptions])
})

test('a refusal without fields has one sentence', () => {
  expect(optionSentences(new Refusal('import_not_found', 'Import not found.'), OPTIONS)).toEqual([
    'Import not found.',
  ])
})
