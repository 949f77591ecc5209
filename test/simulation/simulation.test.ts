import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { DAY_US } from '../../src/runtime/clock.ts'
import { commandFor } from './simulate.ts'
import type { Ending, RunPlan, Scenario } from './scenario.ts'
import { type Sabotage, simulate, simulateScenario } from './simulation.ts'
import type { Fault, Operation, PlannedFault } from './simulated-process.ts'

/** More seeds: SEEDS=600, or npm run simulate -- --seeds 100000 */
const SEEDS = Number(process.env.SEEDS ?? 200)
/** It is CPU work, which takes long on a busy machine. */
setDefaultTimeout(300_000)

describe('acknowledged ≤ counted ≤ sent, for every click', () => {
  test('whatever fails, dies, is lost or comes back: a seed each', async () => {
    const failures: Broken[] = []
    const all = { sent: 0, acknowledged: 0, excused: 0, counted: 0, closed: 0, deleted: 0 }
    const elsewhere = { turnedAway: 0, fallback: 0, partA: 0, partB: 0 }
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { broken, tally } = await simulate(seed)
      if (broken.length > 0) failures.push({ repeatWith: commandFor(seed), broken })
      for (const key of Object.keys(all) as (keyof typeof all)[]) all[key] += tally[key]
      for (const key of Object.keys(elsewhere) as (keyof typeof elsewhere)[]) elsewhere[key] += tally[key]
    }
    expect(failures).toEqual([])
    // Most visitors are answered, some clicks are refused, some counted without an answer, and few excused.
    expect(all.sent).toBeGreaterThan(10 * SEEDS)
    // Links with a limit refuse visitors while the store is away.
    expect(all.acknowledged).toBeGreaterThan(0.85 * all.sent)
    expect(all.acknowledged).toBeLessThan(all.sent)
    expect(all.excused).toBeLessThan(0.2 * all.acknowledged)
    expect(all.counted).toBeGreaterThan(all.acknowledged - all.excused)
    // Many have moved into files.
    expect(all.closed).toBeGreaterThan(all.counted / 10)
    // Some are deleted, in the table and in files.
    expect(all.deleted).toBeGreaterThan(SEEDS / 4)
    // Links with times, limits and splits lead visitors to all their places.
    for (const visitors of Object.values(elsewhere)) expect(visitors).toBeGreaterThan(SEEDS / 10)
    expect(elsewhere.partA).toBeGreaterThan(2 * elsewhere.partB)
  })

  test.each(FAULTS)('whichever call to disk or store has this fault: %j', async (fault) => {
    await atEveryCall(fault.operation, (skip) => ({ faults: [{ ...fault, skip }], ending: 'stop' }))
  })

  test.each(DEATHS)('whichever call the program is to %s, by a %s', async (...[fault, ending]) => {
    await atEveryCall(undefined, (skip) => ({
      faults: [{ fault, operation: undefined, skip, times: 1 }],
      ending,
    }))
  })
})

test('a segment that was begun and never got a lasting name is not missed after a power failure', async () => {
  const killed = aRun({ faults: [{ ...DYING, operation: 'syncFolder', skip: 1 }], ending: 'kill' })
  for (let skip = 0; skip < 20; skip++) {
    const faults = [{ ...DYING, operation: undefined, skip }]
    const runs = [killed, aRun({ faults, ending: 'power failure' })]
    for (let seed = 1; seed <= 6; seed++) {
      const { broken } = await simulateScenario({ ...SMALL, sync: 'os', runs }, seed)
      expect({ skip, seed, broken }).toEqual({ skip, seed, broken: [] })
    }
  }
})

const DYING = { fault: 'die before', times: 1 } as const

type Harm = Pick<RunPlan, 'faults' | 'ending'>

/** Repeats a small scenario with a fault at each of its calls to disk and store, or at those of one kind. */
async function atEveryCall(operation: Operation | undefined, harmAt: (skip: number) => Harm): Promise<void> {
  for (const sync of ['os', 'disk'] as const) {
    const harmless = await simulateScenario(
      { ...SMALL, sync, runs: [aRun({ faults: [], ending: 'stop' })] },
      1,
    )
    const calls = harmless.processes[0]!.countOf(operation)
    expect(calls).toBeGreaterThan(operation === undefined ? 40 : 3)
    for (let skip = 0; skip < calls; skip++) {
      const { broken } = await simulateScenario({ ...SMALL, sync, runs: [aRun(harmAt(skip))] }, 1)
      expect({ sync, skip, broken }).toEqual({ sync, skip, broken: [] })
    }
  }
}

const SMALL: Omit<Scenario, 'sync' | 'runs'> = { segmentBytesMax: 400, retentionUs: 3 * DAY_US }

function aRun(harm: Harm): RunPlan {
  const quiet = { roomBytes: Infinity, otherReader: 'none', clockJumpUs: 0, machineFault: undefined } as const
  return { clicks: 6, visitors: 2, deletions: 1, drainBatchesMax: 1, ...quiet, ...harm }
}

test('the same seed tells the same story, call by call', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const [first, second] = [
      await simulate(seed, { keepsHistory: true }),
      await simulate(seed, { keepsHistory: true }),
    ]
    expect(first.history.length).toBeGreaterThan(20)
    expect([second.history, second.tally]).toEqual([first.history, first.tally])
  }
})

test('a reader that outlives its run counts what it had found, and finds nothing more', async () => {
  let counted = 0
  for (let seed = 1; seed <= 300; seed++) {
    const { history } = await simulate(seed, { keepsHistory: true })
    let run = 0
    for (const line of history) {
      run = Number(/^run (\d+): \{/.exec(line)?.[1] ?? run)
      const [, of, call] = /^other reader of run (\d+): (\w+)/.exec(line) ?? []
      if (of === undefined || Number(of) === run) continue
      expect([seed, call]).not.toEqual([seed, 'list'])
      if (call === 'commit') counted++
    }
  }
  expect(counted).toBeGreaterThan(0)
})

describe('the simulation notices', () => {
  const SEEDS_MAX = 400

  /** The first violation that any seed reports. */
  async function noticed(sabotage: Sabotage): Promise<string[]> {
    for (let seed = 1; seed <= SEEDS_MAX; seed++) {
      const { broken } = await simulate(seed, { sabotage })
      if (broken.length > 0) return broken
    }
    return []
  }

  test('a disk that says that a file is synced, and it is not', async () => {
    expect((await noticed({ disk: 'lies about files' })).join()).toMatch(
      /was acknowledged and is not counted/,
    )
  })

  test('a disk that says that names are synced, and they are not', async () => {
    expect((await noticed({ disk: 'lies about folders' })).join()).toMatch(
      /was acknowledged and is not counted/,
    )
  })

  test('a store that keeps half of what it was asked to remove', async () => {
    expect((await noticed({ store: 'keeps what is rolled back' })).join()).toMatch(/counted|Not so/)
  })
})

const FAULTS: Pick<PlannedFault, 'fault' | 'operation' | 'times'>[] = [
  { fault: 'fail', operation: undefined, times: 1 },
  { fault: 'fail', operation: undefined, times: 3 },
  { fault: 'fail after doing it', operation: undefined, times: 1 },
  { fault: 'roll back', operation: 'statement', times: 1 },
  { fault: 'short', operation: 'write', times: 1 },
  { fault: 'none', operation: 'write', times: 2 },
]

const DEATHS: [Fault, Ending][] = [
  ['die before', 'kill'],
  ['die after', 'kill'],
  ['die after', 'power failure'],
]

type Broken = { repeatWith: string; broken: string[] }
