import { tuneRuntime } from './service/tune-runtime.ts'

// First, because it restarts the process. Short commands do not need it.
if (Bun.argv[2] === 'serve') tuneRuntime()

await import('./commands/all-commands.ts')
