/** Below the ports that the system gives to outgoing connections. */
const LEAST = 12_000
const BLOCKS = 100
const BLOCK_SIZE = 200

/**
 * The first port of the block that is this process's alone, and held by it: a port that a test starts a server on again
 * is never given to the test of another process in between.
 */
let held: number | undefined
let last = 0

/** A port that was free a moment ago. */
export function freePort(): number {
  held ??= holdBlock()
  for (let tries = 0; tries < BLOCK_SIZE; tries++) {
    last = (last % (BLOCK_SIZE - 1)) + 1
    const listener = listenOn(held + last)
    if (listener === undefined) continue
    void listener.stop(true)
    return held + last
  }
  throw new Error('Every port of this process is in use.')
}

function holdBlock(): number {
  const start = Math.floor(Math.random() * BLOCKS)
  for (let i = 0; i < BLOCKS; i++) {
    const port = LEAST + ((start + i) % BLOCKS) * BLOCK_SIZE
    const listener = listenOn(port)
    if (listener === undefined) continue
    listener.unref()
    return port
  }
  throw new Error('Every block of ports is in use.')
}

function listenOn(port: number) {
  try {
    return Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() })
  } catch {
    return undefined
  }
}
