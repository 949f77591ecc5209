import { Refusal } from '../../errors/refusal.ts'
import { FirstUses } from '../../store/sqlite/first-uses.ts'
import { itemsIn, NO_LIST } from '../files/json-pages.ts'
import type { PageClient } from './page-client.ts'
import type { PagedList } from './source-api.ts'

/** How often a list is read that changes while it is read. */
const PASSES_MAX = 3
/** In a row. Pages that shift repeat some items, but not all of many pages. */
const REPEATED_PAGES_MAX = 10
const PAGES_MAX = 1_000_000

/** The items of lists, page by page. Each comes once, however pages shift while they are read. */
export async function* newItems(
  client: PageClient,
  paged: PagedList,
  lists: readonly string[],
): AsyncGenerator<unknown[]> {
  const ids = new FirstUses()
  try {
    for (const list of lists)
      for await (const items of itemsOfList(client, paged, list))
        yield items.filter((item) => ids.before(idOf(paged, item), '') === undefined)
  } finally {
    ids.close()
  }
}

/** What names an item. One without an ID is named by all of it. */
const idOf = (paged: PagedList, item: unknown): string => paged.id(item) ?? JSON.stringify(item)

/**
 * Where pages are counted from the start of a list, a deleted link moves others to pages that were read already. So such a list is
 * read again until all of it was there: as many links as its first page said, and as many as its last one did.
 */
async function* itemsOfList(client: PageClient, paged: PagedList, list: string): AsyncGenerator<unknown[]> {
  for (let pass = 1; ; pass++) {
    const totals: number[] = []
    let count = 0
    for await (const { page, items } of pagesOf(client, paged, list)) {
      const total = paged.total?.(page)
      if (total !== undefined) totals.push(total)
      count += items.length
      yield items
    }
    const changed = totals.find((total) => total !== count)
    if (changed === undefined) return
    if (pass === PASSES_MAX)
      return client.say(
        `${client.title} says that it has ${totals.at(-1)} links, and ${count} were read. Its list has changed in the meantime: run the import again.`,
      )
  }
}

type NewPage = { page: unknown; items: unknown[] }

/** The pages of a list, each with what was on none before it. */
async function* pagesOf(client: PageClient, paged: PagedList, list: string): AsyncGenerator<NewPage> {
  const ids = new FirstUses()
  const cursors = new Set<string>()
  let repeatedPages = 0
  let before: unknown[] = []
  try {
    for (let cursor: string | undefined; cursors.size < PAGES_MAX;) {
      const page = await client.get(paged.request({ list, cursor }))
      const all = itemsIn(paged.items(page))
      if (all === undefined) throw new Refusal('command_failed', `The answer of ${client.title} ${NO_LIST}`)
      const items = all.filter((item) => ids.before(idOf(paged, item), '') === undefined)
      yield { page, items }
      repeatedPages = all.length > 0 && items.length === 0 ? repeatedPages + 1 : 0
      cursor = paged.next(page, { list, cursor, items: all, before })
      if (all.length > 0) before = all
      if (cursor === undefined) return
      if (cursors.has(cursor) || repeatedPages === REPEATED_PAGES_MAX) break
      cursors.add(cursor)
    }
    throw new Refusal('command_failed', `${client.title} sends the same pages again and again.`)
  } finally {
    ids.close()
  }
}
