import type { Context } from 'hono'
import type { Incoming } from '../requests/read-input.ts'

/** What the redirect thread passes on with the request; see ApiRequest. */
export type AppEnv = {
  Bindings: { ip: string; peer: string; target: string; body: Incoming }
  Variables: { requestId: string }
}

export type AppContext = Context<AppEnv>
