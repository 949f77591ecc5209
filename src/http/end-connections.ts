import type { Clock } from '../clock.ts'

/** A connection is kept so long when nothing was asked on it yet: its first request may be on its way. */
const FIRST_REQUEST_MS_MAX = 200
/** A client that does not take its answer must not hold up the end, which has less than ten seconds. */
const UNSENT_MS_MAX = 1_000
const LOOK_EVERY_MS = 5

export type Ending = {
  data: {
    /** An answer is under way. */
    isBusy: boolean
    wasAnswered: boolean
    /** Set when it is somebody else's to end. */
    handOver: object | undefined
    /** The part of an answer that the client has not taken yet. */
    unsent: object | undefined
  }
  end(): unknown
}

/**
 * Ends all that are open, none of them in the middle of a request: waits for answers that are under way, and a moment
 * for whoever has just come. Nobody new may come, and each answer has to end its connection, from here on.
 */
export async function endConnections(open: Iterable<Ending>, clock: Clock): Promise<void> {
  const isOne = (is: (state: Ending['data']) => boolean) => [...open].some(({ data }) => is(data))
  const endIdle = (is: (state: Ending['data']) => boolean) => {
    for (const connection of open) {
      const { isBusy, handOver } = connection.data
      if (!isBusy && handOver === undefined && is(connection.data)) connection.end()
    }
  }
  const endMs = clock.monotonicMs() + FIRST_REQUEST_MS_MAX
  endIdle(({ wasAnswered }) => wasAnswered)
  while (isOne(({ wasAnswered }) => !wasAnswered) && clock.monotonicMs() < endMs)
    await Bun.sleep(LOOK_EVERY_MS)
  endIdle(() => true)
  const unsentEndMs = clock.monotonicMs() + UNSENT_MS_MAX
  const isTakenInTime = ({ unsent }: Ending['data']) =>
    unsent === undefined || clock.monotonicMs() < unsentEndMs
  while (isOne((state) => state.isBusy && isTakenInTime(state))) await Bun.sleep(LOOK_EVERY_MS)
  for (const connection of open) if (connection.data.unsent !== undefined) connection.end()
}
