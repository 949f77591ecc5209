/** For the journal's writes, its sync, the code log's sync, and one to spare. */
const POOL_THREADS_MIN = 4

/**
 * Sets variables that the runtime reads when a process starts; they are not settings of Tern. So this process replaces itself (exec)
 * under the same ID, which takes a few milliseconds. What the environment has already is kept.
 */
export function tuneRuntime(): void {
  const missing = Object.entries(runtimeVariables()).filter(([name]) => process.env[name] === undefined)
  if (missing.length === 0) return
  const { execPath, execArgv, argv0, argv } = process
  // The executable contains its script and does not take it as an argument.
  const script = Bun.isStandaloneExecutable ? 2 : 1
  process.execve?.(execPath, [argv0, ...execArgv, ...argv.slice(script)], {
    ...process.env,
    ...Object.fromEntries(missing),
  })
}

export function runtimeVariables(): Record<string, string> {
  // Ten times a second, the allocator otherwise returns unused pages between objects to the system, and the next requests take them
  // back: a fifth of the CPU time of a counted redirect. Unused blocks are returned all the same.
  const allocator = { MIMALLOC_PURGE_HOLES: '0' }
  // The runtime waits for the disk on a pool with one thread per CPU. On a small machine two slow syncs would block the journal,
  // and with it every redirect. More threads than needed cost each redirect a little.
  const hasFewThreads = navigator.hardwareConcurrency < POOL_THREADS_MIN
  return hasFewThreads ? { ...allocator, UV_THREADPOOL_SIZE: String(POOL_THREADS_MIN) } : allocator
}
