import { join } from 'node:path'
import { noOtherDomains } from '../rigs/redirect/no-other-domains.ts'
import type { Journal } from '../../src/clicks/journal/journal.ts'
import type { JournalProgress } from '../../src/clicks/journal/segment-sequence.ts'
import type { JournalReader } from '../../src/clicks/ingest/journal-reader.ts'
import { journalFolder, openJournal } from '../../src/clicks/journal/open-journal.ts'
import { storedSegments } from '../../src/clicks/repair/rebuild-headers.ts'
import { repairJournal } from '../../src/clicks/repair/repair-journal.ts'
import { ClickFilesKeeper } from '../../src/clicks/parquet/keep-click-files.ts'
import { tidyClickFiles } from '../../src/clicks/parquet/tidy-click-files.ts'
import { rotateVisitorSalts } from '../../src/clicks/visitor/visitor-salts.ts'
import { openLink, type OpenLinkDeps } from '../../src/redirect/open-link.ts'
import type { VisitResponse } from '../../src/redirect/visit-response.ts'
import { MINUTE_US } from '../../src/runtime/clock.ts'
import type { Log } from '../../src/runtime/log.ts'
import type { DurableDb } from '../../src/store/handles.ts'
import { newReader } from '../rigs/clicks/ingest-rig.ts'
import type { ClickLedger } from './click-ledger.ts'
import type { Scenario, RunPlan } from './scenario.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { SimulatedDatabase } from './simulated-database.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import { deleteSimulatedClicks } from './simulated-deletions.ts'
import { SimulatedEngine } from './simulated-engine.ts'
import { LINK_IDS, newRoutes } from './simulated-links.ts'
import { nextTurn, type PlannedFault, SimulatedProcess } from './simulated-process.ts'
import type { SimulatedTime } from './simulated-time.ts'

export const DATA_DIR = '/data'
export const CLICKS_FOLDER = join(DATA_DIR, 'clicks')

/** Errors of injected faults, and those that the program and SQLite turn them into. Any other error is a bug. */
const EXPECTED_FAILURES =
  /as planned|ProcessGone|SQLITE_BUSY|ENOSPC|took no bytes|rolled this transaction back|no such savepoint|journal is/

/** Clicks are few here. */
const SIZES = { leftOpen: 2, closedAtOnce: 3, filesOfDayMax: 3 }
/** Longer than the clock jumps: by the time, a click is found again. */
const RAW_CLICK_DAYS = 100_000

/** What survives the program. */
export type Machine = {
  random: SeededRandom
  disk: SimulatedDisk
  database: SimulatedDatabase
  time: SimulatedTime
  ledger: ClickLedger
  /** Processes of earlier runs that are still alive. */
  leftovers: SimulatedProcess[]
  /** In the form of a UUID, each once. */
  newId(): string
  note(line: string): void
  alarm(message: string): void
}

/** Whether the segments of earlier runs are found, and when to stop counting. */
type Counting = { hasFound: boolean; isOver: () => boolean }

type Connected = ReturnType<SimulatedDatabase['connect']>['store']

type Settings = { scenario: Scenario; plan: RunPlan; number: number }

/**
 * One run of the program from start to end: the real journal, reader and ingestion, connected as in the service, with
 * visitors who click and with its timers.
 */
export class ProgramRun {
  readonly process: SimulatedProcess
  readonly #machine: Machine
  readonly #settings: Settings
  readonly #boot: string
  readonly #answers: Promise<void>[] = []
  readonly #untold = new Map<string, JournalProgress>()
  readonly #readers: JournalReader[] = []
  #isEnding = false

  constructor(machine: Machine, settings: Settings) {
    this.#machine = machine
    this.#settings = settings
    this.#boot = `0193b1c0-0000-7000-8000-${String(settings.number).padStart(12, '0')}`
    this.process = this.#newProcess(settings.plan.faults, `run ${settings.number}`)
    this.process.atEnd(() => (this.#isEnding = true))
  }

  /** Resolves when the process has ended, cleanly or not, or could not start. */
  async perform(): Promise<void> {
    const { store, settle } = this.#machine.database.connect(this.process)
    const reader = this.#newReader(this.process, store)
    await Promise.race([this.process.gone, this.#work(reader, store)])
    if (this.process.isGone) return
    await Promise.race([this.process.gone, settle()])
    this.process.end()
  }

  async #work(reader: JournalReader, store: Connected): Promise<void> {
    await this.#tidyClicks(store).catch((error) => this.#noteFailure('tidying', error))
    await this.#repairJournal(store).catch((error) => this.#noteFailure('the repair', error))
    const counting = this.#keepCounting(reader, { hasFound: false, isOver: () => this.#isEnding })
    const journal = await this.#openJournal().catch((error) => this.#noteFailure('the start', error))
    if (journal === undefined || this.process.isGone) return this.process.end()
    const timers = [
      this.#keepSyncing(journal),
      this.#keepTelling(),
      this.#doJobs(reader, store),
      this.#keepClosing(store),
      this.#deleteClicks(store),
    ]
    if (this.#settings.plan.otherReader !== 'none') void this.#startOtherReader()
    await this.#letVisitorsClick(this.#openLinkDeps(journal, store.db))
    if (this.#settings.plan.ending !== 'stop') return this.process.end()
    this.#isEnding = true
    await Promise.all(timers)
    await this.#closeJournal(journal)
    await this.#tell()
    await counting
    await this.#drain(reader)
  }

  /** Says what is missing as the service does. */
  async #tidyClicks({ db }: Connected): Promise<void> {
    const files = this.#machine.disk.filesFor(this.process)
    const { missing } = await tidyClickFiles({ db, files }, CLICKS_FOLDER)
    if (missing.length > 0) this.#logOf(this.process).error('Files of clicks are gone.')
  }

  /** Each run of the job closes clicks, joins files and deletes replaced ones, as many as there are. */
  async #keepClosing(store: Connected): Promise<void> {
    const { disk, time } = this.#machine
    const { retentionUs } = this.#settings.scenario
    const keeper = new ClickFilesKeeper({
      store,
      files: disk.filesFor(this.process),
      folder: CLICKS_FOLDER,
      openEngine: () => this.#newEngine(store),
      clock: time.clock(),
      log: this.#logOf(this.process),
      retentionUs,
      rawClickDays: RAW_CLICK_DAYS,
      sizes: SIZES,
    })
    while (!this.#isEnding) {
      await this.#pause(60)
      await keeper.run().catch((error) => this.#noteFailure('closing clicks', error))
    }
  }

  /** At random moments, while clicks are counted and closed. */
  async #deleteClicks(store: Connected): Promise<void> {
    const { process } = this
    const { random } = this.#machine
    for (let left = this.#settings.plan.deletions; left > 0 && !this.#isEnding; left--) {
      await this.#pause(60)
      if (process.isGone) return
      const deletion = {
        process,
        store,
        engine: this.#newEngine(store),
        linkId: random.pick(LINK_IDS),
      }
      await deleteSimulatedClicks(this.#machine, deletion).catch((error) =>
        this.#noteFailure('a deletion', error),
      )
    }
  }

  #newEngine({ db }: Connected): SimulatedEngine {
    const { disk, newId } = this.#machine
    return new SimulatedEngine({ db, files: disk.filesFor(this.process), folder: CLICKS_FOLDER, newId })
  }

  async #repairJournal({ db }: Connected): Promise<void> {
    const files = this.#machine.disk.filesFor(this.process)
    const folder = journalFolder(DATA_DIR)
    const stored = () => storedSegments(db, files, folder)
    const deps = { files, clock: this.#machine.time.clock(), log: this.#logOf(this.process), stored }
    await repairJournal(deps, folder)
  }

  async #openJournal(): Promise<Journal> {
    const { sync, segmentBytesMax } = this.#settings.scenario
    const { disk, time, ledger } = this.#machine
    const { acknowledged } = ledger
    const journal = await openJournal(
      { files: disk.filesFor(this.process), clock: time.clock() },
      {
        dataDir: DATA_DIR,
        node: 'here',
        boot: this.#boot,
        sync,
        segmentBytesMax,
        onProgress: (progress) => this.#untold.set(progress.segment, progress),
      },
    )
    ledger.noteStart(acknowledged)
    return journal
  }

  /** A clean shutdown syncs the last segment. */
  async #closeJournal(journal: Journal): Promise<void> {
    await Promise.all(this.#answers)
    const acknowledged = this.#machine.ledger.acknowledged
    await journal.close()
    if (!this.process.isGone) this.#machine.ledger.noteStop(this.#settings.number, acknowledged)
  }

  /** As the service connects them. The visitor's IP address is the id of the click. */
  #openLinkDeps(journal: Journal, db: DurableDb): OpenLinkDeps {
    const { ledger, time } = this.#machine
    const clock = time.clock()
    const routes = newRoutes()
    const noteFailure = (error: unknown) => this.#noteFailure('a visit', error)
    return {
      links: { get: ({ code }) => routes.get(code) },
      journal: {
        append(click) {
          ledger.noteJournaled(click)
          return journal.append(click).catch((error) => {
            noteFailure(error.cause ?? error)
            throw error
          })
        },
      },
      visitors: { of: Number },
      geo: { locate: () => ({ country: 'DE', city: undefined }) },
      openings: ledger.openings.openingsOn({ node: this.process, db, clock, noteFailure }),
      clock,
      domains: noOtherDomains('http://localhost'),
      ownTraffic: { byWorkspace: new Map() },
      utmWorkspaces: { ids: new Set() },
      misses: { count: () => ({ isAllowed: true, retryAfterSeconds: 0 }) },
      notFound: { note: () => {} },
    }
  }

  async #letVisitorsClick(deps: OpenLinkDeps): Promise<void> {
    const { clicks, visitors, clockJumpUs, roomBytes } = this.#settings.plan
    const { random, time, disk } = this.#machine
    disk.limit(roomBytes)
    let left = clicks
    const jumpsAt = random.below(clicks + 1)
    const visitor = async () => {
      while (left > 0 && !this.process.isGone) {
        if (left-- === jumpsAt) time.jump(clockJumpUs)
        if (left === clicks >> 2) disk.limit(Infinity)
        await this.process.pause(random.pick([1, 4, 16]))
        if (this.process.isGone) return
        const answer = this.#click(deps)
        if (random.chance(0.7)) await answer
        if (random.chance(0.2) && !this.process.isGone) await this.#comeAgain(deps)
      }
    }
    await Promise.all(Array.from({ length: visitors }, visitor))
    await Promise.all(this.#answers)
  }

  #click(deps: OpenLinkDeps): Promise<void> {
    const { random, ledger, time, note } = this.#machine
    time.pass(random.pick([1, 1_000, MINUTE_US, 5 * MINUTE_US]))
    const entry = ledger.send(this.#settings.number, random.pick(LINK_IDS), deps.clock.nowUs())
    note(`click ${entry.id} of link ${entry.linkId} is sent`)
    const answered = (response: VisitResponse) => {
      if (this.process.isGone) return
      ledger.noteAnswer(entry, response)
      note(`click ${entry.id} is ${entry.outcome}: ${response.location ?? response.status}`)
      entry.isPromised = entry.outcome === 'acknowledged' && this.#settings.scenario.sync === 'disk'
    }
    const answer = Promise.resolve(openLink(deps, entry.visit)).then(answered, (error) =>
      this.#noteFailure('a visit', error),
    )
    this.#answers.push(answer)
    return answer
  }

  /** Somebody looks again where a link leads, without opening it: this is no click. */
  async #comeAgain(deps: OpenLinkDeps): Promise<void> {
    const { random, ledger } = this.#machine
    const { comingAgain } = ledger
    if (comingAgain.length === 0) return
    const entry = random.pick(comingAgain)
    ledger.noteAgain(entry, (await openLink(deps, { ...entry.visit, method: 'HEAD' })).location)
  }

  /** Five times a second in the program; at random here. */
  async #keepSyncing(journal: Journal): Promise<void> {
    const { ledger } = this.#machine
    while (!this.#isEnding && this.#settings.scenario.sync === 'os') {
      await this.#pause(15)
      const acknowledged = ledger.acknowledged
      await journal.syncToDisk()
      if (!this.process.isGone && journal.state === 'ok') ledger.promise(acknowledged)
    }
  }

  async #keepTelling(): Promise<void> {
    while (!this.#isEnding) {
      await this.#pause(10)
      await this.#tell()
    }
  }

  async #tell(): Promise<void> {
    const news = [...this.#untold.values()]
    this.#untold.clear()
    for (const reader of this.#readers) for (const progress of news) await reader.noteProgress(progress)
  }

  /** The timed jobs: removing segments, and a write that waits for the disk. */
  async #doJobs(
    reader: JournalReader,
    { db }: { db: Parameters<typeof rotateVisitorSalts>[0] },
  ): Promise<void> {
    const clock = this.#machine.time.clock()
    const noteFailure = (error: unknown) => this.#noteFailure('a job', error)
    while (!this.#isEnding) {
      await this.#pause(this.#settings.scenario.retentionUs === 0 ? 30 : 300)
      if (this.#machine.random.chance(0.5)) await reader.removeOld().catch(noteFailure)
      else await rotateVisitorSalts(db, clock.nowUs()).catch(noteFailure)
    }
  }

  async #keepCounting(reader: JournalReader, { hasFound, isOver }: Counting): Promise<void> {
    while (!isOver()) {
      try {
        if (!hasFound) await reader.findSegments()
        hasFound = true
        while (!isOver() && (await reader.countSome()));
      } catch (error) {
        this.#noteFailure('counting', error)
      }
      await this.#pause(30)
    }
  }

  async #drain(reader: JournalReader): Promise<void> {
    try {
      for (let batches = this.#settings.plan.drainBatchesMax; batches > 0; batches--)
        if (!(await reader.countSome())) return
    } catch (error) {
      this.#noteFailure('counting at the end', error)
    }
  }

  /**
   * A second process that gets the same reports from the journal. It may outlive the first, as a transaction in progress
   * does. It then counts only segments that it found before, because finding them takes the lock of the journal.
   */
  async #startOtherReader(): Promise<void> {
    const { leftovers, database } = this.#machine
    const other = this.#newProcess([], `other reader of run ${this.#settings.number}`)
    const { store } = database.connect(other)
    const reader = this.#newReader(other, store)
    this.process.atEnd(() => leftovers.includes(other) || other.end())
    await reader.findSegments().catch(() => other.end())
    if (this.#settings.plan.otherReader === 'outlives it') leftovers.push(other)
    await this.#keepCounting(reader, { hasFound: true, isOver: () => other.isGone })
  }

  #newReader(process: SimulatedProcess, store: Connected): JournalReader {
    const { disk, time } = this.#machine
    const reader = newReader(
      { store, clock: time.clock(), files: disk.filesFor(process), log: this.#logOf(process) },
      { folder: journalFolder(DATA_DIR), boot: this.#boot, retentionUs: this.#settings.scenario.retentionUs },
    )
    this.#readers.push(reader)
    return reader
  }

  #logOf(process: SimulatedProcess): Log {
    const { note, alarm } = this.#machine
    const say = (message: string) => void (process.isGone || note(`log: ${message}`))
    const sayAloud = (message: string) => void (process.isGone || alarm(message))
    return { debug: say, info: say, warn: sayAloud, error: sayAloud }
  }

  #noteFailure(what: string, error: unknown): void {
    this.#machine.note(`${what} has failed: ${error}`)
    if (!EXPECTED_FAILURES.test(String(error))) this.#machine.alarm(`${what} has failed: ${error}`)
  }

  #newProcess(faults: readonly PlannedFault[], name: string): SimulatedProcess {
    const { random, note, ledger } = this.#machine
    const { number } = this.#settings
    return new SimulatedProcess(random.fork(), faults, {
      onCall(operation, about, fault) {
        note(`${name}: ${operation} ${about}${fault === undefined ? '' : `: ${fault}`}`)
        ledger.noteCall(number, { operation, about, fault })
      },
    })
  }

  /** Shorter while waiting for the end. */
  async #pause(turnsMax: number): Promise<void> {
    await nextTurn()
    for (let turns = this.#machine.random.below(turnsMax); turns > 0 && !this.#isEnding; turns--)
      await nextTurn()
  }
}
