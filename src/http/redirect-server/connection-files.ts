/** For the store, the journal, the threads and the port. An idle service has 25 open. */
const FILES_RESERVED = 100
/** For systems without a limit, or with one that memory would not suffice for: a connection takes some kilobytes. */
const FILES_MAX = 100_000

/**
 * How many file descriptors all connections may take together. Without a limit below the system's own, the journal could
 * be unable to open its next segment, and the runtime would retry accepting a connection in a busy loop.
 */
export function connectionFilesMax(openFilesMax = openFileLimit()): number {
  const available = Math.max(openFilesMax - FILES_RESERVED, Math.floor(openFilesMax / 2))
  return Math.min(available, FILES_MAX)
}

/** `ulimit -n` of this process. Bun raises it as far as it may. */
function openFileLimit(): number {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const limit = report?.userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : Infinity
}
