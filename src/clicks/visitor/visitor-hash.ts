import { randomBytes } from 'node:crypto'
import { USER_AGENT_CHARS_MAX } from '../journal/click.ts'

const SALT_BYTES = 32
/** An IPv6 address with its longest spelling has 45. */
const IP_CHARS_MAX = 64

/**
 * Distinguishes the visitors of one day without keeping who they are: SHA-256 over a secret salt, the IP address and the
 * User-Agent. Each day has its own salt, which is destroyed after 48 hours; without it, a hash cannot be reversed.
 *
 * HMAC is not needed. To extend a SHA-256 hash takes all 256 bits of it, and 53 leave this class; nor does anyone
 * present a hash to be verified.
 *
 * There is no cache: in a crowd, keeping one costs more than hashing.
 */
export class VisitorHash {
  #salts = new Map<number, Uint8Array>()
  #salt: Uint8Array = randomBytes(SALT_BYTES)
  /** Salt, IP address, line feed, User-Agent. */
  readonly #input = Buffer.alloc(SALT_BYTES + IP_CHARS_MAX + 1 + USER_AGENT_CHARS_MAX)
  readonly #digest = Buffer.alloc(32)

  constructor() {
    this.#input.set(this.#salt)
  }

  /** The salts by day, all of 32 bytes. Earlier ones are forgotten. */
  setSalts(salts: Map<number, Uint8Array>): void {
    this.#salts = salts
  }

  /** Call it at least once at the beginning of each day. A day without a salt goes on with the one before. */
  setDay(day: number): void {
    const salt = this.#salts.get(day)
    if (salt === undefined || salt === this.#salt) return
    this.#salt = salt
    this.#input.set(salt)
  }

  /** A whole number from 1 to 2^53 - 1. */
  of(ip: string, userAgent: string): number {
    const input = this.#input
    const ipEnd = SALT_BYTES + input.write(ip, SALT_BYTES, IP_CHARS_MAX, 'latin1')
    input[ipEnd] = 0x0a
    const end = ipEnd + 1 + input.write(userAgent, ipEnd + 1, USER_AGENT_CHARS_MAX, 'latin1')
    const digest = this.#digest
    Bun.SHA256.hash(input.subarray(0, end), digest)
    return (digest.readUInt32LE(0) & 0x1f_ffff) * 2 ** 32 + digest.readUInt32LE(4) || 1
  }
}
