import { Database } from 'bun:sqlite'
import { systemClock } from '../../src/clock.ts'
import { readPlace } from '../../src/store/move/move-place.ts'
import { moveStore } from '../../src/store/move/move-store.ts'
import { PostgresLine } from '../../src/store/move/postgres-line.ts'
import { DeathAtNth } from './die-at-nth.ts'

/** Moves a store, and is killed right before the n-th statement on either side. Says how many there are. */
const [from, to, nth] = process.argv.slice(2)
const death = new DeathAtNth(Number(nth))
death.watch(Database.prototype, 'run')
death.watch(PostgresLine.prototype, 'run', 'copyIn', 'copyOut')
await moveStore(
  { clock: systemClock, tell() {} },
  { from: readPlace(from, undefined), to: readPlace(to, undefined) },
)
console.log(`moved by ${death.calls.length} statements`)
process.exit(0)
