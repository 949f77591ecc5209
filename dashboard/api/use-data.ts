import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { type Answer, ask, type DataOf, type OptionsOf, type Route } from './api-client.ts'

type ReadRoute = Extract<Route, `GET ${string}`>
type Reading<R extends ReadRoute, Data> = Omit<
  UseQueryOptions<Answer<R>, Error, Data>,
  'queryKey' | 'queryFn' | 'select'
>

/** The path of an endpoint, so that a change under `admin` names all that is to be read again. */
const keyOf = (route: ReadRoute, request?: object): QueryKey => [
  ...route.slice('GET /'.length).split('/'),
  ...(request ? [request] : []),
]

/** All that a GET endpoint answers, for lists with pages. */
export const useAnswer = <R extends ReadRoute>(
  route: R,
  request: OptionsOf<R>,
  options: Reading<R, Answer<R>> = {},
) =>
  useQuery({
    ...options,
    queryKey: keyOf(route, request),
    queryFn: ({ signal }) => ask(route, { ...request, signal }),
  })

/** What a GET endpoint has, of which there is one. */
export const useData = <R extends ReadRoute>(route: R, options: Reading<R, DataOf<R>> = {}) =>
  useQuery({
    ...options,
    queryKey: keyOf(route),
    queryFn: ({ signal }) => ask(route, { signal } as OptionsOf<R>),
    select: ({ data }) => data,
  })
