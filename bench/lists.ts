/**
 * The list of links under filters, for an account with a million links of three tags each, on both engines: its first page and its
 * total, by the functions of the API, on the report thread.
 *
 *   npm run bench:lists                    1,000,000 links (makes them first, some minutes)
 *   LINKS=100000 npm run bench:lists
 *   DATA_DIR=… DATABASE_URL=… npm run bench:lists    in stores that are kept, and filled if they are empty
 */
import { noOtherDomains } from '../test/rigs/redirect/no-other-domains.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { sql } from 'kysely'
import type { LinkFilters } from '../src/links/lists/list-parameters.ts'
import { countListed } from '../src/links/lists/count-listed.ts'
import { type LinkOrder, NEWEST_FIRST } from '../src/links/lists/link-order.ts'
import { linksInOrder } from '../src/links/lists/list-links.ts'
import { idsOfPage } from '../src/links/lists/list-page.ts'
import { openLinkList } from '../src/links/lists/link-list.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { openStore, type Store } from '../src/store/open-store.ts'
import { ownerOf } from '../test/rigs/store/owner-of.ts'
import { findPostgres, PostgresServer } from '../test/rigs/store/postgres-server.ts'
import { labelMadeLinks } from './rigs/label-links.ts'
import { makeLinks } from './rigs/make-links.ts'
import { machine, markdownTable } from './rigs/measure.ts'
import { dropIndexes } from './rigs/postgres-indexes.ts'

const LINKS = Number(process.env.LINKS ?? 1_000_000)
const REPEATS = Number(process.env.REPEATS ?? 20)
const PER_PAGE = 25
/** At p95. */
const TARGETS_MS = { page: 50, total: 300 }
const ACCOUNT = 1
const MADE = { count: LINKS, workspaceId: ACCOUNT }
const DOMAINS = noOtherDomains('https://tern.example')

type ListCase = Partial<LinkFilters & { search: string; order: LinkOrder }>

const COMMON = 'tag 1'
const RARE = 'tag 250'
const OLDEST = 'tag oldest'
const QUESTIONS: [string, ListCase][] = [
  ['no filter', {}],
  ['active', { status: ['active'] }],
  ['disabled', { status: ['disabled'] }],
  ['need attention', { needs_attention: true }],
  ['created by a member, 0.1 %', { created_by: [3] }],
  ['created by a member, 10 %', { created_by: [2] }],
  ['created by a member, 90 %', { created_by: [1] }],
  ['created by a member, 10 %, a common tag', { created_by: [2], tag: [COMMON] }],
  ['created in a tenth of the time', { created_from: LINKS * 0.4, created_to: LINKS * 0.5 }],
  ['a rare tag', { tag: [RARE] }],
  ['a common tag', { tag: [COMMON] }],
  ['a tag of the oldest 15 %', { tag: [OLDEST] }],
  ['any of two common tags', { tag: [COMMON, 'tag 2'] }],
  ['any of a common and a rare tag', { tag: [COMMON, RARE] }],
  ['both of two tags, 15 % and 4.5 %', { tag: [COMMON, 'tag 20'], tag_mode: 'all' }],
  ['both of a common and a rare tag', { tag: [COMMON, RARE], tag_mode: 'all' }],
  ['a folder', { folder: ['folder 3'] }],
  ['a folder and a common tag', { folder: ['folder 3'], tag: [COMMON] }],
  ['a common tag, active', { tag: [COMMON], status: ['active'] }],
  ['a common tag, disabled', { tag: [COMMON], status: ['disabled'] }],
  ['a rare tag, disabled', { tag: [RARE], status: ['disabled'] }],
  ['a common tag, "coffee tea"', { tag: [COMMON], search: 'coffee tea' }],
  ['a rare tag, "coffee tea"', { tag: [RARE], search: 'coffee tea' }],
  ...(['clicks', 'title', 'last_clicked_at'] as const).flatMap((sort): [string, ListCase][] =>
    [COMMON, RARE, OLDEST].map((tag) => [
      `${tag === COMMON ? 'a common' : tag === RARE ? 'a rare' : 'the old'} tag, by ${sort}`,
      { tag: [tag], order: { sort, direction: sort === 'title' ? 'asc' : 'desc' } },
    ]),
  ),
]

const folder = process.env.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'tern-bench-'))
const given = process.env.DATABASE_URL
const server = given === undefined && findPostgres() !== undefined ? await PostgresServer.start() : undefined
const databaseUrl = given ?? (await server?.makeDatabase())
try {
  const sqlite = await measuredOn(undefined)
  const postgres = databaseUrl === undefined ? undefined : await measuredOn(databaseUrl)
  console.log(`\n${machine()}; ${LINKS.toLocaleString('en')} links, ${REPEATS} times each\n`)
  const rows = QUESTIONS.map(([name], at) => [
    name,
    ...sqlite[at]!,
    ...(postgres?.[at]!.slice(1) ?? ['', '']),
  ])
  const head = ['list', 'found', 'SQLite page', 'total', 'PostgreSQL page', 'total']
  console.log(markdownTable(head, rows))
  console.log(
    `\nMilliseconds: median, p95. The targets at p95 are ${TARGETS_MS.page} and ${TARGETS_MS.total}.`,
  )
} finally {
  await server?.remove()
  if (process.env.DATA_DIR === undefined) rmSync(folder, { recursive: true, force: true })
}

/** For each question: how many are found, and the times of page and total. */
async function measuredOn(url: string | undefined): Promise<string[][]> {
  const store = await openStore({ dataDir: folder, databaseUrl: url }, 'own-thread')
  try {
    await fillOnce(store, url)
    const results: string[][] = []
    for (const [, asked] of QUESTIONS) results.push(await timesOf(store, asked))
    return results
  } finally {
    await store.close()
  }
}

async function timesOf(
  store: Store,
  { search = '', order = NEWEST_FIRST, ...filters }: ListCase,
): Promise<string[]> {
  const deps = { db: store.reportDb, clock: systemClock, domains: DOMAINS }
  const request = { search, filters: { archived: 'exclude' as const, ...filters } }
  const open = () => openLinkList(deps, ownerOf(ACCOUNT), request)
  const slice = { limit: PER_PAGE, offset: 0, order }
  const page = await measured(async () => linksInOrder(store.reportDb, await idsOfPage(await open(), slice)))
  const total = await measured(async () => countListed(await open()))
  return [total.result.toLocaleString('en'), page.times, total.times]
}

async function measured<Result>(run: () => Promise<Result>): Promise<{ result: Result; times: string }> {
  let result = await run()
  const times: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const startedMs = performance.now()
    result = await run()
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(share * REPEATS) - 1]!.toFixed(1)
  return { result, times: `${at(0.5)}, ${at(0.95)}` }
}

async function fillOnce(store: Store, url: string | undefined): Promise<void> {
  const filled = await store.relaxedDb.selectFrom('links').select('id').limit(1).executeTakeFirst()
  if (filled !== undefined) return
  const startedMs = performance.now()
  const workspace = { id: ACCOUNT, name: 'bench', plan: 'free', subscription_status: 'active' }
  await store.relaxedDb
    .insertInto('workspaces')
    .values({ ...workspace, subscription_expires_at: null, created_at: 1 })
    .execute()
  if (url === undefined) {
    await makeLinks(store, { count: LINKS, ownerOf: () => ACCOUNT })
    await labelMadeLinks((text) => sql.raw(text).execute(store.relaxedDb), MADE)
  } else await fillPostgres(store, url)
  console.log(`filled in ${Math.round((performance.now() - startedMs) / 1000)} s`)
}

async function fillPostgres(store: Store, url: string): Promise<void> {
  const connection = new SQL(url, { max: 1 })
  const makeIndexes = await dropIndexes(connection, ['codes', 'links', 'link_texts'])
  await makeLinks(store, { count: LINKS, ownerOf: () => ACCOUNT })
  // No node has to hear of these changes.
  await connection.unsafe('SET session_replication_role = replica')
  await labelMadeLinks((text) => connection.unsafe(text), MADE)
  await makeIndexes()
  await connection.unsafe('VACUUM (ANALYZE)')
  await connection.close()
}
