import { createHash, randomInt } from 'node:crypto'

// For secret scanners: \btern_[A-Za-z0-9]{38}\b
const PREFIX = 'tern_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32 // 190 bits
const CHECKSUM_LENGTH = 6 // 62⁶ exceeds 2³², so a CRC32 always fits
const HINT_LENGTH = 4 // within the checksum
const KEY = /^tern_[A-Za-z0-9]{38}$/

/** What lists show for every key. */
export const MASKED_KEY = PREFIX + '*'.repeat(SECRET_LENGTH + CHECKSUM_LENGTH)

/**
 * Distinguishes keys in a list. The four characters belong to the checksum, so none of the 32 random ones is shown. They reveal 24
 * of 190 bits.
 */
export const hintOf = (key: string): string => `${PREFIX}…${key.slice(-HINT_LENGTH)}`

/** A new key: `tern_`, 32 random base-62 characters, and 6 of CRC32 over everything before. */
export function makeKey(): string {
  let body = PREFIX
  while (body.length < PREFIX.length + SECRET_LENGTH) body += BASE62[randomInt(BASE62.length)]
  return body + checksum(body)
}

/** Checks shape and checksum, so that a mistyped or invented key needs no query. */
export function isWellFormedKey(text: string): boolean {
  return KEY.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** SHA-256 in hex. 190 random bits need no slow hash (ASVS 6.5.2: 112). */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
