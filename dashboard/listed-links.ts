import type { QueryClient } from '@tanstack/react-query'
import type { ListedLink, ListMeta } from '../src/http/dashboard-api/types/link-types.ts'

// Under which keys links are cached, and how lists of them change before they are loaded again.

export const LINKS = ['links']
export const LISTS = [...LINKS, 'list']
/** How many links lists have, without the links. */
export const COUNTS = [...LINKS, 'count']

export type LinkPage = { data: ListedLink[]; meta: ListMeta }

/** Changes links of cached lists until they are loaded again; undefined takes a link out. */
export async function patchListed(
  client: QueryClient,
  change: (link: ListedLink) => ListedLink | undefined,
): Promise<void> {
  await client.cancelQueries({ queryKey: LISTS })
  client.setQueriesData<LinkPage>(
    { queryKey: LISTS },
    (page) => page && { ...page, data: page.data.flatMap((link) => change(link) ?? []) },
  )
}
