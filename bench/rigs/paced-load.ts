import { setPriority } from 'node:os'
import type { Socket } from 'bun'

export type PacedLoad = { port: number; seconds: number; perSecond: number; codes: readonly string[] }
export type PacedResult = { requests: number; p50Ms: number; p99Ms: number }

const CONNECTIONS = 64

/**
 * Redirects at a fixed pace, whether those before are answered or not, over kept connections. A time is that from when a
 * request was handed in to its answer, the wait for a free connection included. In a process of its own, so that the
 * bench's other work does not delay it.
 */
export async function runPaced(load: PacedLoad): Promise<PacedResult> {
  const child = Bun.spawn([Bun.argv[0]!, import.meta.path], {
    stdin: new Blob([JSON.stringify(load)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('The load was not answered in order.')
  return JSON.parse(text) as PacedResult
}

class PacedVisitors {
  readonly #load: PacedLoad
  readonly #free: Socket<{ askedMs: number }>[] = []
  /** When each request was handed in that waits for a connection. */
  readonly #waiting: number[] = []
  readonly #timesMs: number[] = []
  #handedIn = 0
  #sent = 0

  constructor(load: PacedLoad) {
    this.#load = load
  }

  async run(): Promise<PacedResult> {
    for (let i = 0; i < CONNECTIONS; i++) this.#free.push(await this.#connect())
    const startedMs = performance.now()
    const all = this.#load.seconds * this.#load.perSecond
    while (this.#handedIn < all) {
      const due = Math.min(all, ((performance.now() - startedMs) * this.#load.perSecond) / 1000)
      for (; this.#handedIn < due; this.#handedIn++) this.#waiting.push(performance.now())
      this.#send()
      await Bun.sleep(1)
    }
    while (this.#timesMs.length < all) await Bun.sleep(1)
    const sorted = this.#timesMs.sort((a, b) => a - b)
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!
    return { requests: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) }
  }

  #connect(): Promise<Socket<{ askedMs: number }>> {
    return Bun.connect({
      hostname: '127.0.0.1',
      port: this.#load.port,
      data: { askedMs: 0 },
      socket: {
        data: (socket, bytes) => this.#hear(socket, bytes),
        error: (_, error) => fail(error),
      },
    })
  }

  #send(): void {
    while (this.#waiting.length > 0 && this.#free.length > 0) {
      const socket = this.#free.pop()!
      const { codes } = this.#load
      socket.data.askedMs = this.#waiting.shift()!
      const code = codes[this.#sent++ % codes.length]
      socket.write(
        `GET /${code} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n\r\n`,
      )
    }
  }

  /** A response is small enough to arrive in one piece. */
  #hear(socket: Socket<{ askedMs: number }>, bytes: Buffer): void {
    if (!bytes.subarray(0, 12).equals(REDIRECT)) fail(new Error(bytes.toString()))
    this.#timesMs.push(performance.now() - socket.data.askedMs)
    this.#free.push(socket)
    this.#send()
  }
}

const REDIRECT = Buffer.from('HTTP/1.1 302')

function fail(error: Error): never {
  console.error(error)
  process.exit(1)
}

if (import.meta.main) {
  // Visitors have their own machines: if permitted, the load generator gets a higher priority.
  try {
    setPriority(-20)
  } catch {}
  const result = await new PacedVisitors((await Bun.stdin.json()) as PacedLoad).run()
  console.log(JSON.stringify(result))
  process.exit(0)
}
