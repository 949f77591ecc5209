import { widenThreadPool } from './widen-thread-pool.ts'

// First of all, because the process begins anew by it; one that ends soon does not need it.
if (Bun.argv[2] === 'serve') widenThreadPool()

await import('./all-commands.ts')
