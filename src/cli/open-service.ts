import { randomUUID } from 'node:crypto'
import { hasAccounts } from '../accounts/find-account.ts'
import { BackgroundLine } from '../background/background-line.ts'
import { realFiles } from '../clicks/files.ts'
import type { Journal } from '../clicks/journal.ts'
import { journalFolder, openJournal } from '../clicks/open-journal.ts'
import { storedSegments } from '../clicks/rebuild-headers.ts'
import { repairJournal } from '../clicks/repair-journal.ts'
import { VisitorHash } from '../clicks/visitor-hash.ts'
import { rotateVisitorSalts } from '../clicks/visitor-salts.ts'
import { dayOf, systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { watchEventLoop } from '../event-loop-delay.ts'
import { ApiLine, type ChangeListener } from '../http/api-line.ts'
import { openDoors } from '../http/open-doors.ts'
import type { ServiceState } from '../http/service-state.ts'
import { readBlockList } from '../links/block-host.ts'
import { Blocks, NOTHING_BLOCKED } from '../links/blocks.ts'
import { destinationRulesOf } from '../links/destination-rules.ts'
import { LinkCache } from '../links/link-cache.ts'
import { openTargetSource, type TargetSource } from '../links/target-source.ts'
import { countErrors, describeError, type Log } from '../log.ts'
import { type Metrics, newSharedMetrics, openMetrics } from '../metrics.ts'
import { isStoreUnavailable } from '../store/engine-sql.ts'
import { lockFolder, lockJournal } from '../store/folder-lock.ts'
import { openStore } from '../store/open-store.ts'
import { refuseUnfinishedRestore } from '../store/unfinished-restore.ts'
import { newSharedTurns } from '../store/write-turn.ts'

/** A running service. */
export type Service = {
  /** Where it listens, on this machine. */
  port: number
  /** At the start it had no account. */
  isEmpty: boolean
  /** Resolves with the reason when a thread has died: what is left of the service must be stopped. */
  failed: Promise<Error>
  /** Answers on, but says in its health check, and to each visitor's connection, that it is about to end. */
  announceStop(): void
  /** Takes no more requests, answers those under way, makes every click safe and counted, and lets the folder go. */
  stop(): Promise<void>
}

/** One of several processes of a machine: they share the port, and this one has the folders of those that are no more. */
export type ServiceOptions = { isWorker?: boolean; leftFolders?: readonly string[] }

const SYNC_EVERY_MS = 200
const WATCH_EVERY_MS = 1_000

/**
 * Starts everything of one data folder: this thread answers visitors, the API thread everything else, the background
 * thread counts. Visitors do not wait for the other two: what they are told meanwhile they find when they are up. What
 * has been opened is closed in the opposite order, also when a later step fails.
 */
export async function openService(
  config: Config,
  log: Log,
  { isWorker = false, leftFolders = [] }: ServiceOptions = {},
): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  opened.adopt(lockFolder(config.dataDir), (lock) => lock.release())
  // Workers can outlive the process that started them: what they still write is not left by anyone.
  for (const folder of [config.dataDir, ...leftFolders])
    opened.adopt(lockJournal(folder), (lock) => lock.release())
  refuseUnfinishedRestore(config.dataDir)
  const { salts, blockList, isEmpty } = await readyStore(config, log)
  await repairJournals(config, log, leftFolders)
  const visitors = new VisitorHash()
  visitors.setSalts(salts)
  const boot = randomUUID()
  const writeTurns = newSharedTurns()
  const sharedMetrics = newSharedMetrics()
  const metrics = openMetrics(sharedMetrics)
  sayWhatIsKnown(metrics)
  opened.defer(watchEventLoop(systemClock, metrics.eventLoopDelay.visitors))
  const background = opened.adopt(
    new BackgroundLine({
      start: { kind: 'start', config, leftFolders, boot, writeTurns, metrics: sharedMetrics },
      onSalts: (salts) => visitors.setSalts(salts),
    }),
    (line) => line.stop(),
  )
  const blocks = new Blocks()
  blocks.replace(blockList)
  const source = opened.adopt(await openTargetSource(config, { clock: systemClock, log }), (source) =>
    source.close(),
  )
  const { ownHosts } = destinationRulesOf(config, blocks)
  const links = new LinkCache({ ...source, ownHosts, blocks, metrics }, config.linkCacheSize)
  const listener: ChangeListener = {
    onLinksChanged: (codes) => links.forget(codes),
    onBlocks(list) {
      blocks.replace(list)
      links.forgetAll()
    },
  }
  const api = opened.adopt(
    new ApiLine(
      { config, leftFolders, writeTurns, metrics: sharedMetrics, blockList },
      listener,
      countErrors(log, metrics.loggedErrors.visitors),
    ),
    (line) => line.stop(),
  )
  const journal = opened.adopt(await openJournalOf(config, { boot, background, metrics }), (journal) =>
    journal.close(),
  )
  source.follow(links, {
    onBlocks(list) {
      listener.onBlocks(list)
      api.tellBlocks(list)
    },
    onAnotherServer() {
      api.tellAnotherServer()
      background.tellAnotherServer()
    },
  })
  const watching = opened.adopt(watch({ journal, source, visitors, api, config }), ({ end }) => end())
  const lane = openDoors(
    config,
    { links, journal, visitors, api, metrics, log, sharesPort: isWorker },
    opened,
  )
  opened.defer(() => api.endStreams())
  const running = opened.move()
  return {
    port: lane.port,
    isEmpty,
    failed: Promise.race([background.failed, api.failed]),
    announceStop() {
      watching.announceStop()
      lane.announceStop()
    },
    stop: () => running.disposeAsync(),
  }
}

/**
 * Brings the tables up to date before the threads open them, and reads what a visitor may need before those are up. A
 * database that is away is no reason not to start: links that are known redirect, and clicks are journaled.
 */
async function readyStore(config: Config, log: Log) {
  const store = await openStore(config, 'same-thread', { patience: log })
  const { db } = store
  try {
    const salts = await rotateVisitorSalts(db, systemClock.nowUs())
    return { salts, blockList: await readBlockList(db), isEmpty: !(await hasAccounts(db)) }
  } catch (error) {
    if (config.databaseUrl === undefined || !isStoreUnavailable(error)) throw error
    return { salts: new Map<number, Uint8Array>(), blockList: NOTHING_BLOCKED, isEmpty: false }
  } finally {
    await store.close()
  }
}

/** Before any thread reads or writes them. The store is opened for it only where something is damaged. */
async function repairJournals(config: Config, log: Log, leftFolders: readonly string[]): Promise<void> {
  for (const folder of [config.dataDir, ...leftFolders].map(journalFolder)) {
    const stored = async () => {
      const store = await openStore(config, 'same-thread', { patience: log })
      return storedSegments(store.db, realFiles, folder)
        .catch((error) => {
          if (config.databaseUrl === undefined || !isStoreUnavailable(error)) throw error
          return []
        })
        .finally(() => store.close())
    }
    await repairJournal({ files: realFiles, clock: systemClock, log, stored }, folder).catch((error) =>
      // On a full disk, say: what is damaged waits, and all else is counted.
      log.error('Could not repair the journal; the next start will try again.', describeError(error)),
    )
  }
}

/** Until a thread knows them, some numbers are not known at all. */
function sayWhatIsKnown(metrics: Metrics): void {
  metrics.startTime.set(systemClock.nowUs() / 1e6 - systemClock.monotonicMs() / 1000)
  for (const build of Object.values(metrics.build)) build.set(1)
  for (const later of ['clicksJournaledBefore', 'clicksSettled', 'countedUntil'] as const)
    metrics[later].set(Number.NaN)
}

type JournalDeps = { boot: string; background: BackgroundLine; metrics: Metrics }

async function openJournalOf(config: Config, { boot, background, metrics }: JournalDeps): Promise<Journal> {
  const journal = await openJournal(
    { files: realFiles, clock: systemClock },
    {
      dataDir: config.dataDir,
      node: config.nodeName,
      boot,
      sync: config.journalSync,
      segmentBytesMax: config.journalSegmentBytes,
      onProgress(progress) {
        metrics.clicksJournaled.add(journal.count - before - metrics.clicksJournaled.value)
        background.tell(progress)
      },
    },
  )
  const before = journal.count
  metrics.clicksJournaledBefore.set(before)
  return journal
}

type Watched = {
  journal: Journal
  source: TargetSource
  visitors: VisitorHash
  api: ApiLine
  config: Config
}

/** What has to be looked at now and then on this thread: the day, how journal and links are, and the way to the disk. */
function watch({ journal, source, visitors, api, config }: Watched) {
  const turnDay = () => visitors.setDay(dayOf(systemClock.nowUs()))
  let isStopping = false
  const state = (): ServiceState => (isStopping ? 'stopping' : source.isAway() ? 'degraded' : journal.state)
  let told = state()
  const tellState = () => {
    if (state() !== told) api.tell((told = state()))
  }
  turnDay()
  const timers = [
    setInterval(() => {
      turnDay()
      tellState()
    }, WATCH_EVERY_MS),
  ]
  if (config.journalSync === 'os') timers.push(setInterval(() => void journal.syncToDisk(), SYNC_EVERY_MS))
  return {
    announceStop() {
      isStopping = true
      tellState()
    },
    end: () => timers.forEach(clearInterval),
  }
}
