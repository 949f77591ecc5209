/**
 * The list of links, and searching it, for one account with a million links; beside it an account with a thousand on
 * the same store. Answers come by the same verb as the API's, on the report thread.
 *
 *   npm run bench:search                    1,000,000 links (makes them first, some minutes)
 *   LINKS=100000 npm run bench:search
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countLinks } from '../src/links/count-links.ts'
import { foldText } from '../src/links/link-text.ts'
import { listLinks } from '../src/links/list-links.ts'
import { openStore, type Store, storePath } from '../src/store/open-store.ts'
import { type RowTarget, writeRows } from '../src/store/write-rows.ts'
import { machine, markdownTable } from './measure.ts'

const LINKS = Number(process.env.LINKS ?? 1_000_000)
const REPEATS = 15
const PER_PAGE = 15
const LINKS_PER_TRANSACTION = 10_000
/** One link in so many belongs to the small account. */
const SMALL_SHARE = 1_000
const [LARGE, SMALL] = [1, 2]

const WORDS =
  `launch spring summer autumn winter sale offer news blog post video event ticket shop shoes coffee tea book
  music garden travel hotel flight invoice report budget team meeting agenda survey poll contest gift card coupon price
  list menu recipe guide manual update release notes`.split(/\s+/)

const CODES: RowTarget = { table: 'codes', columns: ['code', 'account_id'] }
const LINK_ROWS: RowTarget = {
  table: 'links',
  columns: [
    'id',
    'account_id',
    'code',
    'svc_id',
    'original_url',
    'title',
    'is_active',
    'created_at',
    'updated_at',
  ],
}
const TEXTS: RowTarget = { table: 'link_texts', columns: ['link_id', 'account_id', 'text'] }

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const store = await openStore(folder, 'own-thread')
try {
  const startedMs = performance.now()
  await makeLinks(store)
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
        await measured('list, first page', { search: '', page: 1, accountId: LARGE }),
        await measured('list, middle page', { search: '', page: Math.ceil(lastPage / 2), accountId: LARGE }),
        await measured('list, last page', { search: '', page: lastPage, accountId: LARGE }),
        await measured('"coffee tea", two words together', {
          search: 'coffee tea',
          page: 1,
          accountId: LARGE,
        }),
        await measured('"launch", in one of seven', { search: 'launch', page: 1, accountId: LARGE }),
        await measured('"LAUNCH", the same in capitals', { search: 'LAUNCH', page: 1, accountId: LARGE }),
        await measured('"12345", a number', { search: '12345', page: 1, accountId: LARGE }),
        await measured('"/invoice-report/", part of a URL', {
          search: '/invoice-report/',
          page: 1,
          accountId: LARGE,
        }),
        await measured('"zzzz", in none', { search: 'zzzz', page: 1, accountId: LARGE }),
        await measured('"https", in all', { search: 'https', page: 1, accountId: LARGE }),
        await measured('"ab", too short for the index', { search: 'ab', page: 1, accountId: LARGE }),
        await measured('"launch", the small account', { search: 'launch', page: 1, accountId: SMALL }),
      ],
    ),
  )
} finally {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}

type Question = { search: string; page: number; accountId: number }

async function measured(label: string, { search, page, accountId }: Question): Promise<string[]> {
  const times: number[] = []
  let found = 0
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const startedMs = performance.now()
    found = (await listLinks(store, { accountId }, { search, page, perPage: PER_PAGE })).total
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(share * REPEATS) - 1]!.toFixed(1)
  return [label, found.toLocaleString('en'), at(0.5), at(0.95)]
}

/** As the API makes them, but many in a transaction. */
async function makeLinks({ quickDb }: Store): Promise<void> {
  const account = {
    password_hash: '',
    email_verified_at: 1,
    plan: 'free',
    subscription_status: 'active',
    created_at: 1,
  }
  const accounts = [LARGE, SMALL].map((id) => ({
    ...account,
    id,
    name: `${id}`,
    email: `${id}@example.com`,
    subscription_expires_at: null,
  }))
  await quickDb.insertInto('accounts').values(accounts).execute()
  for (let from = 1; from <= LINKS; from += LINKS_PER_TRANSACTION) {
    const links = Array.from({ length: Math.min(LINKS_PER_TRANSACTION, LINKS - from + 1) }, (_, i) =>
      aLink(from + i),
    )
    await quickDb.transaction().execute(async (tx) => {
      await writeRows(
        tx,
        CODES,
        links.map(({ code, owner }) => [code, owner]),
      )
      await writeRows(
        tx,
        LINK_ROWS,
        links.map(({ id, owner, code, url, title }) => [id, owner, code, '', url, title, 1, id, id]),
      )
      await writeRows(
        tx,
        TEXTS,
        links.map(({ id, owner, url, title }) => [id, owner, foldText(`${title}\n${url}`)]),
      )
    })
    for (const id of [LARGE, SMALL]) {
      const count = links.filter(({ owner }) => owner === id).length
      await countLinks(quickDb, id, { links: count, active: count })
    }
  }
}

/** Words that look random and are the same in every run. */
function aLink(id: number) {
  const word = (place: number) => WORDS[scattered(id * 8 + place) % WORDS.length]!
  return {
    id,
    owner: id % SMALL_SHARE === 0 ? SMALL : LARGE,
    code: `c${id.toString(36).padStart(6, '0')}`,
    url: `https://www.example${id % 977}.com/${word(1)}/${word(2)}-${word(3)}/${id}?utm_source=${word(4)}`,
    title: `${word(5)} ${word(6)} ${word(7)} ${id}`,
  }
}

function scattered(number: number): number {
  let mixed = number
  for (let round = 0; round < 2; round++) mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
