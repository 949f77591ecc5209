import { Database } from 'bun:sqlite'
import { systemClock } from '../../src/clock.ts'
import { readPlace } from '../../src/store/move/move-place.ts'
import { moveStore } from '../../src/store/move/move-store.ts'
import { PostgresLine } from '../../src/store/move/postgres-line.ts'

/** Moves a store, and is killed right before the n-th statement on either side. Says how many there are. */
const [from, to, nth] = process.argv.slice(2)
let statements = 0

function dieAtNth(prototype: Record<string, unknown>, name: string): void {
  const run = prototype[name] as (...parameters: unknown[]) => unknown
  prototype[name] = function (...parameters: unknown[]) {
    if (++statements === Number(nth)) process.kill(process.pid, 'SIGKILL')
    return run.apply(this, parameters)
  }
}

dieAtNth(Database.prototype as unknown as Record<string, unknown>, 'run')
for (const name of ['run', 'copyIn', 'copyOut'])
  dieAtNth(PostgresLine.prototype as unknown as Record<string, unknown>, name)
await moveStore(
  { clock: systemClock, tell() {} },
  { from: readPlace(from, undefined), to: readPlace(to, undefined) },
)
console.log(`moved by ${statements} statements`)
process.exit(0)
