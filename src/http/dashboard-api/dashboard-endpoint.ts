import type { SignedInCaller } from '../../access/caller.ts'
import type { Action } from '../../access/roles-and-scopes.ts'
import type { LinkKey } from '../../links/link-key.ts'
import type { Session } from '../../users/sign-in/session.ts'
import type { Query } from '../requests/query.ts'
import type { DashboardApi } from './types/dashboard-types.ts'

/**
 * `verified`: for what belongs to the user, in whichever workspace. `member`: in the current workspace, in any role. An action needs
 * a member whose role allows it.
 */
export type Access = 'anybody' | 'signed-in' | 'verified' | 'member' | 'operator' | Action

type DashboardRequest = {
  /** The path parameters. */
  params: Record<string, string>
  query: Query
  /** The JSON body; {} if there is none. */
  input: Record<string, unknown>
  /** For limits only. */
  ip: string
  /** Aborted when the client has gone away. */
  signal: AbortSignal
  /** `Firefox on Linux` */
  device: string
  /** The cookie of a browser that is at a provider of single sign-on, or has come back. */
  flowToken: string | undefined
}

/** `key`: the link that the path's `{short_code}` names, as in the API. */
export type SignedInRequest = DashboardRequest & { session: Session; caller: SignedInCaller; key: LinkKey }

/** The token of a new session or flow, or null to remove the cookie. */
type CookieChange = { sessionToken?: string | null; flowToken?: string | null }

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
