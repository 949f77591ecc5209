import { randomUUID } from 'node:crypto'
import { hasUsers } from '../../users/find-user.ts'
import { BackgroundChannel } from '../../background/background-channel.ts'
import { realFiles } from '../../clicks/journal/files.ts'
import type { Journal } from '../../clicks/journal/journal.ts'
import { journalFolder, openJournal } from '../../clicks/journal/open-journal.ts'
import { clicksFolder } from '../../store/sqlite/open-sqlite-store.ts'
import { removeLeftovers, tidyClickFiles } from '../../clicks/parquet/tidy-click-files.ts'
import { storedSegments } from '../../clicks/repair/rebuild-headers.ts'
import { repairJournal } from '../../clicks/repair/repair-journal.ts'
import { VisitorHash } from '../../clicks/visitor/visitor-hash.ts'
import { rotateVisitorSalts } from '../../clicks/visitor/visitor-salts.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Config } from '../../config/config.ts'
import { watchEventLoop } from '../../metrics/event-loop-delay.ts'
import { ApiChannel, type ApiStart, type ChangeListener } from '../../http/api-server/api-channel.ts'
import { openServers } from '../../http/open-servers.ts'
import { changeListener } from './change-listener.ts'
import { watchService } from './watch-service.ts'
import { KeptRedirectState, NO_REDIRECT_STATE, readRedirectState } from '../../links/routes/redirect-state.ts'
import { NotFoundCodes } from '../../links/not-found/not-found-codes.ts'
import { LinkCache } from '../../links/routes/link-cache.ts'
import { openRouteSource, type RouteSource } from '../../links/routes/route-source.ts'
import { countErrors, describeError, type Log } from '../../runtime/log.ts'
import { type Metrics, newSharedMetrics, openMetrics } from '../../metrics/metrics.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import { lockFolder, lockJournal } from '../../store/files/folder-lock.ts'
import type { DurableDb } from '../../store/handles.ts'
import { openStore } from '../../store/open-store.ts'
import { refuseUnfinishedRestore } from '../../store/files/unfinished-restore.ts'
import { newSharedWriteLock } from '../../store/sqlite/write-lock.ts'

export type Service = {
  port: number
  /** It had no account at the start. */
  isEmpty: boolean
  /** Resolves once the API and the dashboard are served, too. Redirects do not wait for them. */
  ready: Promise<void>
  /** Resolves with the reason when a thread has failed. The service must be stopped then. */
  failed: Promise<Error>
  /** Keeps serving, but announces in its health check and to each connection that it is about to stop. */
  announceStop(): void
  /** Accepts no more requests, answers those under way, saves and counts every click, and releases the folder. */
  stop(): Promise<void>
}

/** `isWorker`: one of several processes of a machine that share the port. `leftFolders` are those of former workers. */
export type ServiceOptions = { isWorker?: boolean } & Partial<
  Pick<ApiStart, 'leftFolders' | 'reachableIps' | 'reachesAnyPort' | 'dnsServers' | 'authorities'>
>

/**
 * Starts everything of one data folder: this thread redirects, the API thread answers everything else, the background
 * thread counts. Redirects do not wait for the other two: messages to them are delivered when they are up. Everything is
 * closed in reverse order, also if a later step fails.
 */
export async function openService(
  config: Config,
  log: Log,
  { isWorker = false, leftFolders = [], reachableIps = [], ...reached }: ServiceOptions = {},
): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  lockFolders(config, leftFolders, opened)
  refuseUnfinishedRestore(config.dataDir)
  const { salts, state, isEmpty } = await readyStore(config, log)
  await repairJournals(config, log, leftFolders)
  const visitors = new VisitorHash()
  visitors.setSalts(salts)
  const boot = randomUUID()
  const forThreads = { config, leftFolders, writeLock: newSharedWriteLock(), metrics: newSharedMetrics() }
  const metrics = openMetrics(forThreads.metrics)
  sayWhatIsKnown(metrics)
  opened.defer(watchEventLoop(systemClock, metrics.eventLoopDelay.redirect))
  const background = opened.adopt(
    new BackgroundChannel({
      start: { kind: 'start', boot, ...forThreads },
      onSalts: (salts) => visitors.setSalts(salts),
      onMails: (emails) => api.sendMails(emails),
      onLinksChanged: (keys) => listener.onLinksChanged(keys),
    }),
    (channel) => channel.stop(),
  )
  const notFound = opened.adopt(new NotFoundCodes((codes) => background.sendNotFound(codes)), (codes) =>
    codes.sendAll(),
  )
  const source = opened.adopt(await openRouteSource(config, { clock: systemClock, log }), (source) =>
    source.close(),
  )
  const redirectState = new KeptRedirectState(config, state)
  const { blocks, domains } = redirectState
  const links = new LinkCache({ ...source, ownHosts: domains, blocks, metrics }, config.linkCacheSize)
  const listener = changeListener(links, redirectState, source)
  const apiStart = { ...forThreads, state, reachableIps, ...reached }
  const api = opened.adopt(
    new ApiChannel(apiStart, listener, countErrors(log, metrics.loggedErrors.redirect)),
    (channel) => channel.stop(),
  )
  const journal = opened.adopt(await openJournalOf(config, { boot, background, metrics }), (journal) =>
    journal.close(),
  )
  followOtherNodes({ source, links, listener, api, background })
  const watching = opened.adopt(watchService({ journal, source, visitors, api, config }), ({ end }) => end())
  const server = openServers(
    config,
    { kept: redirectState, links, journal, visitors, notFound, api, metrics, log, sharesPort: isWorker },
    opened,
  )
  const running = opened.move()
  return {
    port: server.port,
    isEmpty,
    ready: api.ready,
    failed: Promise.race([background.failed, api.failed]),
    announceStop() {
      watching.announceStop()
      server.announceStop()
    },
    stop: () => running.disposeAsync(),
  }
}

/** Workers can outlive the process that started them. A journal that one still writes is not free. */
function lockFolders(config: Config, leftFolders: readonly string[], opened: AsyncDisposableStack): void {
  opened.adopt(lockFolder(config.dataDir), (lock) => lock.release())
  for (const folder of [config.dataDir, ...leftFolders])
    opened.adopt(lockJournal(folder), (lock) => lock.release())
}

type NodeFollowers = {
  source: RouteSource
  links: LinkCache
  listener: ChangeListener
  api: ApiChannel
  background: BackgroundChannel
}

function followOtherNodes({ source, links, listener, api, background }: NodeFollowers): void {
  source.follow(links, {
    onState(state) {
      listener.onState(state)
      api.sendRedirectState(state)
    },
    onAnotherServer() {
      api.sendAnotherServer()
      background.reportFailover()
    },
  })
}

/**
 * Migrates the tables before the threads open them, and reads what redirects need before those are up. Tern also starts
 * when the database is unavailable: known links redirect, and clicks are journaled.
 */
async function readyStore(config: Config, log: Log) {
  const store = await openStore(config, 'same-thread', { retryLog: log })
  const { db } = store
  try {
    if (config.databaseUrl === undefined) await tidyClicks(db, config, log)
    const salts = await rotateVisitorSalts(db, systemClock.nowUs())
    return { salts, state: await readRedirectState(db), isEmpty: !(await hasUsers(db)) }
  } catch (error) {
    if (config.databaseUrl === undefined || !isStoreUnavailable(error)) throw error
    return { salts: new Map<number, Uint8Array>(), state: NO_REDIRECT_STATE, isEmpty: false }
  } finally {
    await store.close()
  }
}

/** Before any engine uses the folder. */
async function tidyClicks(db: DurableDb, config: Config, log: Log): Promise<void> {
  const folder = clicksFolder(config.dataDir)
  try {
    const { missing } = await tidyClickFiles({ db }, folder)
    await removeLeftovers(folder, { beforeUs: systemClock.nowUs() - config.journalRetentionMs * 1000 })
    if (missing.length > 0)
      log.error('Files of clicks are gone: their clicks are missing in reports.', {
        files: missing.join(', '),
      })
  } catch (error) {
    log.error('Could not tidy the folder of clicks; the next start will try again.', describeError(error))
  }
}

/** Before any thread uses them. Opens the store only if something is damaged. */
async function repairJournals(config: Config, log: Log, leftFolders: readonly string[]): Promise<void> {
  for (const folder of [config.dataDir, ...leftFolders].map(journalFolder)) {
    const readStored = async () => {
      const store = await openStore(config, 'same-thread', { retryLog: log })
      return storedSegments(store.db, realFiles, folder)
        .catch((error) => {
          if (config.databaseUrl === undefined || !isStoreUnavailable(error)) throw error
          return []
        })
        .finally(() => store.close())
    }
    await repairJournal({ files: realFiles, clock: systemClock, log, stored: readStored }, folder).catch(
      (error) =>
        // On a full disk, for example: the damaged segment waits, everything else is counted.
        log.error('Could not repair the journal; the next start will try again.', describeError(error)),
    )
  }
}

/** Some metrics have no value until a thread has set them. */
function sayWhatIsKnown(metrics: Metrics): void {
  metrics.startTime.set(systemClock.nowUs() / 1e6 - systemClock.monotonicMs() / 1000)
  for (const build of Object.values(metrics.build)) build.set(1)
  for (const later of ['clicksJournaledBefore', 'clicksSettled', 'countedUntil'] as const)
    metrics[later].set(Number.NaN)
}

type JournalDeps = { boot: string; background: BackgroundChannel; metrics: Metrics }

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
        background.send(progress)
      },
    },
  )
  const before = journal.count
  metrics.clicksJournaledBefore.set(before)
  return journal
}
