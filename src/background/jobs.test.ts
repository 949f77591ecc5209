import { transact } from '../store/transact.ts'
import { afterEach, expect, jest, test } from 'bun:test'
import { recordingLog } from '../../test/rigs/clicks/ingest-rig.ts'
import { aFact, insertFacts } from '../../test/rigs/clicks/fact-rows.ts'
import { aClick, NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { DAY_US, dayOf, manualClock } from '../runtime/clock.ts'
import { realFiles } from '../clicks/journal/files.ts'
import { journalFolder } from '../clicks/journal/open-journal.ts'
import { visitOf } from '../../test/rigs/clicks/read-clicks.ts'
import { recordVisitors } from '../clicks/counters/seen-visitors.ts'
import { newSharedMetrics, openMetrics } from '../metrics/metrics.ts'
import { indexNewLinks } from '../store/engine-sql.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { jobs } from './jobs.ts'
import { type Job, RETRY_MS, startJobs } from './start-jobs.ts'

const folders = temporaryFolders()
afterEach(() => {
  jest.useRealTimers()
  folders.remove()
})

const EVERY_MS = 60_000

test('a job runs at the start, then every so often, and never beside itself', async () => {
  jest.useFakeTimers()
  const log = recordingLog()
  const { job, runs } = heldJob()
  const { stop } = startJobs([job], log)
  expect(runs).toHaveLength(1)
  jest.advanceTimersByTime(3 * EVERY_MS)
  expect(runs).toHaveLength(1)
  runs[0]!.resolve()
  await settle()
  jest.advanceTimersByTime(EVERY_MS)
  expect(runs).toHaveLength(2)
  runs[1]!.resolve()
  await stop()
  jest.advanceTimersByTime(3 * EVERY_MS)
  expect(runs).toHaveLength(2)
  expect(log.lines).toEqual([])
})

test('a job that fails is logged and tried again soon, and the others wait for their turn', async () => {
  jest.useFakeTimers()
  const log = recordingLog()
  const { job, runs } = heldJob()
  const failing: Job = { name: 'fail', everyMs: EVERY_MS, run: () => Promise.reject(new Error('Not today.')) }
  const throwing: Job = {
    name: 'throw',
    everyMs: EVERY_MS,
    run() {
      throw new Error('Not even a promise.')
    },
  }
  const { stop } = startJobs([failing, throwing, job], log)
  expect(runs).toHaveLength(1)
  await settle()
  runs[0]!.resolve()
  await settle()
  jest.advanceTimersByTime(RETRY_MS)
  await settle()
  expect(runs).toHaveLength(1)
  const failures = ['A job failed: fail.', 'A job failed: throw.']
  expect(log.errors().sort()).toEqual([...failures, ...failures].sort())
  await stop()
})

test('the end waits for a job that is at work', async () => {
  const { job, runs } = heldJob()
  const { stop } = startJobs([job], recordingLog())
  let hasStopped = false
  const stopped = stop().then(() => (hasStopped = true))
  await settle()
  expect(hasStopped).toBe(false)
  runs[0]!.resolve()
  await stopped
})

test('the jobs of the service do their work: salts, visitors, single clicks, segments, the search, kept answers', async () => {
  const dataDir = folders.make()
  await realFiles.makeFolder(journalFolder(dataDir))
  const store = await openSqliteStore(dataDir, 'same-thread')
  const metrics = openMetrics(newSharedMetrics())
  const salts: Map<number, Uint8Array>[] = []
  let removals = 0
  let hasCaughtUp = false
  const clock = manualClock(NOON_US)
  const today = dayOf(NOON_US)
  const list = jobs({
    store,
    clock,
    metrics,
    dataDir,
    rawClickDays: 30,
    trashDays: 30,
    auditDays: 400,
    hasCaughtUp: () => hasCaughtUp,
    readers: [{ removeOld: async () => void removals++ }],
    onSalts: (each) => void salts.push(each),
    domainChecks: {
      check: async () => ({
        ownership: undefined,
        pointing: undefined,
        addresses: [],
        certificate: undefined,
      }),
    },
    baseUrl: 'https://tern.example',
    onMails: () => {},
    onLinksChanged: () => {},
    isStopping: () => false,
  })
  const visits = [0, 1, 2].map((ago) => visitOf(aClick(1, { clickedAtUs: NOON_US - ago * DAY_US })))
  await transact(store.db, (tx) => recordVisitors(tx, visits))
  await insertFacts(
    store.relaxedDb,
    [31, 29].map((ago) => aFact({ link_id: ago, clicked_at: NOON_US - ago * DAY_US + 1 })),
  )
  await store.db.insertInto('link_texts').values({ link_id: 7, workspace_id: 1, text: 'seven' }).execute()
  const seenVisits = () => store.db.selectFrom('seen_visits').select('visit').execute()
  // The clicks of earlier days are not counted yet: their visitors must still be known.
  await Promise.all(list.map(({ run }) => run()))
  expect(await seenVisits()).toHaveLength(3 * 2)
  salts.length = removals = 0
  hasCaughtUp = true
  for (const { run } of list) await run()
  expect(salts.map((each) => [...each.keys()])).toEqual([[today, today + 1]])
  expect(removals).toBe(1)
  expect(metrics.diskSizeBytes.value).toBeGreaterThan(0)
  const { toLink } = await transact(store.db, (tx) => recordVisitors(tx, visits))
  expect([...toLink]).toEqual([0, 0, 1])
  const clicks = await store.db.selectFrom('clicks').select(['link_id', 'clicked_at']).orderBy('id').execute()
  expect(clicks.map(({ link_id: ago, clicked_at: at }) => [ago, at - NOON_US + ago * DAY_US])).toEqual([
    [31, 0],
    [29, 1],
  ])
  expect(await indexNewLinks(store.relaxedDb)).toBe(false)
  expect(list.every(({ everyMs }) => everyMs >= 1_000)).toBe(true)
  await store.close()
})

/** A job whose runs the test ends as it likes. */
function heldJob() {
  const runs: PromiseWithResolvers<void>[] = []
  const job: Job = {
    name: 'hold still',
    everyMs: EVERY_MS,
    run() {
      runs.push(Promise.withResolvers<void>())
      return runs.at(-1)!.promise
    },
  }
  return { job, runs }
}

/** So that everything that waits for nothing else has happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}
