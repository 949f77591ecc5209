import type { Sync } from '../../src/clicks/segment-writer.ts'
import { DAY_US, HOUR_US, MINUTE_US } from '../../src/clock.ts'
import type { SeededRandom } from './seeded-random.ts'
import { type Fault, type Operation, OPERATIONS, type PlannedFault } from './simulated-process.ts'

/** What befalls a machine while the program does not run. */
export type Mishap =
  | 'bit rot'
  | 'poison record'
  | 'segment deleted'
  | 'older database'
  | 'older journal folder'
  | 'older database and journal folder'
const MISHAPS: readonly Mishap[] = [
  ...['bit rot', 'poison record', 'segment deleted', 'older database', 'older journal folder'],
  'older database and journal folder',
] as Mishap[]

export type Ending = 'stop' | 'kill' | 'power failure'

/** One run of the program. */
export type RunPlan = {
  clicks: number
  /** At the same time. */
  visitors: number
  /** Bytes that the disk takes before it is full; it is given room again later. */
  roomBytes: number
  faults: PlannedFault[]
  /** A second ingester counts the same journal; 'outlives' means that it is still there in the next run. */
  otherReader: 'none' | 'ends with it' | 'outlives it'
  /** By which the wall clock jumps, at some time. */
  clockJumpUs: number
  ending: Ending
  /** How much is counted before an orderly end, in batches. */
  drainBatchesMax: number
  /** What happens afterwards. */
  mishap: Mishap | undefined
}

export type Scenario = { sync: Sync; segmentBytesMax: number; retentionUs: number; runs: RunPlan[] }

const RUNS_MAX = 3

const ENDINGS: Ending[][] = [
  ...[['stop'], ['stop', 'kill'], ['stop', 'kill', 'power failure'], ['kill', 'power failure']],
  ['power failure'],
] as Ending[][]

/** Some scenarios are calm but for one thing, others have it all: a fault is found sooner where little else happens. */
export function makeScenario(random: SeededRandom): Scenario {
  const sync = random.pick(['os', 'disk'] as const)
  const mishapChance = random.pick([0, 0, 0.4])
  const endings = random.pick(ENDINGS)
  const faultsMax = random.pick([0, 1, 2, 6])
  const runs = Array.from({ length: random.between(1, RUNS_MAX) }, () => {
    const plan = makeRun(random, { endings, faultsMax })
    return random.chance(mishapChance) ? { ...plan, mishap: random.pick(MISHAPS) } : plan
  })
  // An older database is made good from the journal as far as it was kept.
  const keepsAll = runs.some(({ mishap }) => mishap?.startsWith('older') === true)
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
    ending,
    drainBatchesMax: random.pick([0, 1, Infinity, Infinity]),
    mishap: undefined,
  }
}

const FAULTS: readonly Fault[] = [
  ...['fail', 'fail', 'fail after doing it', 'fail after doing it', 'short', 'none', 'roll back'],
] as Fault[]
const CALLS_EXPECTED = 400

const REFUSE_TO_CUT: PlannedFault = { fault: 'fail', operation: 'truncate', skip: 0, times: 3 }

/** For the whole run: nothing is counted, and the next run finds it all. */
const STORE_AWAY: PlannedFault = { fault: 'fail', operation: 'begin', skip: 0, times: Infinity }

/** Faults that come together, from the (skip + 1)-th call on; apart from each other they are much less of a danger. */
const TROUBLES: ((skip: number) => PlannedFault[])[] = [
  // What the disk has not taken is missed only where it was not counted either.
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
  // At the start as often as in the midst of its work.
  return random.chance(0.5) ? death : { ...death, operation: undefined, skip: random.below(CALLS_EXPECTED) }
}

function makeJump(random: SeededRandom): number {
  return random.pick([-1, 1]) * random.pick([MINUTE_US, HOUR_US, DAY_US, 40 * DAY_US])
}
