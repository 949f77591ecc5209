import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isFileName } from '../clicks/parquet/parquet-file.ts'
import { clicksFolder, storePath } from '../store/sqlite/open-sqlite-store.ts'
import { type Problem, fault, type Finding, findings, warning } from './finding.ts'
import { wholeText } from '../runtime/number-text.ts'

const MIB = 2 ** 20
const FREE_BYTES_FAULT = 64 * MIB
const FREE_BYTES_WARNING = 1024 * MIB

/** A restore copies a backup before it unpacks it. */
const RESTORE_COPIES = 2

/** By the magic numbers of statfs(2). */
const NETWORK_FILE_SYSTEMS: Record<number, string> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x564c: 'NCP',
  0x01021997: '9P',
}

/** From the file system; tests pass their own. */
export type FileSystem = { type: number; freeBytes: number; storeBytes: number }

export function checkDisk(dataDir: string): Finding[] {
  const { type, bavail, bsize } = statfsSync(dataDir)
  const folder = clicksFolder(dataDir)
  const clickFiles = existsSync(folder) ? readdirSync(folder).filter(isFileName) : []
  const storeBytes = [storePath(dataDir), ...clickFiles.map((name) => join(folder, name))]
    .map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, bytes) => sum + bytes)
  const judged = judgeDisk({ type, freeBytes: bavail * bsize, storeBytes })
  return isReadOnly(dataDir) ? [...judged, ...findings('disk', [READ_ONLY], '')] : judged
}

const READ_ONLY = fault(
  'The file system of the data folder is read-only: nothing can be saved. Check how it is mounted, and the system log for disk errors.',
)

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'EROFS'
  }
}

export function judgeDisk({ type, freeBytes, storeBytes }: FileSystem): Finding[] {
  const complaints: Problem[] = []
  const free = megabytes(freeBytes)
  if (freeBytes < FREE_BYTES_FAULT) {
    complaints.push(fault(`${free} are free: soon visitors will get 503. Free some space.`))
  } else if (freeBytes < FREE_BYTES_WARNING) complaints.push(warning(`${free} are free. Free some space.`))
  else if (freeBytes < RESTORE_COPIES * storeBytes) {
    complaints.push(
      warning(
        `${free} are free, and the database with its click files has ${megabytes(storeBytes)}: too little to restore a backup.`,
      ),
    )
  }
  const network = NETWORK_FILE_SYSTEMS[type >>> 0]
  if (network !== undefined) {
    complaints.push(
      fault(
        `The data folder is on a network file system (${network}), where SQLite loses data. Move it to a local disk.`,
      ),
    )
  }
  return findings('disk', complaints, `${free} are free.`)
}

const megabytes = (bytes: number) => `${wholeText(Math.floor(bytes / MIB))} MiB`
