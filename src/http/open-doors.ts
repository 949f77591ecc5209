import { parseTrustedProxies } from '../clicks/client-ip.ts'
import { openCountryLookup } from '../clicks/country.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { countErrors } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { MinuteLimit } from '../redirect/minute-limit.ts'
import type { OpenLinkDeps } from '../redirect/open-link.ts'
import { connectionFilesMax } from './connection-files.ts'
import { type FastLane, openFastLane } from './fast-lane.ts'
import { type FrontDoorDeps, openFrontDoor } from './front-door.ts'

/** Asked for codes that do not exist so often a minute, an address is told to wait. */
const MISSES_PER_MINUTE = 300
/** At the end, requests under way are waited for so long: one slow sender must not hold up everything else. */
const LAST_ANSWERS_MS_MAX = 3_000

export type DoorParts = Pick<OpenLinkDeps, 'links' | 'journal' | 'visitors'> &
  Pick<FrontDoorDeps, 'api' | 'log'> & { metrics: Metrics; sharesPort: boolean }

/** The fast lane outside, and behind it the complete server for what the lane does not answer itself. */
export function openDoors(config: Config, parts: DoorParts, opened: AsyncDisposableStack): FastLane {
  const { links, journal, visitors, api, metrics, log, sharesPort } = parts
  const countries = openCountryLookup(config.geoipDb)
  const misses = new MinuteLimit(systemClock, MISSES_PER_MINUTE)
  const door = {
    openLink: { links, journal, visitors, countries, misses },
    api,
    log: countErrors(log, metrics.loggedErrors.visitors),
    metrics,
    peers: new Map<number, string>(),
  }
  const trustedProxies = config.trustedProxies === '' ? undefined : parseTrustedProxies(config.trustedProxies)
  const inner = opened.adopt(openFrontDoor(door, { host: '127.0.0.1', port: 0, trustedProxies }), closeDoor)
  const { host, port } = config
  return opened.adopt(
    openFastLane(
      { ...door, clock: systemClock },
      { host, port, sharesPort, trustedProxies, innerPort: inner.port!, filesMax: connectionFilesMax() },
    ),
    (lane) => lane.stop(),
  )
}

async function closeDoor(server: Bun.Server<undefined>): Promise<void> {
  await Promise.race([server.stop(), Bun.sleep(LAST_ANSWERS_MS_MAX)])
  await server.stop(true)
}
