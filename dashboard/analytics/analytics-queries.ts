import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { AnalyticsQuery, LinkGroupName } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { withAllValues } from './analytics-query.ts'
import { noteTotals } from './live-totals.ts'
import { CLICKS } from '../links/link-queries.ts'

const TOP_LINKS = 8

export const analyticsOptions = (query: AnalyticsQuery) =>
  queryOptions({
    queryKey: [...CLICKS, 'analytics', query],
    queryFn: async ({ signal }) => {
      const answer = await ask('GET /analytics', { query: withAllValues(query), signal })
      noteTotals(answer.meta.totals)
      return answer
    },
  })

export const useAnalytics = (query: AnalyticsQuery, isWanted = true) =>
  useQuery({ ...analyticsOptions(query), enabled: isWanted, placeholderData: keepPreviousData })

export const topLinksOptions = (query: AnalyticsQuery) =>
  queryOptions({
    queryKey: [...CLICKS, 'top-links', query],
    queryFn: async ({ signal }) =>
      (await ask('GET /top-links', { query: { ...query, limit: TOP_LINKS }, signal })).data,
  })

export const useTopLinks = (query: AnalyticsQuery) =>
  useQuery({ ...topLinksOptions(query), placeholderData: keepPreviousData })

/** Clicks by the tags, folders, domains or UTM parameters of their links. */
export const useLinkGroups = (query: AnalyticsQuery, by: LinkGroupName, isWanted = true) =>
  useQuery({
    enabled: isWanted,
    queryKey: [...CLICKS, 'link-groups', by, query],
    queryFn: async ({ signal }) =>
      (await ask('GET /link-groups', { query: withAllValues({ ...query, by }), signal })).data,
    placeholderData: keepPreviousData,
  })

export const useBots = (query: AnalyticsQuery) =>
  useQuery({
    queryKey: [...CLICKS, 'bots', query],
    queryFn: async ({ signal }) => (await ask('GET /bots', { query: withAllValues(query), signal })).data,
    placeholderData: keepPreviousData,
  })

export const overviewOptions = queryOptions({
  queryKey: [...CLICKS, 'overview'],
  queryFn: async () => (await ask('GET /overview')).data,
})

export const useOverview = () => useQuery(overviewOptions)
