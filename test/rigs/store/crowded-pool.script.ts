import { open, stat } from 'node:fs/promises'
import { widenThreadPool } from '../../../src/cli/service/widen-thread-pool.ts'

// Has a few threads of the pool wait, as for a disk that does not answer, and then asks for something else.

const [pipe, count, isWidened] = process.argv.slice(2)
if (isWidened === 'widened') widenThreadPool()
for (let i = 0; i < Number(count); i++) void open(pipe!, 'r') // nobody writes to it, so it does not open
await Bun.sleep(100)
await stat('/')
console.log(process.pid)
process.exit()
