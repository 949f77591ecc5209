/**
 * What a user waits for when they look at their links and clicks, over HTTP, as the account grows: all links are one
 * account's, each has a hundred clicks on average, few have most of them, over the last 90 days.
 *
 *   npm run bench:size                       10,000, 100,000 and 1,000,000 links; makes them first, half an hour
 *   LINKS=10000,100000 npm run bench:size
 *   FOLDER=/somewhere npm run bench:size     keeps the data, and takes it up again
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { systemClock } from '../src/runtime/clock.ts'
import { openSqliteStore, storePath } from '../src/store/sqlite/open-sqlite-store.ts'
import { DASHBOARD_QUERIES, timesOf } from './rigs/dashboard-queries.ts'
import { makeClicks } from './rigs/make-clicks.ts'
import { makeLinks } from './rigs/make-links.ts'
import { atShare, childrenOf, machine, markdownTable, megabytesOf } from './rigs/measure.ts'
import { TernServer } from './rigs/tern-server.ts'

const SIZES = (process.env.LINKS ?? '10000,100000,1000000').split(',').map(Number)
const CLICKS_PER_LINK = 100
const DAYS = 90
const REPEATS = Number(process.env.REPEATS ?? 60)
const PORT = 18_384
const TARGET_MS = 50
const SAMPLE_MS = 100
const NEWLINE = 10
const ACCOUNT = 1

type Data = {
  links: number
  clicks: number
  /** Before there were clicks. */ linkBytes: number
  bytes: number
}
type Size = Data & { p95Ms: number[]; export: ExportFigures }
/** `addedMb`: the most that the whole process needs more than before, while all single clicks are exported. */
type ExportFigures = { rows: number; seconds: number; addedMb: number }

const kept = process.env.FOLDER
const folder = kept ?? mkdtempSync(join(tmpdir(), 'tern-bench-'))
try {
  const sizes: Size[] = []
  for (const links of SIZES) sizes.push(await measured(links))
  console.log(`\n${machine()}; p95 of ${REPEATS} answers in ms, one after the other\n`)
  console.log(
    markdownTable(
      ['', ...sizes.map(({ links, clicks }) => `${whole(links)} links, ${whole(clicks)} clicks`), 'target'],
      [
        ...DASHBOARD_QUERIES.map(({ name }, i) => [
          name,
          ...sizes.map(({ p95Ms }) => p95Ms[i]!.toFixed(1)),
          `≤ ${TARGET_MS} ${sizes.at(-1)!.p95Ms[i]! <= TARGET_MS ? 'met' : 'missed'}`,
        ]),
        [
          'rows of an export of all clicks',
          ...sizes.map(({ export: { rows, seconds } }) => `${whole(rows)} in ${whole(seconds)} s`),
          '',
        ],
        ['most MB that it adds', ...sizes.map(({ export: { addedMb } }) => whole(addedMb)), ''],
        ['MB on the disk', ...sizes.map(({ bytes }) => whole(bytes / 1e6)), ''],
        [
          'of it for a million clicks, MB',
          ...sizes.map(({ bytes, linkBytes, clicks }) => whole((bytes - linkBytes) / clicks)),
          '',
        ],
      ],
    ),
  )
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true })
}

async function measured(links: number): Promise<Size> {
  const dataDir = join(folder, String(links))
  const noted = join(folder, `${links}.json`)
  if (!existsSync(noted)) writeFileSync(noted, JSON.stringify(await makeData(dataDir, links)))
  const data = JSON.parse(readFileSync(noted, 'utf8')) as Data
  const tern = await TernServer.start({ dataDir, port: PORT })
  try {
    const p95Ms: number[] = []
    for (const question of DASHBOARD_QUERIES) {
      p95Ms.push(atShare(await timesOf(tern, question, { links, repeats: REPEATS, seed: 1 }), 0.95))
    }
    return { ...data, p95Ms, export: await exported(tern) }
  } finally {
    await tern.stop()
  }
}

async function exported(tern: TernServer): Promise<ExportFigures> {
  const residentMb = () =>
    [tern.pid, ...childrenOf(tern.pid)].reduce((sum, pid) => sum + megabytesOf(pid, 'VmRSS'), 0)
  const before = residentMb()
  let [most, rows] = [before, -1]
  const sampling = setInterval(() => (most = Math.max(most, residentMb())), SAMPLE_MS)
  const startedMs = performance.now()
  const days = `from=${dayAgo(DAYS)}&to=${dayAgo(0)}`
  const answer = await fetch(`${tern.url}/api/analytics/export?format=csv&${days}`, { headers: tern.headers })
  if (!answer.ok) throw new Error(await answer.text())
  for await (const bytes of answer.body as ReadableStream<Uint8Array>)
    for (const byte of bytes) rows += Number(byte === NEWLINE)
  clearInterval(sampling)
  return { rows, seconds: (performance.now() - startedMs) / 1000, addedMb: most - before }
}

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

async function makeData(dataDir: string, links: number): Promise<Data> {
  // Makes the account.
  await (await TernServer.start({ dataDir, port: PORT })).stop()
  const store = await openSqliteStore(dataDir, 'same-thread')
  const size = async () => {
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(store.relaxedDb)
    return statSync(storePath(dataDir)).size
  }
  await makeLinks(store, { count: links, ownerOf: () => ACCOUNT })
  const linkBytes = await size()
  const clicks = await makeClicks(store, {
    clicks: links * CLICKS_PER_LINK,
    links,
    workspaceId: ACCOUNT,
    nowUs: systemClock.nowUs(),
    days: DAYS,
  })
  const bytes = await size()
  await store.close()
  return { links, clicks, linkBytes, bytes }
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}
