import type { QueryClient } from '@tanstack/react-query'
import type { LinksQuery, ListedLink, ListMeta, OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { type LinkAddress, linkQuery, requestFor } from './link-address.ts'

// Under which keys links are cached, and how lists of them change before they are loaded again.

export const LINKS = ['links']
export const LISTS = [...LINKS, 'list']
/** How many links lists have, without the links. */
export const COUNTS = [...LINKS, 'count']

/** One page of a list, with all that its rows show. */
export const listLinks = async (query: LinksQuery, signal?: AbortSignal): Promise<LinkPage> =>
  (await ask('GET /list-links', { query, ...(signal && { signal }) })) as LinkPage

export const COUNT_FRESH_MS = 60_000

/** How many links a list has on all pages. */
export const countLinks = async (filters: LinksQuery, signal: AbortSignal): Promise<number> =>
  (await ask('GET /links', { query: { ...filters, per_page: 1 }, signal })).meta.total

export async function readLink(link: LinkAddress): Promise<OwnLink> {
  const { data } = await ask('GET /links/{short_code}', {
    ...requestFor(link),
    query: linkQuery(link.domain),
  })
  return data as OwnLink
}

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
