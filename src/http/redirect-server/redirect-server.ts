import { ConnectionHandler, type ConnectionDeps, type ConnectionSettings } from './connection-handler.ts'
import type { Connection } from './visitor-connection.ts'

export type RedirectServerSettings = ConnectionSettings & {
  host: string
  port: number
  /** Other processes of this machine listen on the port too, and the system distributes the connections. */
  sharesPort: boolean
}

export type RedirectServer = {
  port: number
  /** From now on, every connection ends with its next response. */
  announceStop(): void
  stop(): Promise<void>
}

/** The server on the public port. */
export function openRedirectServer(deps: ConnectionDeps, settings: RedirectServerSettings): RedirectServer {
  const handler = new ConnectionHandler(deps, settings)
  // Known to the runtime, but not to its types.
  const sharing = { reusePort: settings.sharesPort } as object
  const listener = Bun.listen<Connection>({
    ...sharing,
    hostname: settings.host,
    port: settings.port,
    // A client may close its side and still wait for its response.
    allowHalfOpen: true,
    socket: handler.events,
  })
  return {
    port: listener.port,
    announceStop: () => handler.announceStop(),
    async stop() {
      listener.stop()
      await handler.finish()
    },
  }
}
