import { transact } from '../../src/store/transact.ts'
import { countLinks } from '../../src/links/lists/count-links.ts'
import { foldSearch } from '../../src/store/fold-search.ts'
import { indexNewLinks } from '../../src/store/engine-sql.ts'
import type { Store } from '../../src/store/open-store.ts'
import { type RowInsert, writeRows } from '../../src/store/engine-sql.ts'

const LINKS_AT_ONCE = 10_000

const WORDS =
  `launch spring summer autumn winter sale offer news blog post video event ticket shop shoes coffee tea book
  music garden travel hotel flight invoice report budget team meeting agenda survey poll contest gift card coupon price
  list menu recipe guide manual update release notes`.split(/\s+/)

const CODES: RowInsert = { table: 'codes', columns: ['code', 'workspace_id', 'link_id'], texts: ['code'] }
const LINK_ROWS: RowInsert = {
  table: 'links',
  columns: [
    'id',
    'workspace_id',
    'code',
    'svc_id',
    'original_url',
    'title',
    'is_active',
    'created_at',
    'updated_at',
    'created_by',
  ],
  texts: ['code', 'svc_id', 'original_url', 'title'],
}
const TEXTS: RowInsert = {
  table: 'link_texts',
  columns: ['link_id', 'workspace_id', 'text'],
  texts: ['text'],
}

type MadeLinks = {
  /** Links 1 to `count`. */
  count: number
  /** The account that a link is of; it must be there. */
  ownerOf(id: number): number
  /** What every URL ends in; '' unless given. */
  urlEnd?: string
}

/** The links as the API would have made them, in few, large transactions. */
export async function makeLinks({ relaxedDb }: Store, { count, ...made }: MadeLinks): Promise<void> {
  for (let from = 1; from <= count; from += LINKS_AT_ONCE) {
    const ids = Array.from({ length: Math.min(LINKS_AT_ONCE, count - from + 1) }, (_, i) => from + i)
    const owners = ids.map(made.ownerOf)
    await transact(relaxedDb, async (tx) => {
      for (const [target, rows] of linkRows(ids, made)) await writeRows(tx, target, rows)
      for (const [owner, owned] of Map.groupBy(owners, (owner) => owner)) {
        await countLinks(tx, owner, { links: owned.length, active: owned.length, archived: 0 })
      }
    })
    while (await indexNewLinks(relaxedDb));
  }
}

/** What links with these ids are in the tables, in an order that no foreign key minds. */
function linkRows(
  ids: readonly number[],
  { ownerOf, urlEnd = '' }: Omit<MadeLinks, 'count'>,
): [RowInsert, unknown[][]][] {
  const links = ids.map((id) => {
    const link = aLink(id)
    return { ...link, url: link.url + urlEnd, owner: ownerOf(id) }
  })
  return [
    [
      LINK_ROWS,
      links.map(({ id, owner, code, url, title }) => [
        id,
        owner,
        code,
        '',
        url,
        title,
        1,
        id,
        id,
        creatorOf(id),
      ]),
    ],
    [CODES, links.map(({ id, code, owner }) => [code, owner, id])],
    [
      TEXTS,
      links.map(({ id, owner, url, title, code }) => [id, owner, foldSearch(`${title}\n${url}\n${code}`)]),
    ],
  ]
}

/** Nine in ten are by the first of three members, and one in a thousand by the third. */
const creatorOf = (id: number): number => (id % 10 > 0 ? 1 : id % 1000 === 0 ? 3 : 2)

export const codeOfLink = (id: number): string => `c${id.toString(36).padStart(6, '0')}`

/** Words that look random and are the same in every run. */
function aLink(id: number) {
  const word = (place: number) => WORDS[scattered(id * 8 + place) % WORDS.length]!
  return {
    id,
    code: codeOfLink(id),
    url: `https://www.example${id % 977}.com/${word(1)}/${word(2)}-${word(3)}/${id}?utm_source=${word(4)}`,
    title: `${word(5)} ${word(6)} ${word(7)} ${id}`,
  }
}

function scattered(number: number): number {
  let mixed = number
  for (let round = 0; round < 2; round++) mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
