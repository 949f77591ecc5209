import { join } from 'node:path'

/** Starts this program once more, in a process of its own; what follows are its arguments. An executable has everything in itself. */
export const programCommand = (): string[] =>
  Bun.embeddedFiles.length > 0
    ? [process.execPath]
    : [process.execPath, ...process.execArgv, join(import.meta.dir, '../cli/main.ts')]
