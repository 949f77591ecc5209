import type { Session } from '../../accounts/session.ts'
import type { Query } from '../query.ts'
import type { DashboardApi } from './dashboard-types.ts'

/** Who may ask. Each includes what the one before it asks for. */
export type Access = 'anybody' | 'signed-in' | 'verified' | 'operator'

export type DashboardRequest = {
  /** The parts of the path in braces. */
  params: Record<string, string>
  query: Query
  /** The JSON object of the body; {} when there is none. */
  input: Record<string, unknown>
  /** The caller's address, for limits only. */
  ip: string
  /** `Firefox on Linux` */
  device: string
}

export type SignedInRequest = DashboardRequest & { session: Session; caller: { accountId: number } }

/** The cookie that goes with an answer: a new session's token, or null to take it away. */
type CookieChange = { sessionToken?: string | null }

export type Reply<Data = unknown, Meta = unknown> = CookieChange & {
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

/** Any endpoint; a Response is one that is streamed. */
export type DashboardEndpoint = {
  method: string
  /** `/dashboard/api/links/{short_code}` */
  path: string
  access: Access
  handle(request: SignedInRequest): Promise<Reply | Response>
}

export const DASHBOARD_API = '/dashboard/api'

/** For those who have not signed in. */
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
