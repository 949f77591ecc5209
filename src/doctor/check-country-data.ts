import { openGeoLookup } from '../clicks/visitor/geo-location.ts'
import { DAY_US } from '../runtime/clock.ts'
import { type Finding, findings, warning } from './finding.ts'

/** A few percent of IP addresses change hands each month. */
const DAYS_MAX = 365

export function checkCountryData(nowUs: number, path: string | undefined): Finding[] {
  const { builtAt } = openGeoLookup(path)
  const days = Math.floor((nowUs - builtAt.getTime() * 1000) / DAY_US)
  const says = `The country data is from ${builtAt.toISOString().slice(0, 10)}, ${days} days old`
  const old = warning(`${says}: update Tern, or set GEOIP_DB to newer data.`)
  return findings('country data', days > DAYS_MAX ? [old] : [], `${says}.`)
}
