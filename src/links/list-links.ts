import type { Caller } from '../caller.ts'
import { invalid } from '../refusal.ts'
import { INDEXED_SEARCH_CHARS_MIN, linkTextIndexed, linkTextScanned } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { linkCounts } from './count-links.ts'
import { type Link, selectLinks, toLink } from './link.ts'

export const PER_PAGE_DEFAULT = 15
export const PER_PAGE_MAX = 100
export const SEARCH_CHARS_MAX = 255

/** Reading the rows of an account with so few links is quicker than asking the index, which holds everybody's. */
const SCANNED_LINKS_MAX = 2_000

export type LinkPage = {
  /** From 1. */
  page: number
  /** From 1 to PER_PAGE_MAX. */
  perPage: number
  /** A literal part of title or URL, whatever its case; '' finds all. */
  search: string
}

/** A page of the caller's links, newest first, and how many there are in all. */
export async function listLinks(
  deps: { reportDb: Db },
  caller: Caller,
  { page, perPage, search }: LinkPage,
): Promise<{ links: Link[]; total: number }> {
  const { links: total } = await linkCounts(deps.reportDb, caller.accountId)
  const mine = selectLinks(deps.reportDb).where('links.account_id', '=', caller.accountId)
  const found = search === '' ? mine : mine.where(textTest(search, total))
  const rows = await found
    .orderBy('links.created_at', 'desc')
    .orderBy('links.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return {
    links: rows.map(toLink),
    total: search === '' ? total : await countFound(deps.reportDb, caller, textTest(search, total)),
  }
}

function textTest(search: string, linksOfAccount: number) {
  const isIndexed = [...search].length >= INDEXED_SEARCH_CHARS_MIN && linksOfAccount > SCANNED_LINKS_MAX
  return isIndexed ? linkTextIndexed(search) : linkTextScanned(search)
}

async function countFound(db: Db, caller: Caller, test: ReturnType<typeof textTest>): Promise<number> {
  const { found } = await db
    .selectFrom('links')
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .where('links.account_id', '=', caller.accountId)
    .where(test)
    .executeTakeFirstOrThrow()
  return Number(found)
}

/** The text to search for; '' when none is given. */
export function readSearch(text: string | undefined): string {
  if (text === undefined) return ''
  const faults: string[] = []
  if ([...text].length > SEARCH_CHARS_MAX)
    faults.push(`The search may not be greater than ${SEARCH_CHARS_MAX} characters.`)
  if (text.includes('\0') || !text.isWellFormed()) faults.push('The search must be well-formed text.')
  if (faults.length > 0) throw invalid({ search: faults })
  return text
}
