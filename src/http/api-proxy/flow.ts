import type { Socket } from 'bun'

/** Bytes that one side has not taken yet. The other side is not read until they are gone. */
export type Flow = { to: Socket<any> | undefined; from: Socket<any> | undefined; waiting: Buffer[] }

/** Writes as much as the side takes. The rest waits, and the source is not read until it is gone. */
export function pass(flow: Flow, bytes: Buffer): void {
  const written = flow.waiting.length > 0 || flow.to === undefined ? 0 : flow.to.write(bytes)
  if (written === bytes.length) return
  // A copy: the runtime reuses the memory of received bytes.
  flow.waiting.push(Buffer.from(bytes.subarray(Math.max(0, written))))
  flow.from?.pause()
}

/** Returns whether nothing is left, so that the source may be read again. */
export function drain(flow: Flow): boolean {
  while (flow.waiting.length > 0) {
    const bytes = flow.waiting[0]!
    const written = Math.max(0, flow.to!.write(bytes))
    if (written < bytes.length) {
      flow.waiting[0] = bytes.subarray(written)
      return false
    }
    flow.waiting.shift()
  }
  return true
}
