import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** On a disk that is nearly full the operating system writes less than asked, and says so only in what it returns. */
export function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done)
  }
}

/** Makes a new file, or a rename, in the folder of the path outlive a power failure. */
export const syncFolderOf = (path: string): void => syncPath(dirname(path))

/** Makes what was written to a file, by whatever handle, outlive a power failure. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
