import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { Bounded } from './bounded-connections.ts'
import type { ProxiedConnection } from '../api-proxy/proxied-connection.ts'
import type { LingeringClose } from './lingering-close.ts'

/** The state of a connection to the redirect server. */
export type Connection = Bounded & {
  ip: string
  /** Undefined until a request of the connection has been proxied. */
  proxied: ProxiedConnection | undefined
  /** The client sends no more, but may still read. */
  hasEnded: boolean
  /** Received, but not parsed yet: requests behind the current one, or the beginning of a head. */
  unread: Buffer | undefined
  /** The rest of a head is awaited, and its time is running. */
  hasPartOfHead: boolean
  /** The socket is not read until the current request has its response. */
  isPaused: boolean
  unsent: Unsent | undefined
  /** Set after the last response if the client is still sending. */
  lingering: LingeringClose | undefined
}

export type SentResponse = { status: VisitResponse['status']; closes: boolean }

/** The rest of a response, which the client has not taken yet. */
export type Unsent = SentResponse & { bytes: Buffer }

export const newConnection = (ip: string): Connection => ({
  ip,
  isBusy: false,
  wasAnswered: false,
  proxied: undefined,
  hasEnded: false,
  unread: undefined,
  hasPartOfHead: false,
  isPaused: false,
  unsent: undefined,
  lingering: undefined,
})
