import * as fs from 'node:fs'
import { promisify } from 'node:util'

/** What the code log asks of its file; a test puts one that fails in its place. */
export type LogFile = {
  /** Returns how many bytes the operating system took: on a full disk, fewer than given. */
  write(bytes: Uint8Array, position: number): number
  truncate(size: number): void
  /** Resolves when the bytes are on the disk. Runs on the thread pool, so that a commit can sync at the same time. */
  sync(): Promise<void>
  close(): void
}

const fdatasync = promisify(fs.fdatasync)

export function openLogFile(path: string): LogFile {
  const file = fs.openSync(path, 'r+')
  return {
    write: (bytes, position) => fs.writeSync(file, bytes, 0, bytes.length, position),
    truncate: (size) => fs.ftruncateSync(file, size),
    sync: () => fdatasync(file),
    close: () => fs.closeSync(file),
  }
}
