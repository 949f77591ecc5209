import { join } from 'node:path'
import { journalFolder } from '../../src/clicks/journal/open-journal.ts'
import { NOON_US } from '../rigs/clicks/journal-rig.ts'
import { ClickLedger, type LedgerClick } from './click-ledger.ts'
import { type Backup, inject, makeBackup } from './faults.ts'
import { DATA_DIR, type Machine, ProgramRun } from './program-run.ts'
import { makeScenario, type RunPlan, type Scenario } from './scenario.ts'
import { SeededRandom } from './seeded-random.ts'
import { SimulatedDatabase, type StorePolicy } from './simulated-database.ts'
import { SimulatedDisk, type SyncPolicy } from './simulated-disk.ts'
import { nextTurn, type SimulatedProcess } from './simulated-process.ts'
import { LIMITS, PART_IDS } from './simulated-links.ts'
import { deletedCount } from './simulated-deletions.ts'
import { SimulatedTime } from './simulated-time.ts'
import { reopenClicks } from './reopen-clicks.ts'
import { invariantViolations, type Happening } from './check-run.ts'

/** Parts that are broken on purpose, to test the simulation itself. */
export type Sabotage = { disk?: SyncPolicy; store?: StorePolicy }

/** `closed`: of the counted clicks, those in files; `deleted`: those that count no more. `fallback`, `partA` and `partB`: how many of the acknowledged were led there. `turnedAway`: by a notice, and so not sent. */
type Tally = Record<
  | 'sent'
  | 'acknowledged'
  | 'excused'
  | 'counted'
  | 'closed'
  | 'deleted'
  | 'turnedAway'
  | 'fallback'
  | 'partA'
  | 'partB',
  number
>

export type SimulationEnd = {
  broken: string[]
  /** To check that something happened. */
  tally: Tally
  /** One per run, in order. */
  processes: SimulatedProcess[]
  history: string[]
}

type Options = { keepsHistory?: boolean; sabotage?: Sabotage }

/** A run that takes longer hangs. The longest takes a tenth of it. */
const TURNS_MAX = 50_000

/** Runs the scenario of a seed and checks it. */
export function simulate(seed: number, options: Options = {}): Promise<SimulationEnd> {
  const random = new SeededRandom(seed)
  return new Simulation(makeScenario(random.fork()), random, options).perform()
}

/** The same for a given scenario. */
export function simulateScenario(scenario: Scenario, seed: number): Promise<SimulationEnd> {
  return new Simulation(scenario, new SeededRandom(seed), {}).perform()
}

class Simulation {
  readonly #scenario: Scenario
  readonly #machine: Machine
  readonly #history: string[] = []
  readonly #alarms = new Set<string>()
  readonly #happened = new Set<Happening>()
  readonly #backups: Backup[] = []
  #ids = 0

  readonly #processes: SimulatedProcess[] = []

  constructor(scenario: Scenario, random: SeededRandom, { keepsHistory = false, sabotage = {} }: Options) {
    this.#scenario = scenario
    const note = keepsHistory ? (line: string) => void this.#history.push(line) : () => {}
    this.#machine = {
      random,
      disk: new SimulatedDisk(random.fork(), DATA_DIR, sabotage.disk),
      database: new SimulatedDatabase(random.fork(), {
        policy: sabotage.store,
        keepsCommits: scenario.runs.some(goesBack),
        limits: LIMITS,
      }),
      time: new SimulatedTime(NOON_US),
      ledger: new ClickLedger(),
      leftovers: [],
      newId: () => `0193b1c0-0000-7000-9000-${String(++this.#ids).padStart(12, '0')}`,
      note,
      alarm: (message) => {
        this.#alarms.add(message)
        note(`ALARM: ${message}`)
      },
    }
    note(
      `sync '${scenario.sync}', segments of ${scenario.segmentBytesMax} bytes, kept ${scenario.retentionUs} µs`,
    )
  }

  async perform(): Promise<SimulationEnd> {
    const { database } = this.#machine
    try {
      const isStuck = !(await this.#performRuns())
      const closed = isStuck ? [] : reopenClicks(this.#machine)
      const broken = isStuck
        ? ['A run of the program did not come to its end.']
        : [...closed, ...this.#judge()]
      return { broken, tally: this.#tally(), processes: this.#processes, history: this.#history }
    } finally {
      database.close()
    }
  }

  /** The planned runs, then one without faults, which counts everything that can be counted. */
  async #performRuns(): Promise<boolean> {
    for (const [i, plan] of this.#scenario.runs.entries()) {
      this.#backups.push(makeBackup(this.#machine))
      if (!(await this.#performRun(plan, i + 1))) return false
    }
    this.#endLeftovers()
    return this.#performRun(HEALTHY_RUN, this.#scenario.runs.length + 1)
  }

  async #performRun(plan: RunPlan, number: number): Promise<boolean> {
    const { note, disk, random } = this.#machine
    note(`run ${number}: ${JSON.stringify(plan)}`)
    if (plan.otherReader !== 'none' && this.#scenario.retentionUs === 0)
      this.#happened.add('removed by another')
    const run = new ProgramRun(this.#machine, { scenario: this.#scenario, plan, number })
    const hasEnded = await within(TURNS_MAX, run)
    this.#processes.push(run.process)
    if (!hasEnded) return false
    disk.limit(Infinity)
    if (plan.ending !== 'stop') this.#machine.ledger.noteKill(number)
    if (plan.ending === 'power failure') this.#losePower()
    if (plan.machineFault === undefined) return true
    this.#endLeftovers()
    this.#happened.add(plan.machineFault)
    inject(this.#machine, plan.machineFault, random.pick(this.#backups))
    return true
  }

  #losePower(): void {
    const { disk, database, ledger, note } = this.#machine
    note('the power fails')
    this.#happened.add('power failure')
    this.#endLeftovers()
    disk.losePower()
    database.losePower()
    ledger.notePowerFailure()
  }

  #endLeftovers(): void {
    for (const process of this.#machine.leftovers.splice(0)) process.end()
  }

  #judge(): string[] {
    const { ledger, database, disk } = this.#machine
    return invariantViolations({
      ledger,
      database: database.database,
      deadLetters: disk.list(join(journalFolder(DATA_DIR), 'dead-letters')),
      alarms: this.#alarms,
      happened: this.#happened,
    })
  }

  #tally(): Tally {
    const { ledger, database } = this.#machine
    const { counting } = database.database.query('SELECT COUNT(*) AS counting FROM clicks').get() as {
      counting: number
    }
    const deleted = deletedCount(database)
    const { closed } = database.database
      .query('SELECT coalesce(sum(rows), 0) AS closed FROM click_files WHERE removed_at IS NULL')
      .get() as { closed: number }
    const count = (isOne: (click: LedgerClick) => boolean) => ledger.clicks.filter(isOne).length
    const led = (variant: string) =>
      count(({ outcome, journaled }) => outcome === 'acknowledged' && journaled?.variant === variant)
    const turnedAway = count(({ outcome }) => outcome === 'turned away')
    return {
      sent: ledger.clicks.length - turnedAway,
      acknowledged: ledger.acknowledged.length,
      excused: count(({ mayBeMissing }) => mayBeMissing !== undefined),
      counted: counting + deleted,
      closed,
      deleted,
      turnedAway,
      fallback: led('fallback'),
      partA: led(PART_IDS[0]),
      partB: led(PART_IDS[1]),
    }
  }
}

const goesBack = ({ ending, machineFault }: RunPlan) =>
  ending === 'power failure' || machineFault?.startsWith('older') === true

const HEALTHY_RUN: RunPlan = {
  clicks: 3,
  visitors: 1,
  roomBytes: Infinity,
  faults: [],
  otherReader: 'none',
  clockJumpUs: 0,
  deletions: 0,
  ending: 'stop',
  drainBatchesMax: Infinity,
  machineFault: undefined,
}

/** False if the run has not ended after this many event loop iterations. */
async function within(turnsMax: number, run: ProgramRun): Promise<boolean> {
  let hasEnded = false
  const performing = run.perform().then(() => (hasEnded = true))
  for (let turns = 0; turns < turnsMax && !hasEnded; turns++) await nextTurn()
  if (!hasEnded) run.process.end()
  else await performing
  return hasEnded
}
