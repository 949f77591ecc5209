import type { Sync } from '../../src/clicks/journal/segment-writer.ts'
import { DAY_US, HOUR_US, MINUTE_US } from '../../src/runtime/clock.ts'
import type { SeededRandom } from './seeded-random.ts'
import { type Fault, type Operation, OPERATIONS, type PlannedFault } from './simulated-process.ts'

/** Faults of the machine between two runs. */
export type MachineFault =
  | 'bit rot'
  | 'poison record'
  | 'segment deleted'
  | 'older database'
  | 'older journal folder'
  | 'older database and journal folder'
const MACHINE_FAULTS: readonly MachineFault[] = [
  'bit rot',
  'poison record',
  'segment deleted',
  'older database',
  'older journal folder',
  'older database and journal folder',
] as MachineFault[]

export type Ending = 'stop' | 'kill' | 'power failure'

/** One run of the program. */
export type RunPlan = {
  clicks: number
  /** At once. */
  visitors: number
  /** Free bytes before the disk is full; it gets space again later. */
  roomBytes: number
  faults: PlannedFault[]
  /** A second process counts the same journal. 'outlives': it is still alive in the next run. */
  otherReader: 'none' | 'ends with it' | 'outlives it'
  /** How far the wall clock jumps, at a random moment. */
  clockJumpUs: number
  /** How often the clicks of some link are deleted. */
  deletions: number
  ending: Ending
  /** How many batches are counted before a clean shutdown. */
  drainBatchesMax: number
  /** What happens to the machine after the run. */
  machineFault: MachineFault | undefined
}

export type Scenario = { sync: Sync; segmentBytesMax: number; retentionUs: number; runs: RunPlan[] }

const RUNS_MAX = 3

const ENDINGS: Ending[][] = [
  ['stop'],
  ['stop', 'kill'],
  ['stop', 'kill', 'power failure'],
  ['kill', 'power failure'],
  ['power failure'],
] as Ending[][]

/** Some scenarios have one fault, others many: a bug shows sooner if little else happens. */
export function makeScenario(random: SeededRandom): Scenario {
  const sync = random.pick(['os', 'disk'] as const)
  const machineFaultChance = random.pick([0, 0, 0.4])
  const endings = random.pick(ENDINGS)
  const faultsMax = random.pick([0, 1, 2, 6])
  const runs = Array.from({ length: random.between(1, RUNS_MAX) }, () => {
    const plan = makeRun(random, { endings, faultsMax })
    return random.chance(machineFaultChance) ? { ...plan, machineFault: random.pick(MACHINE_FAULTS) } : plan
  })
  // The journal repairs an older database as far back as it is kept.
  const keepsAll = runs.some(({ machineFault }) => machineFault?.startsWith('older') === true)
  const retentionUs = keepsAll ? 10_000 * DAY_US : random.pick([0, HOUR_US, 3 * DAY_US])
  return { sync, segmentBytesMax: random.between(300, 2_000), retentionUs, runs }
}

type Harm = { endings: readonly Ending[]; faultsMax: number }

function makeRun(random: SeededRandom, { endings, faultsMax }: Harm): RunPlan {
  const ending = random.pick(endings)
  const faults = Array.from({ length: random.below(faultsMax + 1) }, () => makeFault(random))
  if (random.chance(0.2)) faults.push(...random.pick(TROUBLES)(random.below(6)))
  if (random.chance(0.1)) faults.push(STORE_AWAY)
  return {
    clicks: random.between(0, random.pick([12, 12, 40])),
    visitors: random.between(1, 4),
    roomBytes: random.chance(0.1) ? random.below(2_000) : Infinity,
    faults: ending === 'stop' ? faults : [...faults, makeDeath(random)],
    otherReader: random.pick(['none', 'none', 'ends with it', 'outlives it'] as const),
    clockJumpUs: random.chance(0.2) ? makeJump(random) : 0,
    deletions: random.pick([0, 1, 3, 12]),
    ending,
    drainBatchesMax: random.pick([0, 1, Infinity, Infinity]),
    machineFault: undefined,
  }
}

const FAULTS: readonly Fault[] = [
  'fail',
  'fail',
  'fail after doing it',
  'fail after doing it',
  'short',
  'none',
  'roll back',
] as Fault[]
const CALLS_EXPECTED = 400

const REFUSE_TO_CUT: PlannedFault = { fault: 'fail', operation: 'truncate', skip: 0, times: 3 }

/** For the whole run, so nothing is counted until the next one. */
const STORE_AWAY: PlannedFault = { fault: 'fail', operation: 'begin', skip: 0, times: Infinity }

/** Faults that occur together, from the (skip + 1)-th call on. Each alone is much less dangerous. */
const TROUBLES: ((skip: number) => PlannedFault[])[] = [
  // A lost click is noticed only if it was not counted either.
  (skip) => [{ fault: 'fail', operation: 'datasync', skip, times: 5 }, STORE_AWAY],
  refuseTheRest,
  (skip) => [...refuseTheRest(skip), REFUSE_TO_CUT],
  (skip) => [{ fault: 'fail after doing it', operation: 'datasync', skip, times: 1 }, REFUSE_TO_CUT],
]

function refuseTheRest(skip: number): PlannedFault[] {
  const short: PlannedFault = { fault: 'short', operation: 'write', skip, times: 1 }
  return [short, { ...short, fault: 'fail', skip: skip + 1 }]
}

function makeFault(random: SeededRandom): PlannedFault {
  const operation: Operation | undefined = random.chance(0.7) ? random.pick(OPERATIONS) : undefined
  const skip = random.evenlyBySize(operation === undefined ? CALLS_EXPECTED : CALLS_EXPECTED / 10)
  return { fault: random.pick(FAULTS), operation, skip, times: random.pick([1, 1, 1, 2, 3, 20]) }
}

function makeDeath(random: SeededRandom): PlannedFault {
  const fault = random.pick(['die before', 'die after'] as const)
  const death = { ...makeFault(random), fault, times: 1 }
  // At the start as often as during its work.
  return random.chance(0.5) ? death : { ...death, operation: undefined, skip: random.below(CALLS_EXPECTED) }
}

function makeJump(random: SeededRandom): number {
  return random.pick([-1, 1]) * random.pick([MINUTE_US, HOUR_US, DAY_US, 40 * DAY_US])
}
