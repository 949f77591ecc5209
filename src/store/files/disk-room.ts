import { statfsSync } from 'node:fs'

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']
const FULL_BYTES = 64 * 1024

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** False where nothing can be said, such as without the folder. */
export function isDiskFull(folder: string): boolean {
  try {
    return freeBytes(folder) < FULL_BYTES
  } catch {
    return false
  }
}

/** Whether the disk had no room for a file or a database. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return NO_ROOM.includes(String((error as { code?: unknown }).code)) || isNoRoom(error.cause)
}
