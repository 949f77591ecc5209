import { randomBytes } from 'node:crypto'
import { copyOf } from './remember-answers.ts'

const REMEMBERED_VISITORS_MAX = 10_000

/**
 * Tells visitors of one day apart without keeping who they are: a keyed hash of address and User-Agent, with a salt
 * that is another one every day and is destroyed after 48 hours. Without the salt there is no way back.
 */
export class VisitorHash {
  #salts = new Map<number, Uint8Array>()
  #salt: Uint8Array = randomBytes(32)
  /** The last one of each address: to put the two together takes longer than to look up and compare. */
  readonly #remembered = new Map<string, { userAgent: string; hash: number }>()

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
    const known = this.#remembered.get(ip)
    if (known?.userAgent === userAgent) return known.hash
    // BLAKE2 with a secret prefix of fixed length is a keyed hash; unlike SHA-2 it cannot be extended.
    const digest = new Bun.CryptoHasher('blake2b256')
      .update(this.#salt)
      .update(`${ip}\n${userAgent}`)
      .digest()
    const hash = (digest.readUInt32LE(0) & 0x1f_ffff) * 2 ** 32 + digest.readUInt32LE(4) || 1
    if (this.#remembered.size >= REMEMBERED_VISITORS_MAX) this.#remembered.clear()
    this.#remembered.set(ip, { userAgent: copyOf(userAgent), hash })
    return hash
  }
}
