import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { requestFor } from '../../link-address.ts'
import { ask } from '../../api-client.ts'

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
