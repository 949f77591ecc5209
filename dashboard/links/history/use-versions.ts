import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { LinkAddress } from '../../link-address.ts'
import { ask } from '../../api-client.ts'

const VERSIONS_PER_PAGE = 25

/** Under the key of links, so that each change of a link loads it again. */
export const useVersions = (link: LinkAddress, page = 1) =>
  useQuery({
    queryKey: ['links', 'versions', link.domain, link.short_code, page],
    queryFn: ({ signal }) =>
      ask('GET /links/{short_code}/versions', {
        path: { short_code: link.short_code },
        query: { domain: link.domain, page, per_page: VERSIONS_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
