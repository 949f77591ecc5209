import { writeSync } from 'node:fs'
import { fileErrorReason } from '../runtime/file-error.ts'
import { writeAll } from '../store/files/write-all.ts'

const STDOUT = 1
const RETRY_MS = 5

/** Thrown by commands whose output is redirected to a disk that has no room for it. */
export class OutputLost extends Error {}

/** Unlike the console, does not lose what cannot be written. A reader that has gone, as of `tern link list | head`, wants no more. */
export function printLine(line: string): void {
  const write = (bytes: Uint8Array) => {
    try {
      return writeSync(STDOUT, bytes)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'EPIPE') return bytes.length
      if (code !== 'EAGAIN') throw lost(error)
      Bun.sleepSync(RETRY_MS)
      return write(bytes)
    }
  }
  writeAll({ write }, Buffer.from(`${line}\n`), 0)
}

const lost = (error: unknown) =>
  new OutputLost(
    `The output could not be written to where it is redirected: ${fileErrorReason(error)}. Run the command again once it can be.`,
  )
