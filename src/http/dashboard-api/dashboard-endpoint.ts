import type { Action, SignedInCaller } from '../../access/caller.ts'
import type { Session } from '../../users/sign-in/session.ts'
import type { Query } from '../requests/query.ts'
import type { DashboardApi } from './dashboard-types.ts'

/** An action needs a verified user whose role in the workspace allows it. */
export type Access = 'anybody' | 'signed-in' | 'verified' | 'operator' | Action

export type DashboardRequest = {
  /** The path parameters. */
  params: Record<string, string>
  query: Query
  /** The JSON body; {} if there is none. */
  input: Record<string, unknown>
  /** For limits only. */
  ip: string
  /** `Firefox on Linux` */
  device: string
}

export type SignedInRequest = DashboardRequest & { session: Session; caller: SignedInCaller }

/** The token of a new session, or null to remove the cookie. */
type CookieChange = { sessionToken?: string | null }

type Reply<Data = unknown, Meta = unknown> = CookieChange & {
  message: string
  status?: 200 | 201
} & ([Data] extends [undefined] ? { data?: undefined } : { data: Data }) &
  ([Meta] extends [undefined] ? { meta?: undefined } : { meta: Meta })

type DataOf<Route extends keyof DashboardApi> = DashboardApi[Route] extends { data: infer Data }
  ? Data
  : undefined
type MetaOf<Route extends keyof DashboardApi> = DashboardApi[Route] extends { meta: infer Meta }
  ? Meta
  : undefined
type ReplyOf<Route extends keyof DashboardApi> = Promise<Reply<DataOf<Route>, MetaOf<Route>>>

/** A Response is streamed. */
export type DashboardEndpoint = {
  method: string
  /** `/dashboard/api/links/{short_code}` */
  path: string
  access: Access
  handle(request: SignedInRequest): Promise<Reply | Response>
}

export const DASHBOARD_API = '/dashboard/api'

/** Needs no session. */
export function openEndpoint<Route extends keyof DashboardApi>(
  route: Route,
  handle: (request: DashboardRequest) => ReplyOf<Route>,
): DashboardEndpoint {
  return { ...partsOf(route), access: 'anybody', handle: handle as DashboardEndpoint['handle'] }
}

export function endpoint<Route extends keyof DashboardApi>(
  route: Route,
  access: Exclude<Access, 'anybody'>,
  handle: (request: SignedInRequest) => ReplyOf<Route>,
): DashboardEndpoint {
  return { ...partsOf(route), access, handle: handle as DashboardEndpoint['handle'] }
}

function partsOf(route: string): { method: string; path: string } {
  const [method = '', path = ''] = route.split(' ')
  return { method, path: DASHBOARD_API + path }
}
