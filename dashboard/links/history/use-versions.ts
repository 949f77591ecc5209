import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { LinkVersionView, OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { type LinkAddress, requestFor } from '../link-address.ts'
import { ask } from '../../api/api-client.ts'

const LATEST = 25
/** As many as the server gives at once. */
const VERSIONS_PER_REQUEST = 100

// Under the key of links, so that each change of a link loads them again.
const keyOf = (link: LinkAddress) => ['links', 'versions', link.domain, link.short_code]

type VersionsPart = { page: number; perPage: number; signal: AbortSignal }

const readPart = (link: LinkAddress, { page, perPage, signal }: VersionsPart) =>
  ask('GET /links/{short_code}/versions', {
    path: { short_code: link.short_code },
    query: { domain: link.domain, page, per_page: perPage },
    signal,
  })

/** The latest of them, the newest first. */
export const useLatestVersions = (link: LinkAddress) =>
  useQuery({
    queryKey: [...keyOf(link), 'latest'],
    queryFn: async ({ signal }) => (await readPart(link, { page: 1, perPage: LATEST, signal })).data,
    placeholderData: keepPreviousData,
  })

/** All that the server keeps, which are at most 1,000. The newest first. */
export const useVersions = (link: LinkAddress) =>
  useQuery({
    queryKey: keyOf(link),
    queryFn: ({ signal }) => readAll(link, signal),
    placeholderData: keepPreviousData,
  })

async function readAll(link: LinkAddress, signal: AbortSignal): Promise<LinkVersionView[]> {
  const readPage = (page: number) => readPart(link, { page, perPage: VERSIONS_PER_REQUEST, signal })
  const first = await readPage(1)
  const later = Array.from({ length: first.meta.last_page - 1 }, (_, at) => readPage(at + 2))
  const parts = [first, ...(await Promise.all(later))]
  // A change in between pushes versions to the next part.
  const byNumber = new Map(parts.flatMap(({ data }) => data).map((each) => [each.version, each]))
  return [...byNumber.values()]
}

/** Adding up all the clicks of a link is not for every new click. */
const FRESH_MS = 60_000

/** The key has the version, so that each change of the link loads it again. */
export const useDestinations = (link: OwnLink | undefined) =>
  useQuery({
    queryKey: ['destinations', link?.id, link?.version],
    queryFn: async ({ signal }) =>
      (await ask('GET /links/{short_code}/destinations', { ...requestFor(link!), signal })).data,
    enabled: link !== undefined && link.version > 1,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
