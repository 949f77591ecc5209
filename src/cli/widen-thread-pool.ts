/** What the runtime reads at the start of the process; it is not ours, so it is no setting. */
const SIZE_VARIABLE = 'UV_THREADPOOL_SIZE'
/** For the journal's writes, its own sync and the code log's, and one more. */
const THREADS_MIN = 4

/**
 * The runtime does what waits for the disk on a pool of threads, as many as there are processors. On a small machine
 * two syncs that the disk is slow with would hold up the journal, and every visitor with it. The size can only be said
 * to a process that starts, so this one is started anew in its own place, under its own id, which takes some
 * milliseconds. Whoever has said a size keeps it; more threads than needed cost each redirect a little.
 */
export function widenThreadPool(): void {
  if (process.env[SIZE_VARIABLE] !== undefined || navigator.hardwareConcurrency >= THREADS_MIN) return
  const { execPath, execArgv, argv0, argv } = process
  // One executable is its own script, and does not take it as an argument.
  const script = Bun.isStandaloneExecutable ? 2 : 1
  process.execve?.(execPath, [argv0, ...execArgv, ...argv.slice(script)], {
    ...process.env,
    [SIZE_VARIABLE]: String(THREADS_MIN),
  })
}
