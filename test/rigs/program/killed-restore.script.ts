import * as fs from 'node:fs'
import { type Disk, restoreBackup } from '../../../src/backups/restore-backup.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { lockFolder } from '../../../src/store/files/folder-lock.ts'

/** Restores a backup, and is killed right before the n-th call that changes the folder. */
const [dataDir, file, nth] = process.argv.slice(2)
let calls = 0
const disk = Object.fromEntries(
  (['mkdirSync', 'renameSync', 'rmSync', 'writeFileSync'] as const).map((name) => [
    name,
    (...parameters: unknown[]) => {
      if (++calls === Number(nth)) process.kill(process.pid, 'SIGKILL')
      return (fs[name] as (...parameters: unknown[]) => unknown)(...parameters)
    },
  ]),
) as Disk
const lock = lockFolder(dataDir!)
restoreBackup({ clock: systemClock, disk }, { dataDir: dataDir!, file: file! })
lock.release()
console.log('restored')
