import { realFiles } from '../clicks/journal/files.ts'
import type { JournalProgress } from '../clicks/journal/segment-sequence.ts'
import { JournalReader } from '../clicks/ingest/journal-reader.ts'
import type { ClickKeeper } from '../clicks/click-keeper.ts'
import { openClickKeeper } from '../clicks/open-click-keeper.ts'
import { journalFolder } from '../clicks/journal/open-journal.ts'
import { readUserAgent } from '../clicks/visitor/read-user-agent.ts'
import type { LinkKey } from '../links/link-key.ts'
import type { NotFoundCode } from '../links/not-found/not-found-codes.ts'
import { keepNotFound } from '../links/not-found/keep-not-found.ts'
import { systemClock } from '../runtime/clock.ts'
import type { Config } from '../config/config.ts'
import { watchEventLoop } from '../metrics/event-loop-delay.ts'
import { countErrors, describeError, jsonLog, type Log } from '../runtime/log.ts'
import { type Metrics, openMetrics, type SharedMetrics } from '../metrics/metrics.ts'
import { checkProviders } from '../users/single-sign-on/check-providers.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { isStoreUnavailable } from '../store/store-errors.ts'
import { sharingOf } from '../store/thread-sharing.ts'
import type { SharedWriteLock } from '../store/sqlite/write-lock.ts'
import type { ThreadStatus } from '../runtime/thread.ts'
import { HostLimit } from '../destination-pages/host-limit.ts'
import { openDomainChecks } from '../domains/open-domain-checks.ts'
import { type EmailReports, openEmailReports } from '../email-reports/open-email-reports.ts'
import type { EmailTemplate } from '../mail/email-template.ts'
import { jobs } from './jobs.ts'
import { startJobs } from './start-jobs.ts'

/**
 * The background thread: counts the journal's clicks and runs the scheduled jobs, on its own handles of the store. The
 * first message has its configuration, the others the progress of the journal.
 */
declare const self: Worker

/** What the redirect thread sends. `boot` is this run of the program. */
export type ToBackgroundThread =
  | {
      kind: 'start'
      config: Config
      /** Data folders of processes that have ended, whose clicks are counted too. */
      leftFolders: readonly string[]
      boot: string
      writeLock: SharedWriteLock
      metrics: SharedMetrics
    }
  | { kind: 'progress'; progress: JournalProgress }
  | { kind: 'not_found'; codes: NotFoundCode[] }
  | { kind: 'failover' }
  | { kind: 'stop' }

type NewSalts = { kind: 'salts'; salts: Map<number, Uint8Array> }
type NewMails = { kind: 'mails'; emails: readonly EmailTemplate[] }
type LinksChanged = { kind: 'links_changed'; keys: readonly LinkKey[] }
export type FromBackgroundThread = NewSalts | NewMails | LinksChanged

const send = (message: ThreadStatus | FromBackgroundThread) => self.postMessage(message)

const RETRY_MS = 1_000
/** While other threads write: nobody else can write during a batch, so it must take only hundredths of a second. */
const BATCH_CLICKS_AMONG_OTHERS = 1_000
/** Time for counting at shutdown. The rest is counted at the next start. */
const DRAIN_MS = 4_000

/** Also while counting is stuck, so that the metrics show it. */
const UPDATE_METRICS_MS = 100

let log: Log
let metrics: Metrics
let store: Store
let closedClicks: ClickKeeper | undefined
let emailReports: EmailReports | undefined
let reader: JournalReader
/** For journals that are no longer written. */
let leftReaders: JournalReader[]
let runningJobs: { stop(): Promise<void> }
let findingSegments: Promise<void>
let hasFoundSegments = false
let counting: Promise<void> | undefined
/** There was progress since counting last began. */
let hasNews = false
let isStopping = false
/** What is counted must be read from the database again. */
let mustLookAgain = false
/** The clicks of earlier runs are counted. */
let hasCaughtUp = false

/**
 * One message at a time: 'stop' must not overtake the last progress. An error that is not caught here ends the thread, and
 * so the program.
 */
let lastMessage = Promise.resolve()
self.onmessage = (event: MessageEvent<ToBackgroundThread>) => {
  lastMessage = lastMessage.then(() => handle(event.data))
}

async function handle(message: ToBackgroundThread): Promise<void> {
  if (message.kind === 'start') return start(message)
  if (message.kind === 'stop') return stop()
  if (message.kind === 'failover') return lookAgainSoon()
  // Not waited for: progress of the journal comes behind it.
  if (message.kind === 'not_found')
    return void keepNotFound({ store, clock: systemClock, log }, message.codes)
  await reader.noteProgress(message.progress)
  countSoon()
}

async function start({
  config,
  leftFolders,
  boot,
  writeLock,
  metrics: shared,
}: Extract<ToBackgroundThread, { kind: 'start' }>): Promise<void> {
  const clock = systemClock
  metrics = openMetrics(shared)
  watchEventLoop(clock, metrics.eventLoopDelay.background)
  log = countErrors(jsonLog(config.logLevel, 'background'), metrics.loggedErrors.background)
  store = await openStore(config, 'same-thread', sharingOf('background', { log, metrics, writeLock }))
  const readerOf = (dataDir: string) =>
    new JournalReader(
      { store, clock, log, metrics, readUserAgent, files: realFiles },
      {
        folder: journalFolder(dataDir),
        boot,
        retentionUs: config.journalRetentionMs * 1000,
        hasExactTimes: config.rawClickDays > 0,
      },
    )
  reader = readerOf(config.dataDir)
  leftReaders = leftFolders.map(readerOf)
  await realFiles.makeFolder(journalFolder(config.dataDir))
  void checkProviders({ db: store.db, log }, config.oidcProviders)
  closedClicks = openClickKeeper(config, { store, clock, log })
  emailReports = openEmailReports(config, { store, clock, log, metrics })
  runningJobs = startJobs(
    jobs({
      store,
      clock,
      readers: [reader, ...leftReaders],
      closedClicks,
      emailReports,
      metrics,
      dataDir: config.dataDir,
      rawClickDays: config.rawClickDays,
      trashDays: config.trashDays,
      auditDays: config.auditDays,
      hasCaughtUp: () => hasCaughtUp,
      domainChecks: openDomainChecks({
        config,
        reachableIps: [],
        hostLimit: new HostLimit(clock, config.baseUrl),
      }),
      baseUrl: config.baseUrl,
      onSalts: (salts) => send({ kind: 'salts', salts }),
      onMails: (emails) => send({ kind: 'mails', emails }),
      onLinksChanged: (keys) => send({ kind: 'links_changed', keys }),
      isStopping: () => isStopping,
    }),
    log,
  )
  findingSegments = findSegments()
  setInterval(updateMetrics, UPDATE_METRICS_MS)
  send({ kind: 'ready' })
}

/** Finds the segments of earlier runs. Clicks of this run are counted at the same time. */
async function findSegments(): Promise<void> {
  while (!isStopping) {
    try {
      for (const each of [reader, ...leftReaders]) await each.findSegments()
      hasFoundSegments = true
      return countSoon()
    } catch (error) {
      if (!isStoreUnavailable(error))
        log.error('Could not read clicks of earlier runs; will retry.', describeError(error))
      await Bun.sleep(RETRY_MS)
    }
  }
}

/** After a failover the new primary may lack committed counts. */
function lookAgainSoon(): void {
  mustLookAgain = true
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
      if (mustLookAgain && hasFoundSegments) await lookAgain()
      while (!isStopping && (await countBatch()));
      hasCaughtUp ||= hasFoundSegments
    } catch (error) {
      if (!isStoreUnavailable(error)) {
        log.error(
          'Clicks could not be counted; they stay in the journal and are tried again.',
          describeError(error),
        )
      }
      hasNews = true
      await Bun.sleep(RETRY_MS)
    }
  }
  // Synchronous with the last check of hasNews: progress that arrives later starts counting again.
  counting = undefined
}

async function lookAgain(): Promise<void> {
  mustLookAgain = false
  try {
    for (const each of [reader, ...leftReaders]) await each.lookAgain()
  } catch (error) {
    mustLookAgain = true
    throw error
  }
}

function updateMetrics(): void {
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
  await Promise.all([closedClicks?.close(), emailReports?.stop()])
  await runningJobs.stop()
  await store.close()
  send({ kind: 'stopped' })
}
