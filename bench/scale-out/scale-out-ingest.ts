import { join } from 'node:path'
import { realFiles } from '../../src/clicks/journal/files.ts'
import { openJournal } from '../../src/clicks/journal/open-journal.ts'
import { manualClock } from '../../src/runtime/clock.ts'
import { type IngestCost, type IngestOrder, READY } from './ingest-process.ts'
import { databaseOf, type MeasuredPostgres, type TableWork } from '../rigs/measured-postgres.ts'
import { aVisit, SeededChance } from '../rigs/traffic.ts'

/** As many as the processes at most, so that each number of them counts the same clicks. */
const JOURNALS = 4
const LINKS = 50_000
const CLICKS_PER_SECOND = 10_000
const CLICKS_PER_GROUP = 64
const START_US = Date.UTC(2026, 3, 20, 12) * 1000

export type Counting = { processes: number; batchClicks: number }
export type CountingCost = {
  clicks: number
  perSecond: number
  ternUs: number
  postgresUs: number
  walBytes: number
  givenUp: number
  tables: TableWork[]
}

/** Journals with this many clicks in total; few links get most of them. */
export async function journalClicks(folder: string, clicks: number): Promise<string[]> {
  const dataDirs = Array.from({ length: JOURNALS }, (_, i) => join(folder, `journal-${i + 1}`))
  for (const [i, dataDir] of dataDirs.entries()) {
    await realFiles.makeFolder(dataDir)
    await journalSome(dataDir, { clicks: clicks / JOURNALS, seed: i + 1 })
  }
  return dataDirs
}

async function journalSome(
  dataDir: string,
  { clicks, seed }: { clicks: number; seed: number },
): Promise<void> {
  const clock = manualClock(START_US)
  const journal = await openJournal(
    { files: realFiles, clock },
    {
      dataDir,
      node: `bench-${seed}`,
      boot: `0193b1c0-0000-7000-8000-0000000000b${seed}`,
      sync: 'os',
      segmentBytesMax: 16 * 1024 * 1024,
      onProgress() {},
    },
  )
  const chance = new SeededChance(seed)
  for (let made = 0; made < clicks; made += CLICKS_PER_GROUP) {
    const group = Array.from({ length: Math.min(CLICKS_PER_GROUP, clicks - made) }, () =>
      aVisit(chance, LINKS),
    )
    await Promise.all(group.map((click) => journal.append(click)))
    clock.advance((group.length * 1_000_000) / CLICKS_PER_SECOND)
  }
  await journal.close()
}

/** Counts all journals into empty tables, by this many processes that start together. */
export async function countJournals(
  postgres: MeasuredPostgres,
  { processes, batchClicks }: Counting,
  { template, dataDirs }: { template: string; dataDirs: readonly string[] },
): Promise<CountingCost> {
  const url = await postgres.server.makeDatabase(databaseOf(template))
  const share = JOURNALS / processes
  const running = Array.from({ length: processes }, (_, i) =>
    startOne({ url, batchClicks, dataDirs: dataDirs.slice(i * share, (i + 1) * share) }),
  )
  for (const { ready } of running) await ready
  await postgres.checkpoint()
  const before = { postgresUs: postgres.cpuUs(), walBytes: await postgres.walBytes() }
  const costs = await Promise.all(running.map(({ begin }) => begin()))
  const clicks = sum(costs.map((cost) => cost.clicks))
  const cost = {
    clicks,
    perSecond: (1000 * clicks) / Math.max(...costs.map(({ ms }) => ms)),
    ternUs: sum(costs.map(({ cpuUs }) => cpuUs)),
    postgresUs: postgres.cpuUs() - before.postgresUs,
    walBytes: (await postgres.walBytes()) - before.walBytes,
    givenUp: sum(costs.map((each) => each.givenUp)),
    tables: await postgres.tables(url),
  }
  await postgres.server.run(`DROP DATABASE ${databaseOf(url)}`)
  return cost
}

function startOne(order: IngestOrder) {
  const program = join(import.meta.dir, 'ingest-process.ts')
  const child = Bun.spawn([Bun.argv[0]!, program, JSON.stringify(order)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const ready = Promise.withResolvers<void>()
  const text = (async () => {
    let heard = ''
    for await (const bytes of child.stdout) {
      heard += new TextDecoder().decode(bytes)
      if (heard.includes(READY)) ready.resolve()
    }
    ready.reject(new Error('Counting has ended before it began.'))
    return heard
  })()
  return {
    ready: ready.promise,
    async begin(): Promise<IngestCost> {
      await child.stdin.end()
      return JSON.parse((await text).replace(READY, '')) as IngestCost
    },
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
