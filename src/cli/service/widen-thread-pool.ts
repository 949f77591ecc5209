/** Read by the runtime when the process starts; not a setting of Tern. */
const SIZE_VARIABLE = 'UV_THREADPOOL_SIZE'
/** For the journal's writes, its sync, the code log's sync, and one to spare. */
const THREADS_MIN = 4

/**
 * The runtime waits for the disk on a pool with one thread per CPU. On a small machine two slow syncs would block the
 * journal, and with it every redirect. The size can only be set when a process starts, so this one replaces itself (exec)
 * under the same ID, which takes a few milliseconds. A size in the environment is kept: more threads than needed cost each
 * redirect a little.
 */
export function widenThreadPool(): void {
  if (process.env[SIZE_VARIABLE] !== undefined || navigator.hardwareConcurrency >= THREADS_MIN) return
  const { execPath, execArgv, argv0, argv } = process
  // The executable contains its script and does not take it as an argument.
  const script = Bun.isStandaloneExecutable ? 2 : 1
  process.execve?.(execPath, [argv0, ...execArgv, ...argv.slice(script)], {
    ...process.env,
    [SIZE_VARIABLE]: String(THREADS_MIN),
  })
}
