import type { Context } from 'hono'
import type { Incoming } from '../requests/read-request.ts'

/** What the redirect thread passes on with the request; see ApiRequest. */
export type AppEnv = {
  /** `isHead`: the request says GET, and only the head of the response is sent. */
  Bindings: { ip: string; peer: string; target: string; body: Incoming; isHead: boolean }
  /** `counted`: resolves when it is stored that the request was counted. */
  Variables: { requestId: string; counted?: Promise<void> }
}

export type AppContext = Context<AppEnv>
