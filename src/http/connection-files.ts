/** For the store, the journal, the threads and the port. At rest 25 are open. */
const FILES_RESERVED = 100
/** A bound where the system sets none, or one that memory would not last for: a connection takes some kilobytes. */
const FILES_MAX = 100_000

/**
 * How many file descriptors connections may take together. Without a bound below the system's own, the first thing
 * that cannot be opened is as likely a segment of the journal as a connection, and the runtime asks for the connection
 * again and again, with all the time there is.
 */
export function connectionFilesMax(openFilesMax = openFileLimit()): number {
  const left = Math.max(openFilesMax - FILES_RESERVED, Math.floor(openFilesMax / 2))
  return Math.min(left, FILES_MAX)
}

/** `ulimit -n` of this process, which Bun has raised as far as it may. */
function openFileLimit(): number {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const limit = report?.userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : Infinity
}
