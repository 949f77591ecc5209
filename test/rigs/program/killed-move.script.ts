import { Database } from 'bun:sqlite'
import { systemClock } from '../../../src/runtime/clock.ts'
import { parseLocation } from '../../../src/store/move/move-location.ts'
import { moveStore } from '../../../src/store/move/move-store.ts'
import { MoveConnection } from '../../../src/store/move/move-connection.ts'
import { DeathAtNth } from './die-at-nth.ts'

/** Moves a store, and is killed right before the n-th statement on either side. Says how many there are. */
const [from, to, nth] = process.argv.slice(2)
const death = new DeathAtNth(Number(nth))
death.watch(Database.prototype, 'run')
death.watch(MoveConnection.prototype, 'run', 'copyIn', 'copyOut')
await moveStore(
  { clock: systemClock, report() {} },
  { from: parseLocation(from, undefined), to: parseLocation(to, undefined) },
)
console.log(`moved by ${death.calls.length} statements`)
process.exit(0)
