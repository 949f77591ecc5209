import { randomBytes } from 'node:crypto'

const REMEMBERED_VISITORS_MAX = 10_000

/**
 * Tells visitors of one day apart without keeping who they are: a keyed hash of address and User-Agent, with a salt
 * that is another one every day and is destroyed after 48 hours. Without the salt there is no way back.
 */
export class VisitorHash {
  #salts = new Map<number, Uint8Array>()
  #salt: Uint8Array = randomBytes(32)
  readonly #remembered = new Map<string, number>()

  /** The salts by day; days that are not among them are forgotten. */
  setSalts(salts: Map<number, Uint8Array>): void {
    this.#salts = salts
  }

  /** To be called when a day begins, and often enough to notice it. */
  setDay(day: number): void {
    const salt = this.#salts.get(day)
    if (salt === undefined || salt === this.#salt) return
    this.#salt = salt
    this.#remembered.clear()
  }

  /** A whole number from 1 to 2^53 - 1. */
  of(ip: string, userAgent: string): number {
    const who = `${ip}\n${userAgent}`
    const remembered = this.#remembered.get(who)
    if (remembered !== undefined) return remembered
    // BLAKE2 with a secret prefix of fixed length is a keyed hash; unlike SHA-2 it cannot be extended.
    const digest = new Bun.CryptoHasher('blake2b256').update(this.#salt).update(who).digest()
    const hash = (digest.readUInt32LE(0) & 0x1f_ffff) * 2 ** 32 + digest.readUInt32LE(4) || 1
    if (this.#remembered.size >= REMEMBERED_VISITORS_MAX) this.#remembered.clear()
    this.#remembered.set(who, hash)
    return hash
  }
}
