/**
 * What the command palette asks after every key, for an account with a million links, on SQLite or PostgreSQL.
 *
 *   npm run bench:find                      1,000,000 links (makes them first, some minutes)
 *   ENGINE=postgres npm run bench:find      the same on a PostgreSQL that it starts
 *   LINKS=100000 npm run bench:find
 */
import { noOtherDomains } from '../test/rigs/redirect/no-other-domains.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bestMatches } from '../src/links/lists/best-matches.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { openStore, type Store } from '../src/store/open-store.ts'
import { codeOfLink, makeLinks } from './rigs/make-links.ts'
import { familyCpuUs, machine, markdownTable, median } from './rigs/measure.ts'
import { ownerOf } from '../test/rigs/store/owner-of.ts'
import { PostgresServer } from '../test/rigs/store/postgres-server.ts'

const LINKS = Number(process.env.LINKS ?? 1_000_000)
const REPEATS = 15
const OWNER = 1
const DOMAINS = noOtherDomains('https://tern.example')
const SEARCHES: [label: string, search: string][] = [
  ['a code', codeOfLink(12_345)],
  ['a short URL', `https://tern.example/${codeOfLink(12_345)}`],
  ['"launch", in one of seven', 'launch'],
  ['"coffee tea", two words', 'coffee tea'],
  ['"report coffee music", three words', 'report coffee music'],
  ['"12345", a number', '12345'],
  ['"/invoice-report/", part of a URL', '/invoice-report/'],
  ['"zzzz", in none', 'zzzz'],
  ['"https", in all', 'https'],
  ['"ab", too short for the index', 'ab'],
]

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const server = process.env.ENGINE === 'postgres' ? await PostgresServer.start() : undefined
const databaseUrl = await server?.makeDatabase()
const store = await openStore({ dataDir: folder, ...(databaseUrl && { databaseUrl }) }, 'own-thread')
try {
  await makeOwner(store)
  await makeLinks(store, { count: LINKS, ownerOf: () => OWNER })
  await server?.run('VACUUM ANALYZE', new URL(databaseUrl!).pathname.slice(1))
  console.log(`\n${machine()}; ${LINKS.toLocaleString('en')} links, ${server ? 'PostgreSQL' : 'SQLite'}\n`)
  const rows: string[][] = []
  for (const search of SEARCHES) rows.push(await measured(search))
  console.log(markdownTable(['query', 'found', 'median ms', 'median CPU ms'], rows))
} finally {
  await store.close()
  await server?.remove()
  rmSync(folder, { recursive: true, force: true })
}

/** CPU time of this process and the database server: it depends less on what else the machine does. */
async function measured([label, search]: [string, string]): Promise<string[]> {
  const [times, cpuTimes]: number[][] = [[], []]
  let found = ''
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const [startedMs, cpuBefore] = [performance.now(), cpuMs()]
    const { total, isMore } = await bestMatches(
      { db: store.readDb, clock: systemClock, domains: DOMAINS },
      ownerOf(OWNER),
      search,
    )
    times!.push(performance.now() - startedMs)
    cpuTimes!.push(cpuMs() - cpuBefore)
    found = `${total.toLocaleString('en')}${isMore ? ' or more' : ''}`
  }
  return [label, found, median(times!).toFixed(1), median(cpuTimes!).toFixed(1)]
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system + (server ? familyCpuUs(server.pid) : 0)) / 1000
}

async function makeOwner({ relaxedDb }: Store): Promise<void> {
  const plan = { plan: 'free', subscription_status: 'active', subscription_expires_at: null }
  await relaxedDb
    .insertInto('workspaces')
    .values({ id: OWNER, name: 'owner', created_at: 1, ...plan })
    .execute()
}
