import type { Clock } from '../../runtime/clock.ts'

/** How long a new connection is kept: its first request may be on its way. */
const FIRST_REQUEST_MS_MAX = 200
/** How long a client has to read its response: stopping must take less than ten seconds. */
const UNSENT_MS_MAX = 1_000
const CHECK_EVERY_MS = 5

export type Ending = {
  data: {
    /** It waits for a response. */
    isBusy: boolean
    wasAnswered: boolean
    /** While it is busy, the API server ends the connection. */
    proxied: { isBusy: boolean } | undefined
    /** The part of a response that the client has not read yet. */
    unsent: object | undefined
  }
  end(): unknown
}

/**
 * Ends all open connections, none of them in the middle of a request: it waits for pending responses, and a moment for
 * first requests. Call it when no new connections are accepted and every response ends its connection.
 */
export async function endConnections(open: Iterable<Ending>, clock: Clock): Promise<void> {
  const isAny = (is: (state: Ending['data']) => boolean) => [...open].some(({ data }) => is(data))
  const endIdle = (is: (state: Ending['data']) => boolean) => {
    for (const connection of open) {
      const { isBusy, proxied } = connection.data
      if (!isBusy && proxied?.isBusy !== true && is(connection.data)) connection.end()
    }
  }
  const endMs = clock.monotonicMs() + FIRST_REQUEST_MS_MAX
  endIdle(({ wasAnswered }) => wasAnswered)
  while (isAny(({ wasAnswered }) => !wasAnswered) && clock.monotonicMs() < endMs)
    await Bun.sleep(CHECK_EVERY_MS)
  endIdle(() => true)
  const unsentEndMs = clock.monotonicMs() + UNSENT_MS_MAX
  const isReadInTime = ({ unsent }: Ending['data']) =>
    unsent === undefined || clock.monotonicMs() < unsentEndMs
  while (isAny((state) => state.isBusy && isReadInTime(state))) await Bun.sleep(CHECK_EVERY_MS)
  for (const connection of open) if (connection.data.unsent !== undefined) connection.end()
}
