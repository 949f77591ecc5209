/** In English; '' when unknown. `Illinois, US` and `Springfield, Illinois, US`, because many places have the same name. */
export type City = { region: string; name: string }

export type GeoLocation = {
  /** ISO 3166 alpha-2 in upper case, '' when unknown. */
  country: string
  /** Undefined where the database has none. */
  city: City | undefined
}

type Named = { names?: { en?: unknown } }

/** The shapes of DB-IP as packaged by ip-location-db and as it comes, and of MaxMind's GeoLite2-Country and -City. */
export type GeoRecord = {
  country_code?: unknown
  country?: { iso_code?: unknown }
  state1?: unknown
  subdivisions?: readonly Named[]
  city?: Named | string
}

const TWO_LETTERS = /^[A-Z]{2}$/
const NAME_CHARS_MAX = 80
export const NOWHERE: GeoLocation = { country: '', city: undefined }

export function locationIn(record: GeoRecord | null): GeoLocation {
  if (record === null) return NOWHERE
  const country = countryCode(record)
  const name = nameIn(record.city)
  const region = nameIn(record.state1 ?? record.subdivisions?.[0])
  if (name === '' && region === '') return { country, city: undefined }
  const city = {
    region: joined([region, country]),
    name: joined([name, region === name ? '' : region, country]),
  }
  return { country, city }
}

/** '' if the first one is unknown. */
const joined = (names: string[]): string =>
  names[0] === '' ? '' : names.filter((name) => name !== '').join(', ')

function nameIn(value: unknown): string {
  const name = typeof value === 'object' && value !== null ? (value as Named).names?.en : value
  return typeof name === 'string' ? name.slice(0, NAME_CHARS_MAX) : ''
}

function countryCode(record: GeoRecord): string {
  const code = String(record.country_code ?? record.country?.iso_code ?? '').toUpperCase()
  return TWO_LETTERS.test(code) ? code : ''
}
