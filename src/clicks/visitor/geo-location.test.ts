import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openGeoLookup } from './geo-location.ts'

const folder = mkdtempSync(join(tmpdir(), 'tern-country-'))
const bundled = openGeoLookup()

afterAll(() => rmSync(folder, { recursive: true }))

describe('the bundled database', () => {
  test.each([
    ['8.8.8.8', 'US'],
    ['::ffff:8.8.8.8', 'US'],
    ['::ffff:808:808', 'US'],
    ['193.99.144.80', 'DE'],
    ['2a02:2e0:3fe:1001:302::', 'DE'],
  ])('%s is in %s', (ip, country) => {
    expect(bundled.countryOf(ip)).toBe(country)
  })

  test.each([
    ['127.0.0.1'],
    ['192.168.1.1'],
    ['::1'],
    [''],
    ['garbage'],
    ['999.1.1.1'],
    ['8.8.8.8 '],
    ['a:b:c:::::'],
    ['\u0000'],
    ['__proto__'],
  ])('%p has no country', (ip) => {
    expect(bundled.countryOf(ip)).toBe('')
  })

  test('says when it was made', () => {
    expect(bundled.builtAt.getUTCFullYear()).toBeGreaterThanOrEqual(2026)
  })
})

describe("an operator's database", () => {
  test('in the shape of GeoLite2-Country is read', () => {
    const lookup = openGeoLookup(write('geolite2.mmdb', countryMmdb({ country: { iso_code: 'NZ' } })))
    expect([lookup.countryOf('1.2.3.4'), lookup.countryOf('200.2.3.4')]).toEqual(['NZ', ''])
    expect(lookup.builtAt).toEqual(new Date('2026-01-02T03:04:05Z'))
  })

  test('with codes in lower case gives them in upper case', () => {
    const lookup = openGeoLookup(write('lower.mmdb', countryMmdb({ country_code: 'nz' })))
    expect(lookup.countryOf('1.2.3.4')).toBe('NZ')
  })

  test('with something else than a code gives no country', () => {
    const lookup = openGeoLookup(write('odd.mmdb', countryMmdb({ country_code: '<b>' })))
    expect(lookup.countryOf('1.2.3.4')).toBe('')
  })

  test('of IPv4 alone knows no country of an IPv6 address', () => {
    const lookup = openGeoLookup(write('ipv4.mmdb', countryMmdb({ country_code: 'NZ' })))
    expect(lookup.countryOf('1.2.3.4')).toBe('NZ')
    expect(lookup.countryOf('2001:db8::1')).toBe('')
  })

  test('with a damaged tree gives no country, and does not throw', () => {
    const whole = countryMmdb({ country_code: 'NZ' })
    // The left record of the only node now points far behind the end of the file.
    whole.writeUIntBE(0xfffff0, 0, 3)
    const lookup = openGeoLookup(write('damaged.mmdb', whole))
    expect(lookup.countryOf('1.2.3.4')).toBe('')
  })

  test.each([
    ['missing', join(folder, 'missing.mmdb')],
    ['a folder', folder],
    ['empty', write('empty.mmdb', Buffer.alloc(0))],
    ['something else', fileURLToPath(import.meta.url)],
  ])('that is %s is refused in one sentence', (_, path) => {
    expect(() => openGeoLookup(path)).toThrow(
      new Error(`The country database ${path} cannot be read or is no .mmdb file.`),
    )
  })
})

function write(name: string, content: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

type Value = string | number | { [key: string]: Value }

/**
 * The smallest MaxMind DB (format specification 2.0) of IPv4: one node of 24-bit records. The lower half of all addresses
 * has the record, the upper half has none.
 */
function countryMmdb(record: Value): Buffer {
  const nodeCount = 1
  const tree = Buffer.alloc(6)
  tree.writeUIntBE(nodeCount + 16, 0, 3)
  tree.writeUIntBE(nodeCount, 3, 3)
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Date.parse('2026-01-02T03:04:05Z') / 1000,
    database_type: 'Test-Country',
    ip_version: 4,
    node_count: nodeCount,
    record_size: 24,
  }
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([tree, Buffer.alloc(16), encoded(record), marker, encoded(metadata)])
}

function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)])
  }
  if (typeof value === 'number') {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(value)
    return Buffer.concat([Buffer.from([(6 << 5) | 4]), number])
  }
  const entries = Object.entries(value)
  const body = entries.flatMap(([key, inner]) => [encoded(key), encoded(inner)])
  return Buffer.concat([Buffer.from([(7 << 5) | entries.length]), ...body])
}
