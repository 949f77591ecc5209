/** Counts the clicks of some journals into PostgreSQL, as the background thread does, and says what it took. */
import { realFiles } from '../../src/clicks/journal/files.ts'
import { JournalReader } from '../../src/clicks/ingest/journal-reader.ts'
import { journalFolder } from '../../src/clicks/journal/open-journal.ts'
import { readUserAgent } from '../../src/clicks/visitor/read-user-agent.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { jsonLog } from '../../src/runtime/log.ts'
import { newSharedMetrics, openMetrics } from '../../src/metrics/metrics.ts'
import { isStoreUnavailable } from '../../src/store/store-errors.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'

export type IngestOrder = { url: string; dataDirs: readonly string[]; batchClicks: number }
export type IngestCost = {
  clicks: number
  cpuUs: number
  ms: number
  /** Batches that PostgreSQL gave up and that were counted again. */
  givenUp: number
}

/** As the background thread waits. */
const RETRY_MS = 1_000

export const READY = 'ready'

if (import.meta.main) {
  const { url, dataDirs, batchClicks } = JSON.parse(Bun.argv[2]!) as IngestOrder
  const store = await openPostgresStore({ url })
  const metrics = openMetrics(newSharedMetrics())
  const deps = {
    store,
    clock: systemClock,
    log: jsonLog('error', 'bench'),
    metrics,
    files: realFiles,
    readUserAgent,
  }
  const readers = dataDirs.map(
    (dataDir) =>
      new JournalReader(deps, {
        folder: journalFolder(dataDir),
        boot: '',
        retentionUs: 0,
        hasExactTimes: true,
      }),
  )
  for (const reader of readers) await reader.findSegments()
  console.log(READY)
  // All begin together: when their input ends.
  await Bun.stdin.text()
  const before = process.cpuUsage()
  const startedMs = performance.now()
  let givenUp = 0
  for (const reader of readers) {
    for (let isMore = true; isMore;) {
      isMore = await reader.countSome(batchClicks).catch(async (error) => {
        if (!isStoreUnavailable(error)) throw error
        givenUp++
        await Bun.sleep(RETRY_MS)
        return true
      })
    }
  }
  const { user, system } = process.cpuUsage(before)
  const cost: IngestCost = {
    clicks: metrics.clicksCounted.value,
    cpuUs: user + system,
    ms: performance.now() - startedMs,
    givenUp,
  }
  await store.close()
  console.log(JSON.stringify(cost))
}
