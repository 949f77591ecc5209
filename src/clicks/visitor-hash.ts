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
  /** By address, then by User-Agent: to put the two together takes longer than to look twice. */
  readonly #remembered = new Map<string, Map<string, number>>()
  #rememberedCount = 0

  /** The salts by day; days that are not among them are forgotten. */
  setSalts(salts: Map<number, Uint8Array>): void {
    this.#salts = salts
  }

  /** To be called when a day begins, and often enough to notice it. */
  setDay(day: number): void {
    const salt = this.#salts.get(day)
    if (salt === undefined || salt === this.#salt) return
    this.#salt = salt
    this.#forget()
  }

  /** A whole number from 1 to 2^53 - 1. */
  of(ip: string, userAgent: string): number {
    const known = this.#remembered.get(ip)?.get(userAgent)
    if (known !== undefined) return known
    // BLAKE2 with a secret prefix of fixed length is a keyed hash; unlike SHA-2 it cannot be extended.
    const digest = new Bun.CryptoHasher('blake2b256')
      .update(this.#salt)
      .update(`${ip}\n${userAgent}`)
      .digest()
    const hash = (digest.readUInt32LE(0) & 0x1f_ffff) * 2 ** 32 + digest.readUInt32LE(4) || 1
    this.#remember(ip, copyOf(userAgent), hash)
    return hash
  }

  #remember(ip: string, userAgent: string, hash: number): void {
    if (this.#rememberedCount >= REMEMBERED_VISITORS_MAX) this.#forget()
    const ofIp = this.#remembered.get(ip)
    if (ofIp === undefined) this.#remembered.set(ip, new Map([[userAgent, hash]]))
    else ofIp.set(userAgent, hash)
    this.#rememberedCount++
  }

  #forget(): void {
    this.#remembered.clear()
    this.#rememberedCount = 0
  }
}
