const PORTS = 65_536
/** The longest IP address in its short spelling has 39 characters; the first byte is the length. */
const BYTES_PER_PORT = 40

/** The memory behind a SharedPeers. Pages that no port uses take no room. */
export type PeersMemory = SharedArrayBuffer

export const newPeersMemory = (): PeersMemory => new SharedArrayBuffer(PORTS * BYTES_PER_PORT)

/**
 * Client IP addresses of proxied connections, by the local port that the connection to the API server comes from. The
 * redirect server writes an entry before it sends the connection's first byte, so the API thread always finds it.
 */
export class SharedPeers {
  readonly #bytes: Buffer

  constructor(memory: PeersMemory) {
    this.#bytes = Buffer.from(memory)
  }

  set(port: number, ip: string): void {
    const at = port * BYTES_PER_PORT
    this.#bytes[at] = this.#bytes.write(ip, at + 1, BYTES_PER_PORT - 1, 'latin1')
  }

  delete(port: number): void {
    this.#bytes[port * BYTES_PER_PORT] = 0
  }

  get(port: number): string | undefined {
    const at = port * BYTES_PER_PORT
    const length = this.#bytes[at]!
    return length === 0 ? undefined : this.#bytes.toString('latin1', at + 1, at + 1 + length)
  }
}
