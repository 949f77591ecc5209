import { realFiles } from '../clicks/files.ts'
import type { JournalProgress } from '../clicks/journal.ts'
import { JournalReader } from '../clicks/journal-reader.ts'
import { journalFolder } from '../clicks/open-journal.ts'
import { readUserAgent } from '../clicks/read-visitor.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { watchEventLoop } from '../event-loop-delay.ts'
import { countErrors, describeError, jsonLog, type Log } from '../log.ts'
import { type Metrics, openMetrics, type SharedMetrics } from '../metrics.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { type SharedTurns, WriteTurn } from '../store/write-turn.ts'
import type { ThreadWord } from '../thread.ts'
import { jobs, startJobs } from './jobs.ts'

/**
 * The background thread: it counts the journal's clicks and runs the jobs of the clock, on its own handles of the
 * store. It is told its configuration first, then how far the journal has got.
 */
declare const self: Worker

/** What the visitors' thread says. `boot` is this run of the program. */
export type ToBackgroundThread =
  | {
      kind: 'start'
      config: Config
      /** Data folders of processes that are no more, whose clicks are to be counted too. */
      leftFolders: readonly string[]
      boot: string
      writeTurns: SharedTurns
      metrics: SharedMetrics
    }
  | { kind: 'progress'; progress: JournalProgress }
  | { kind: 'another-server' }
  | { kind: 'stop' }

/** What this thread says. */
export type NewSalts = { kind: 'salts'; salts: Map<number, Uint8Array> }

const say = (message: ThreadWord | NewSalts) => self.postMessage(message)

/** After a failure (the disk is full, the store is locked) counting waits so long, then tries again. */
const RETRY_MS = 1_000
/** Nobody else can write while a batch is written, so with others about it takes some hundredths of a second. */
const BATCH_CLICKS_AMONG_OTHERS = 1_000
/** Counting what is left at the end takes no longer than this; the rest is counted at the next start. */
const DRAIN_MS = 4_000

/** How far counting has got is shown so often, and so also while it is stuck. */
const SHOW_EVERY_MS = 100

let log: Log
let metrics: Metrics
let store: Store
let reader: JournalReader
/** Of journals that nobody writes any more. */
let leftReaders: JournalReader[]
let runningJobs: { stop(): Promise<void> }
let findingSegments: Promise<void>
let hasFoundSegments = false
let counting: Promise<void> | undefined
/** The journal has said something since the last look at what there is to count. */
let hasNews = false
let isStopping = false
/** What was finished is to be looked up once more. */
let isToLookAgain = false
/** What earlier runs have journaled is counted. */
let hasCaughtUp = false

/**
 * One message after the other: the end must not overtake the last progress. What is not caught below ends the thread,
 * and the program with it: see Thread.
 */
let lastMessage = Promise.resolve()
self.onmessage = (event: MessageEvent<ToBackgroundThread>) => {
  lastMessage = lastMessage.then(() => hear(event.data))
}

async function hear(message: ToBackgroundThread): Promise<void> {
  if (message.kind === 'start') return start(message)
  if (message.kind === 'stop') return stop()
  if (message.kind === 'another-server') return lookAgainSoon()
  await reader.hear(message.progress)
  countSoon()
}

async function start({
  config,
  leftFolders,
  boot,
  writeTurns,
  metrics: shared,
}: Extract<ToBackgroundThread, { kind: 'start' }>): Promise<void> {
  const clock = systemClock
  metrics = openMetrics(shared)
  watchEventLoop(clock, metrics.eventLoopDelay.background)
  log = countErrors(jsonLog(config.logLevel, 'background'), metrics.loggedErrors.background)
  store = await openStore(config, 'same-thread', {
    turn: new WriteTurn(writeTurns),
    watch: { clock, seconds: metrics.storeWrites.background, failures: metrics.storeFailures.background },
    patience: log,
  })
  const readerOf = (dataDir: string) =>
    new JournalReader(
      { store, clock, log, metrics, readUserAgent, files: realFiles },
      {
        folder: journalFolder(dataDir),
        boot,
        retentionUs: config.journalRetentionMs * 1000,
        keepsRawClicks: config.rawClickDays > 0,
      },
    )
  reader = readerOf(config.dataDir)
  leftReaders = leftFolders.map(readerOf)
  await realFiles.makeFolder(journalFolder(config.dataDir))
  runningJobs = startJobs(
    jobs({
      store,
      clock,
      readers: [reader, ...leftReaders],
      metrics,
      dataDir: config.dataDir,
      rawClickDays: config.rawClickDays,
      hasCaughtUp: () => hasCaughtUp,
      onSalts: (salts) => say({ kind: 'salts', salts }),
    }),
    log,
  )
  findingSegments = findSegments()
  setInterval(showProgress, SHOW_EVERY_MS)
  say({ kind: 'ready' })
}

/** Clicks of earlier runs; those of this one are counted meanwhile. */
async function findSegments(): Promise<void> {
  while (!isStopping) {
    try {
      for (const each of [reader, ...leftReaders]) await each.findSegments()
      hasFoundSegments = true
      return countSoon()
    } catch (error) {
      log.error('Could not read clicks of earlier runs; will retry.', describeError(error))
      await Bun.sleep(RETRY_MS)
    }
  }
}

/** What was counted may not be, for the server that answers now. */
function lookAgainSoon(): void {
  isToLookAgain = true
  countSoon()
}

function countSoon(): void {
  hasNews = true
  counting ??= countAll()
}

async function countAll(): Promise<void> {
  while (hasNews && !isStopping) {
    hasNews = false
    try {
      if (isToLookAgain && hasFoundSegments) await lookAgain()
      while (!isStopping && (await countBatch()));
      hasCaughtUp ||= hasFoundSegments
    } catch (error) {
      log.error(
        'Clicks could not be counted; they stay in the journal and are tried again.',
        describeError(error),
      )
      hasNews = true
      await Bun.sleep(RETRY_MS)
    }
  }
  // In one step with the last look at the news, so that whatever comes later starts anew.
  counting = undefined
}

async function lookAgain(): Promise<void> {
  isToLookAgain = false
  try {
    for (const each of [reader, ...leftReaders]) await each.lookAgain()
  } catch (error) {
    isToLookAgain = true
    throw error
  }
}

function showProgress(): void {
  if (!hasFoundSegments) return
  const waiting = reader.waitingOfEarlierRuns(metrics.clicksJournaledBefore.value)
  metrics.clicksSettled.set(reader.settledClicks - waiting)
  if (counting === undefined) metrics.countedUntil.set(systemClock.nowUs())
}

async function countBatch(): Promise<boolean> {
  const clicksMax = store.othersWrite() ? BATCH_CLICKS_AMONG_OTHERS : undefined
  for (const each of [reader, ...leftReaders]) if (await each.countSome(clicksMax)) return true
  return false
}

async function stop(): Promise<void> {
  isStopping = true
  await Promise.all([findingSegments, counting])
  const deadline = systemClock.monotonicMs() + DRAIN_MS
  try {
    while (systemClock.monotonicMs() < deadline && (await countBatch()));
  } catch (error) {
    log.warn('Stopped before all clicks were counted; they stay in the journal.', describeError(error))
  }
  await runningJobs.stop()
  await store.close()
  say({ kind: 'stopped' })
}
