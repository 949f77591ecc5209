import { describe, expect, test } from 'bun:test'
import { VisitorHash } from './visitor-hash.ts'

const salts = new Map([
  [1, new Uint8Array(32).fill(1)],
  [2, new Uint8Array(32).fill(2)],
])

describe('a visitor', () => {
  test('has one number all day, in every process that has the salt', () => {
    const hash = hashOn(1)
    const first = hash.of('192.0.2.1', 'Browser')
    expect([hash.of('192.0.2.1', 'Browser'), hashOn(1).of('192.0.2.1', 'Browser')]).toEqual([first, first])
  })

  test('has another number on another day, also within one process', () => {
    const hash = hashOn(1)
    const first = hash.of('192.0.2.1', 'Browser')
    hash.setDay(2)
    const second = hash.of('192.0.2.1', 'Browser')
    expect(second).not.toBe(first)
    expect(hashOn(2).of('192.0.2.1', 'Browser')).toBe(second)
  })

  test('is distinguished by IP address and by User-Agent, wherever the one ends and the other begins', () => {
    const hash = hashOn(1)
    const numbers = [
      ['192.0.2.1', 'Browser'],
      ['192.0.2.2', 'Browser'],
      ['192.0.2.1', 'Browser 2'],
      ['192.0.2.1B', 'rowser'],
      ['', '192.0.2.1\nBrowser'],
    ].map(([ip, userAgent]) => hash.of(ip!, userAgent!))
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('keeps the number when the salts are handed over again', () => {
    const hash = hashOn(1)
    const first = hash.of('192.0.2.1', 'Browser')
    hash.setSalts(new Map([[1, new Uint8Array(32).fill(1)]]))
    hash.setDay(1)
    expect(hash.of('192.0.2.1', 'Browser')).toBe(first)
  })

  test('keeps the number when the day has no salt yet', () => {
    const hash = hashOn(1)
    const first = hash.of('192.0.2.1', 'Browser')
    hash.setDay(3)
    expect(hash.of('192.0.2.1', 'Browser')).toBe(first)
  })
})

describe('a number', () => {
  test('is whole, above 0 and below 2^53, and uses all of that', () => {
    const hash = hashOn(1)
    const numbers = Array.from({ length: 20_001 }, (_, i) => hash.of(`198.51.100.${i}`, ''))
    expect(numbers.every((number) => Number.isSafeInteger(number) && number > 0)).toBe(true)
    expect(new Set(numbers).size).toBe(20_001)
    expect(Math.max(...numbers)).toBeGreaterThan(2 ** 52)
    expect(Math.min(...numbers)).toBeLessThan(2 ** 43)
  })

  test('is the start of SHA-256 over salt, IP address and User-Agent', () => {
    const digest = new Bun.CryptoHasher('sha256')
      .update(salts.get(1)!)
      .update('2001:db8::1\nBrowser \xe9', 'latin1')
      .digest()
    const low53 = (digest.readBigUInt64LE(0) >> 32n) | ((digest.readBigUInt64LE(0) & 0x1f_ffffn) << 32n)
    expect(hashOn(1).of('2001:db8::1', 'Browser \xe9')).toBe(Number(low53))
  })

  test('depends on nothing of the visitor before, however long its texts were', () => {
    const hash = hashOn(1)
    const number = hash.of('192.0.2.1', 'Browser')
    hash.of('2001:db8:1111:2222:3333:4444:5555:6666', 'x'.repeat(2_000))
    expect(hash.of('192.0.2.1', 'Browser')).toBe(number)
  })

  test('cannot be guessed before there are salts: each process begins with a secret of its own', () => {
    expect(new VisitorHash().of('192.0.2.1', '')).not.toBe(new VisitorHash().of('192.0.2.1', ''))
  })
})

function hashOn(day: number): VisitorHash {
  const hash = new VisitorHash()
  hash.setSalts(salts)
  hash.setDay(day)
  return hash
}
