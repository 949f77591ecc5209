import { realFiles } from '../clicks/files.ts'
import type { JournalProgress } from '../clicks/journal.ts'
import { JournalReader } from '../clicks/journal-reader.ts'
import { journalFolder } from '../clicks/open-journal.ts'
import { readUserAgent } from '../clicks/read-visitor.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { describeError, jsonLog, type Log } from '../log.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { jobs, startJobs } from './jobs.ts'

/**
 * The background thread: it counts the journal's clicks and runs the jobs of the clock, on its own handles of the
 * store. It is told its configuration first, then how far the journal has got.
 */
declare const self: Worker

/** What the visitors' thread says. `boot` is this run of the program. */
export type ToBackgroundThread =
  | { kind: 'start'; config: Config; boot: string }
  | { kind: 'progress'; progress: JournalProgress }
  | { kind: 'stop' }

/** What this thread says. */
export type BackgroundMessage =
  { kind: 'ready' } | { kind: 'salts'; salts: Map<number, Uint8Array> } | { kind: 'stopped' }

const say = (message: BackgroundMessage) => self.postMessage(message)

/** After a failure (the disk is full, the store is locked) counting waits so long, then tries again. */
const RETRY_MS = 1_000
/** Counting what is left at the end takes no longer than this; the rest is counted at the next start. */
const DRAIN_MS = 4_000

let log: Log
let store: Store
let reader: JournalReader
let runningJobs: { stop(): Promise<void> }
let counting: Promise<void> | undefined
let isStopping = false

/** One message after the other: the end must not overtake the last progress. */
let lastMessage = Promise.resolve()
self.onmessage = (event: MessageEvent<ToBackgroundThread>) => {
  lastMessage = lastMessage
    .then(() => hear(event.data))
    .catch((error) => log.error('The background thread failed.', describeError(error)))
}

async function hear(message: ToBackgroundThread): Promise<void> {
  if (message.kind === 'start') return start(message)
  if (message.kind === 'stop') return stop()
  await reader.hear(message.progress)
  countSoon()
}

async function start({ config, boot }: Extract<ToBackgroundThread, { kind: 'start' }>): Promise<void> {
  log = jsonLog(config.logLevel, 'background')
  store = await openStore(config.dataDir, 'same-thread')
  const clock = systemClock
  reader = new JournalReader(
    { store, clock, log, readUserAgent, files: realFiles },
    {
      folder: journalFolder(config.dataDir),
      boot,
      retentionUs: config.journalRetentionMs * 1000,
      keepsRawClicks: config.rawClickDays > 0,
    },
  )
  const firstSalts = Promise.withResolvers<void>()
  const onSalts = (salts: Map<number, Uint8Array>) => {
    say({ kind: 'salts', salts })
    firstSalts.resolve()
  }
  await realFiles.makeFolder(journalFolder(config.dataDir))
  runningJobs = startJobs(jobs({ store, clock, reader, rawClickDays: config.rawClickDays, onSalts }), log)
  await firstSalts.promise
  say({ kind: 'ready' })
  await reader.findSegments()
  countSoon()
}

function countSoon(): void {
  counting ??= countAll().finally(() => (counting = undefined))
}

async function countAll(): Promise<void> {
  while (!isStopping) {
    try {
      if (!(await reader.countSome())) return
    } catch (error) {
      log.error(
        'Clicks could not be counted; they stay in the journal and are tried again.',
        describeError(error),
      )
      await Bun.sleep(RETRY_MS)
    }
  }
}

async function stop(): Promise<void> {
  isStopping = true
  await counting
  const deadline = systemClock.monotonicMs() + DRAIN_MS
  try {
    while (systemClock.monotonicMs() < deadline && (await reader.countSome()));
  } catch (error) {
    log.warn('Not all clicks could be counted before the end; the journal keeps them.', describeError(error))
  }
  await runningJobs.stop()
  await store.close()
  say({ kind: 'stopped' })
}
