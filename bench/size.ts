/**
 * What a person waits for when they look at their links and clicks, over HTTP, as the account grows: all links are one
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
import { sumUpNextDay } from '../src/clicks/link-days.ts'
import { systemClock } from '../src/clock.ts'
import { openSqliteStore, storePath } from '../src/store/open-sqlite-store.ts'
import { makeClicks } from './make-clicks.ts'
import { codeOfLink, makeLinks } from './make-links.ts'
import { machine, markdownTable } from './measure.ts'
import { TernServer } from './tern-server.ts'
import { SeededChance } from './traffic.ts'

const SIZES = (process.env.LINKS ?? '10000,100000,1000000').split(',').map(Number)
const CLICKS_PER_LINK = 100
const DAYS = 90
const RAW_DAYS = 30
const REPEATS = Number(process.env.REPEATS ?? 60)
const PORT = 18_384
const TARGET_MS = 50
const ACCOUNT = 1
/** Words of the links that `makeLinks` makes: each is in one of seven. */
const WORDS = 'launch spring coffee garden hotel invoice recipe'.split(' ')

type Question = { name: string; path(chance: SeededChance, links: number): string }

const QUESTIONS: Question[] = [
  { name: 'links, first page', path: () => '/api/links' },
  {
    name: 'links, any page',
    path: (chance, links) => `/api/links?page=${1 + Math.floor((chance.next() * links) / 15)}`,
  },
  {
    name: 'search, a word in one of seven',
    path: (chance) => `/api/links?search=${chance.oneOf(WORDS)}`,
  },
  {
    name: 'search, two words together',
    path: (chance) => `/api/links?search=${chance.oneOf(WORDS)}%20${chance.oneOf(WORDS)}`,
  },
  {
    name: 'search, a number',
    path: (chance, links) => `/api/links?search=${10_000 + Math.floor(chance.next() * links)}`,
  },
  { name: 'overview', path: () => '/api/analytics/overview' },
  { name: 'clicks of all links, 30 days', path: () => '/api/analytics/clicks?period=30d' },
  { name: 'countries of all links, 30 days', path: () => '/api/analytics/countries?period=30d' },
  { name: 'browsers of all links, 90 days', path: () => '/api/analytics/browsers?period=90d' },
  {
    name: 'all of one link, any, 30 days',
    path: (chance, links) => linkPath(1 + Math.floor(chance.next() * links)),
  },
  { name: 'all of one link, as often clicked', path: (chance, links) => linkPath(chance.skewed(links)) },
  { name: 'all of the most clicked link, 30 days', path: () => linkPath(1) },
]

const linkPath = (id: number) => `/api/analytics/links/${codeOfLink(id)}?period=30d`

type Data = {
  links: number
  clicks: number
  /** Before there were clicks. */ linkBytes: number
  bytes: number
}
type Size = Data & { p95Ms: number[] }

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
        ...QUESTIONS.map(({ name }, i) => [
          name,
          ...sizes.map(({ p95Ms }) => p95Ms[i]!.toFixed(1)),
          `≤ ${TARGET_MS} ${sizes.at(-1)!.p95Ms[i]! <= TARGET_MS ? 'met' : 'missed'}`,
        ]),
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
    for (const question of QUESTIONS) p95Ms.push(await p95Of(tern, question, links))
    return { ...data, p95Ms }
  } finally {
    await tern.stop()
  }
}

async function makeData(dataDir: string, links: number): Promise<Data> {
  // Makes the account.
  await (await TernServer.start({ dataDir, port: PORT })).stop()
  const store = await openSqliteStore(dataDir, 'same-thread')
  const size = async () => {
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(store.quickDb)
    return statSync(storePath(dataDir)).size
  }
  await makeLinks(store, { count: links, ownerOf: () => ACCOUNT })
  const linkBytes = await size()
  const clicks = await makeClicks(store, {
    ...{ clicks: links * CLICKS_PER_LINK, links, accountId: ACCOUNT },
    ...{ nowUs: systemClock.nowUs(), days: DAYS, rawDays: RAW_DAYS },
  })
  while (await sumUpNextDay(store.quickDb, systemClock.nowUs()));
  const bytes = await size()
  await store.close()
  return { links, clicks, linkBytes, bytes }
}

async function p95Of(tern: TernServer, { path }: Question, links: number): Promise<number> {
  const chance = new SeededChance(1)
  const times: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const url = tern.url + path(chance, links)
    const startedMs = performance.now()
    const answer = await fetch(url, { headers: tern.headers })
    await answer.arrayBuffer()
    times.push(performance.now() - startedMs)
    if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}.`)
  }
  return times.sort((a, b) => a - b)[Math.ceil(0.95 * REPEATS) - 1]!
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}
