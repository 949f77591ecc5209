import { expect, test } from 'bun:test'
import * as BROKEN_THREADS from './rigs/program/broken-threads.data.ts'
import { type Change, changedTexts } from './rigs/program/changed-checkout.ts'
import { reportedChanges } from './rigs/reports/reported-tern.ts'
import { NEW_FIELDS } from './rigs/service/new-fields.data.ts'
import { machineChanges } from './robustness/driver/faulty-machine.ts'
import { SABOTAGES } from './simulation/sabotages.data.ts'

// Long suites run changed copies of the program. Here, what they replace is looked for as soon as the program changes.

test.each<{ title: string; changes: readonly Change[] }>([
  ...SABOTAGES,
  { title: 'has more fields of links', changes: NEW_FIELDS },
  { title: 'has a clock and a disk with faults', changes: machineChanges('offset', 'hangs', 0) },
  { title: 'moves clicks all the time', changes: reportedChanges(1_000) },
  ...Object.entries(BROKEN_THREADS).map(([title, change]) => ({ title, changes: [change] })),
])('there is still what becomes a program that $title', ({ changes }) => {
  expect(changedTexts(changes).size).toBeGreaterThan(0)
})
