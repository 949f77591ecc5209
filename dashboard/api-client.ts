import type { DashboardApi, SharedApi } from '../src/http/dashboard-api/dashboard-types.ts'
import { apiAddress, type Query, request } from './request.ts'

/** `POST /links/{short_code}/restore`: every endpoint that the pages may use, checked against the server's own list. */
type Api = DashboardApi & SharedApi
export type Route = keyof Api

type NameIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never
type PathOf<R extends Route> = [NameIn<R>] extends [never]
  ? unknown
  : { path: Record<NameIn<R>, string | number> }
type InputOf<R extends Route> = Api[R] extends { input: infer Input } ? { input: Input } : unknown
type QueryOf<R extends Route> = Api[R] extends { query: infer Asked } ? { query?: Asked } : unknown
type Asked<R extends Route> = PathOf<R> &
  InputOf<R> &
  QueryOf<R> & { idempotencyKey?: string; signal?: AbortSignal }

export type DataOf<R extends Route> = Api[R] extends { data: infer Data } ? Data : undefined
export type MetaOf<R extends Route> = Api[R] extends { meta: infer Meta } ? Meta : undefined
export type Answer<R extends Route> = { message: string; data: DataOf<R>; meta: MetaOf<R> }

/** Nothing has to be said where the endpoint takes neither a part of its path nor a body. */
type Saying<R extends Route> = {} extends Asked<R> ? [asked?: Asked<R>] : [asked: Asked<R>]

/** Asks one endpoint of the dashboard's; anything but success is thrown as a RequestFailure. */
export function ask<R extends Route>(route: R, ...[asked]: Saying<R>): Promise<Answer<R>> {
  const [method, template] = route.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const { path = {}, input, query, idempotencyKey, signal } = (asked ?? {}) as AnyAsked
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  return request(method, address, {
    ...(input === undefined ? {} : { body: input }),
    ...(query === undefined ? {} : { query }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(signal === undefined ? {} : { signal }),
  })
}

type AnyAsked = {
  path?: Record<string, string | number>
  input?: unknown
  query?: Query
  idempotencyKey?: string
  signal?: AbortSignal
}

/** Server-sent events: `clicks` with LiveClicks, `totals` with LiveTotals. */
export const LIVE_ADDRESS = apiAddress('/live')
/** A file of JSON lines, for the browser to store. */
export const EXPORT_ADDRESS = apiAddress('/export')
