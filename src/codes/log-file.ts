import * as fs from 'node:fs'
import { promisify } from 'node:util'

/** What the code log asks of its file; a test puts one that fails in its place. */
export type LogFile = {
  /** In the operating system's hands when it returns: how many bytes, on a full disk fewer than asked. */
  write(bytes: Uint8Array, position: number): number
  truncate(size: number): void
  /** Resolves when the disk has it; on the runtime's thread pool, so that a commit can wait for the disk meanwhile. */
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
