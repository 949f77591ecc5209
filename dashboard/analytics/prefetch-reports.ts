import type { QueryClient } from '@tanstack/react-query'
import type { AnalyticsQuery } from '../../src/http/endpoints/browser-types.ts'
import { type LinkAddress, linkOfPath } from '../links/link-address.ts'
import { linkOptions } from '../links/link-queries.ts'
import { ONE_LINK_FILTERS, readFilters } from './analytics-filters.ts'
import { analyticsOptions, overviewOptions, topLinksOptions } from './analytics-queries.ts'
import { clicksQuery } from './analytics-query.ts'
import { readRange } from './range.ts'

/** Reads what the page of this URL shows first, before React renders it. The page says what has failed. */
export async function prefetchReports(client: QueryClient): Promise<void> {
  const link = linkOfPath(location.pathname)
  const query = queryOfPage(new URLSearchParams(location.search), link)
  const first =
    link === undefined
      ? [client.prefetchQuery(overviewOptions), client.prefetchQuery(topLinksOptions(query))]
      : [client.prefetchQuery(linkOptions(link))]
  await Promise.all([client.prefetchQuery(analyticsOptions(query)), ...first])
}

/** The clicks that the URL of a page chooses by range and filters: of one link, or of all. */
const queryOfPage = (parameters: URLSearchParams, link: LinkAddress | undefined): AnalyticsQuery => ({
  ...clicksQuery(readRange(parameters), link),
  ...readFilters(parameters, link && ONE_LINK_FILTERS),
})
