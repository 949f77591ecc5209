import type { Journal } from '../../clicks/journal/journal.ts'
import type { VisitorHash } from '../../clicks/visitor/visitor-hash.ts'
import type { Config } from '../../config/config.ts'
import type { ApiChannel, ServiceState } from '../../http/api-server/api-channel.ts'
import type { RouteSource } from '../../links/routes/route-source.ts'
import { dayOf, systemClock } from '../../runtime/clock.ts'

const SYNC_EVERY_MS = 200
const WATCH_EVERY_MS = 1_000

type Watched = {
  journal: Journal
  source: RouteSource
  visitors: VisitorHash
  api: ApiChannel
  config: Config
}

/** Checks on this thread at intervals: the day, the state of journal and links, and the disk. */
export function watchService({ journal, source, visitors, api, config }: Watched) {
  const turnDay = () => visitors.setDay(dayOf(systemClock.nowUs()))
  let isStopping = false
  const state = (): ServiceState => (isStopping ? 'stopping' : source.isDown() ? 'degraded' : journal.state)
  let latest = state()
  const tellState = () => {
    if (state() !== latest) api.sendState((latest = state()))
  }
  turnDay()
  const timers = [
    setInterval(() => {
      turnDay()
      tellState()
    }, WATCH_EVERY_MS),
  ]
  if (config.journalSync === 'os') timers.push(setInterval(() => void journal.syncToDisk(), SYNC_EVERY_MS))
  return {
    announceStop() {
      isStopping = true
      tellState()
    },
    end: () => timers.forEach(clearInterval),
  }
}
