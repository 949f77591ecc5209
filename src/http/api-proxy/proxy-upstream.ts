import type { PendingRequests } from './pending-requests.ts'

/** The API server, and what it needs to know about one connection. */
export type ProxyUpstream = {
  /** On this machine; resolves when the server listens. */
  port: number | Promise<number>
  pending: Pick<PendingRequests, 'refuses' | 'add' | 'remove'>
  /** The whole response to a request that the API server does not answer. */
  unavailable(sentence: string, isHead: boolean): string
  /** A client that does not take what waits for it is disconnected after this time. */
  idleSeconds: number
  /** The connection to the server comes from this local port. */
  opened(localPort: number): void
  /** Called once for each connection; 0 when it was never opened. */
  closed(localPort: number): void
  /** The first bytes of a response have arrived. */
  answered(): void
  /** A response has been sent. If bytes behind its request were received already, the client is paused. */
  next(unread: Buffer | undefined): void
  /** The server closed its connection while the client was parked. */
  dropped(): void
  failed(error: unknown): void
}
