import { Database } from 'bun:sqlite'
import { openClosedClicks } from '../../../src/clicks/parquet/open-closed-clicks.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { jsonLog } from '../../../src/runtime/log.ts'
import { parseLocation } from '../../../src/store/move/move-location.ts'
import { moveStore } from '../../../src/store/move/move-store.ts'
import { MoveConnection } from '../../../src/store/move/move-connection.ts'
import { DeathAtNth } from './die-at-nth.ts'

/** Moves a store, and is killed right before the n-th statement on either side or read of a click file. Says how many there are. */
const [from, to, nth] = process.argv.slice(2)
const death = new DeathAtNth(Number(nth))
death.watch(Database.prototype, 'run')
death.watch(MoveConnection.prototype, 'run', 'copyIn', 'copyOut')
const openWatchedClicks = (dataDir: string) => {
  const clicks = openClosedClicks(dataDir, { clock: systemClock, log: jsonLog('silent', 'test') })
  death.watch(clicks, 'check', 'rows')
  return clicks
}
await moveStore(
  { clock: systemClock, report() {}, openClosedClicks: openWatchedClicks },
  { from: parseLocation(from, undefined), to: parseLocation(to, undefined) },
)
console.log(`moved by ${death.calls.length} statements`)
process.exit(0)
