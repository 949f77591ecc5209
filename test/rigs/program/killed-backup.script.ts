import { Database } from 'bun:sqlite'
import { makeBackup } from '../../../src/backups/make-backup.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { DeathAtNth } from './die-at-nth.ts'

/** Makes a backup, and is killed right before the n-th statement, or by somebody else. */
const [dataDir, file, folderId, nth] = process.argv.slice(2)
const death = new DeathAtNth(Number(nth))
death.watch(Database.prototype, 'run', 'query')
await makeBackup(
  {
    clock: systemClock,
    ternVersion: '1.2.3',
    clicksJournaled: async () => 0,
    folderId: async () => folderId,
  },
  { dataDir: dataDir!, file: file!, replaces: false },
)
console.log(`done by ${death.calls.length} statements`)
