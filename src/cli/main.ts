import { widenThreadPool } from './service/widen-thread-pool.ts'

// First, because it restarts the process. Short commands do not need it.
if (Bun.argv[2] === 'serve') widenThreadPool()

await import('./commands/all-commands.ts')
