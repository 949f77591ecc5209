import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MmdbValue, madeMmdb } from '../../../test/rigs/clicks/made-mmdb.ts'
import { openGeoLookup } from './geo-location.ts'

const folder = mkdtempSync(join(tmpdir(), 'tern-country-'))
const bundled = openGeoLookup()
let files = 0

afterAll(() => rmSync(folder, { recursive: true }))

describe('the bundled database', () => {
  test.each([
    ['8.8.8.8', 'US'],
    ['::ffff:8.8.8.8', 'US'],
    ['::ffff:808:808', 'US'],
    ['193.99.144.80', 'DE'],
    ['2a02:2e0:3fe:1001:302::', 'DE'],
  ])('%s is in %s', (ip, country) => {
    expect(bundled.locate(ip).country).toBe(country)
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
    expect(bundled.locate(ip).country).toBe('')
  })

  test('says when it was made', () => {
    expect(bundled.builtAt.getUTCFullYear()).toBeGreaterThanOrEqual(2026)
  })
})

describe("an operator's database", () => {
  test('in the shape of GeoLite2-Country is read', () => {
    const lookup = openGeoLookup(write('geolite2.mmdb', madeMmdb({ country: { iso_code: 'NZ' } })))
    expect([lookup.locate('1.2.3.4').country, lookup.locate('200.2.3.4').country]).toEqual(['NZ', ''])
    expect(lookup.builtAt).toEqual(new Date('2026-01-02T03:04:05Z'))
  })

  test('with codes in lower case gives them in upper case', () => {
    const lookup = openGeoLookup(write('lower.mmdb', madeMmdb({ country_code: 'nz' })))
    expect(lookup.locate('1.2.3.4').country).toBe('NZ')
  })

  test('with something else than a code gives no country', () => {
    const lookup = openGeoLookup(write('odd.mmdb', madeMmdb({ country_code: '<b>' })))
    expect(lookup.locate('1.2.3.4').country).toBe('')
  })

  test.each([
    [
      'GeoLite2-City',
      {
        country: { iso_code: 'US' },
        subdivisions: [{ iso_code: 'IL', names: { de: 'Illinois', en: 'Illinois' } }],
        city: { names: { en: 'Springfield' } },
      },
      { region: 'Illinois, US', name: 'Springfield, Illinois, US' },
    ],
    [
      'DB-IP as packaged by ip-location-db',
      { country_code: 'DE', state1: 'Hamburg', city: 'Hamburg' },
      { region: 'Hamburg, DE', name: 'Hamburg, DE' },
    ],
    ['a region alone', { country_code: 'DE', state1: 'Bremen' }, { region: 'Bremen, DE', name: '' }],
    ['a city alone', { country_code: 'MC', city: 'Monaco' }, { region: '', name: 'Monaco, MC' }],
    ['something else than names', { country_code: 'DE', state1: 7, city: { names: 'x' } }, undefined],
  ] as [string, MmdbValue, object | undefined][])('with cities gives them: %s', (_, record, city) => {
    const lookup = openGeoLookup(write(`cities-${files++}.mmdb`, madeMmdb(record)))
    expect(lookup.locate('1.2.3.4').city).toEqual(city as never)
    expect(lookup.locate('200.2.3.4')).toEqual({ country: '', city: undefined })
  })

  test('of IPv4 alone knows no country of an IPv6 address', () => {
    const lookup = openGeoLookup(write('ipv4.mmdb', madeMmdb({ country_code: 'NZ' })))
    expect(lookup.locate('1.2.3.4').country).toBe('NZ')
    expect(lookup.locate('2001:db8::1').country).toBe('')
  })

  test('with a damaged tree gives no country, and does not throw', () => {
    const whole = madeMmdb({ country_code: 'NZ' })
    // The left record of the only node now points far behind the end of the file.
    whole.writeUIntBE(0xfffff0, 0, 3)
    const lookup = openGeoLookup(write('damaged.mmdb', whole))
    expect(lookup.locate('1.2.3.4').country).toBe('')
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
