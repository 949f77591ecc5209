import { expect, test } from 'bun:test'
import { changedTexts } from './rigs/program/changed-checkout.ts'
import { NEW_FIELDS } from './rigs/service/new-fields.data.ts'
import { SABOTAGES } from './simulation/sabotages.data.ts'

// Long suites run changed copies of the program. Here, what they replace is looked for as soon as the program changes.

test.each([...SABOTAGES, { title: 'has more fields of links', changes: NEW_FIELDS }])(
  'there is still what becomes a program that $title',
  ({ changes }) => {
    expect(changedTexts(changes).size).toBeGreaterThan(0)
  },
)
