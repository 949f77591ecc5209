/**
 * The list of links, and searching it, for one account with a million links; beside it an account with a thousand on
 * the same store. Answers come by the same verb as the API's, on the report thread.
 *
 *   npm run bench:search                    1,000,000 links (makes them first, some minutes)
 *   LINKS=100000 npm run bench:search
 */
import { noOtherDomains } from '../test/rigs/redirect/no-other-domains.ts'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listLinks } from '../src/links/lists/list-links.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { openSqliteStore, storePath } from '../src/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../src/store/open-store.ts'
import { codeOfLink, makeLinks } from './rigs/make-links.ts'
import { machine, markdownTable } from './rigs/measure.ts'
import { ownerOf } from '../test/rigs/store/owner-of.ts'

const LINKS = Number(process.env.LINKS ?? 1_000_000)
const REPEATS = 15
const PER_PAGE = 15
/** Every n-th link belongs to the small account. */
const SMALL_SHARE = 1_000
const [LARGE, SMALL] = [1, 2]
const DOMAINS = noOtherDomains('https://tern.example')

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const store = await openSqliteStore(folder, 'own-thread')
try {
  const startedMs = performance.now()
  await makeWorkspaces(store)
  await makeLinks(store, { count: LINKS, ownerOf: (id) => (id % SMALL_SHARE === 0 ? SMALL : LARGE) })
  const madeSeconds = Math.round((performance.now() - startedMs) / 1000)
  const megabytes = Math.round(statSync(storePath(folder)).size / 1e6)
  console.log(
    `\n${machine()}; ${LINKS.toLocaleString('en')} links, ${megabytes} MB, made in ${madeSeconds} s\n`,
  )
  const lastPage = Math.floor((LINKS * (1 - 1 / SMALL_SHARE)) / PER_PAGE)
  console.log(
    markdownTable(
      ['question', 'found', 'median ms', 'p95 ms'],
      [
        await measured('list, first page', { search: '', page: 1, workspaceId: LARGE }),
        await measured('list, middle page', {
          search: '',
          page: Math.ceil(lastPage / 2),
          workspaceId: LARGE,
        }),
        await measured('list, last page', { search: '', page: lastPage, workspaceId: LARGE }),
        await measured('"coffee tea", two words', {
          search: 'coffee tea',
          page: 1,
          workspaceId: LARGE,
        }),
        await measured('"report coffee music", three words', {
          search: 'report coffee music',
          page: 1,
          workspaceId: LARGE,
        }),
        await measured('a code', { search: codeOfLink(12_345), page: 1, workspaceId: LARGE }),
        await measured('a short URL', {
          search: `https://tern.example/${codeOfLink(12_345)}`,
          page: 1,
          workspaceId: LARGE,
        }),
        await measured('"launch", in one of seven', { search: 'launch', page: 1, workspaceId: LARGE }),
        await measured('"LAUNCH", the same in capitals', { search: 'LAUNCH', page: 1, workspaceId: LARGE }),
        await measured('"12345", a number', { search: '12345', page: 1, workspaceId: LARGE }),
        await measured('"/invoice-report/", part of a URL', {
          search: '/invoice-report/',
          page: 1,
          workspaceId: LARGE,
        }),
        await measured('"zzzz", in none', { search: 'zzzz', page: 1, workspaceId: LARGE }),
        await measured('"https", in all', { search: 'https', page: 1, workspaceId: LARGE }),
        await measured('"ab", too short for the index', { search: 'ab', page: 1, workspaceId: LARGE }),
        await measured('"launch", the small account', { search: 'launch', page: 1, workspaceId: SMALL }),
      ],
    ),
  )
} finally {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}

type DashboardQuery = { search: string; page: number; workspaceId: number }

async function measured(label: string, { search, page, workspaceId }: DashboardQuery): Promise<string[]> {
  const times: number[] = []
  let found = 0
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const startedMs = performance.now()
    found = (
      await listLinks({ db: store.reportDb, clock: systemClock, domains: DOMAINS }, ownerOf(workspaceId), {
        filters: { archived: 'exclude' },
        search,
        page,
        perPage: PER_PAGE,
      })
    ).total
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(share * REPEATS) - 1]!.toFixed(1)
  return [label, found.toLocaleString('en'), at(0.5), at(0.95)]
}

async function makeWorkspaces({ relaxedDb }: Store): Promise<void> {
  const workspace = {
    plan: 'free',
    subscription_status: 'active',
    subscription_expires_at: null,
    created_at: 1,
  }
  const workspaces = [LARGE, SMALL].map((id) => ({ ...workspace, id, name: `${id}` }))
  await relaxedDb.insertInto('workspaces').values(workspaces).execute()
}
