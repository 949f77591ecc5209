import { createHash, randomInt } from 'node:crypto'

// For secret scanners: \btern_[A-Za-z0-9]{38}\b
const PREFIX = 'tern_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32 // 190 bits
const CHECKSUM_LENGTH = 6 // 62⁶ exceeds 2³², so a CRC32 always fits
const HINT_LENGTH = 4 // within the checksum
const KEY = /^tern_[A-Za-z0-9]{38}$/

/** What a listing shows: the same for every key, so that it gives nothing away. */
export const MASKED_KEY = PREFIX + '*'.repeat(SECRET_LENGTH + CHECKSUM_LENGTH)

/**
 * What tells an account's keys apart in a list. The four characters are of the checksum, so none of the 32 random ones is
 * shown: 24 bits are known of a text that has 190, and nobody guesses the other 166.
 */
export const hintOf = (key: string): string => `${PREFIX}…${key.slice(-HINT_LENGTH)}`

/** A new key: `tern_`, 32 random base-62 characters, and 6 of CRC32 over everything before. */
export function makeKey(): string {
  let body = PREFIX
  while (body.length < PREFIX.length + SECRET_LENGTH) body += BASE62[randomInt(BASE62.length)]
  return body + checksum(body)
}

/** Shape and checksum: a mistyped or invented key is told apart without asking the store. Says nothing about validity. */
export function isWellFormedKey(text: string): boolean {
  return KEY.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** SHA-256 in hex, which is all that is kept of a key. 190 random bits need no slow hash (ASVS 6.5.2: 112). */
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
