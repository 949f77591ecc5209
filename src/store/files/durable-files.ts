import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeAll } from './write-all.ts'

/** Writes all of the bytes to an open file, even if the disk takes them in pieces. */
export function writeToFile(file: number, bytes: Uint8Array, position: number): void {
  writeAll({ write: (some, at) => writeSync(file, some, 0, some.length, at) }, bytes, position)
}

/** Makes a new or renamed file in this folder survive a power failure. */
export const syncFolderOf = (path: string): void => syncPath(dirname(path))

/** Makes what was written to a file, by any handle, survive a power failure. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
