import { open, stat } from 'node:fs/promises'
import { tuneRuntime } from '../../../src/cli/service/tune-runtime.ts'

// Has a few threads of the pool wait, as for a disk that does not answer, and then asks for something else.

const [pipe, count, isTuned] = process.argv.slice(2)
if (isTuned === 'tuned') tuneRuntime()
for (let i = 0; i < Number(count); i++) void open(pipe!, 'r') // nobody writes to it, so it does not open
await Bun.sleep(100)
await stat('/')
console.log(JSON.stringify([process.pid, process.env.MIMALLOC_PURGE_HOLES]))
process.exit()
