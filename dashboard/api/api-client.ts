import type { BrowserApi } from '../../src/http/endpoints/all-endpoints.ts'
import { type Query, request, workspaceUrl } from './request.ts'

/** For example `POST /links/{short_code}/restore`. Checked against the server's list of endpoints. */
export type Route = keyof BrowserApi

type NameIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never
type PathOf<R extends Route> = [NameIn<R>] extends [never]
  ? unknown
  : { path: Record<NameIn<R>, string | number> }
type InputOf<R extends Route> = BrowserApi[R] extends { input: infer Input } ? { input: Input } : unknown
/** Requests for one link may say on which domain it is. */
type DomainOf<R extends Route> = 'short_code' extends NameIn<R> ? { domain?: string } : {}
type QueryOf<R extends Route> = BrowserApi[R] extends { query: infer Query }
  ? { query?: Query & DomainOf<R> }
  : 'short_code' extends NameIn<R>
    ? { query?: DomainOf<R> }
    : unknown
export type OptionsOf<R extends Route> = PathOf<R> &
  InputOf<R> &
  QueryOf<R> & { idempotencyKey?: string; signal?: AbortSignal }

export type DataOf<R extends Route> = BrowserApi[R] extends { data: infer Data } ? Data : undefined
type MetaOf<R extends Route> = BrowserApi[R] extends { meta: infer Meta } ? Meta : undefined
export type Answer<R extends Route> = { message: string; data: DataOf<R>; meta: MetaOf<R> }

/** Optional for endpoints without path parameters and body. */
type Arguments<R extends Route> = {} extends OptionsOf<R> ? [options?: OptionsOf<R>] : [options: OptionsOf<R>]

/** Throws a RequestFailure unless the server responds with success. */
export function ask<R extends Route>(route: R, ...[options]: Arguments<R>): Promise<Answer<R>> {
  const [method, template] = route.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const { path = {}, input, query, idempotencyKey, signal } = (options ?? {}) as AnyOptions
  const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  return request(method, url, {
    ...(input === undefined ? {} : { body: input }),
    ...(query === undefined ? {} : { query }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(signal === undefined ? {} : { signal }),
  })
}

type AnyOptions = {
  path?: Record<string, string | number>
  input?: unknown
  query?: Query
  idempotencyKey?: string
  signal?: AbortSignal
}

/** Server-sent events: `clicks` with LiveClicks, `totals` with LiveTotals. */
export const liveUrl = () => workspaceUrl('/live')
/** JSON lines, as a download. */
export const exportUrl = () => workspaceUrl('/export')
