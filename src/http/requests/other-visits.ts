import { couldBeCode, isReserved } from '../../codes/code-rules.ts'
import { decodedPath, forgivenCodes } from '../../codes/forgiven-code.ts'
import { isReservedOn, unusualCode } from '../../codes/unusual-code.ts'
import type { Visit } from '../../redirect/visit.ts'
import { behindPrefix } from '../../links/domains/behind-prefix.ts'
import { percentEncoded, type ReadFrom, readVisit, type VisitRequest, visitOf } from './read-visit.ts'

/** Printable ASCII without a fragment or a query, and without the backslashes that the URL parser turns into slashes. */
const PLAIN_PATH = /^\/[!"$->@-[\]-~]+$/
/** `.` and `..`, however they and the slashes around them are encoded: they would leave the destination's path. */
const DOT_SEGMENT = /(?:\/|%2f|%5c)(?:\.|%2e){1,2}(?=\/|%2f|%5c|$)/i
/** What the URL parser percent-encodes in a path. */
const UNESCAPED = /["<>^`{}]/g

/**
 * What a path that is not a plain code can mean, in the order in which links are looked for: a short URL behind the prefix of its
 * domain, an unusual code, a code to which a person has added something, and a code with a path behind it (`/launch/page/2`). Empty
 * for paths of our own.
 */
export function otherVisits(request: VisitRequest, from: ReadFrom): Visit[] {
  const inner = behindPrefix(request, from.domains)
  if (inner === undefined) return visitsAt(request, from)
  const visit = readVisit(inner, from)
  const visits = (visit === undefined ? visitsAt(inner, from) : [visit]).map((one) => ({
    ...one,
    prefix: inner.prefix,
  }))
  if (visits.length === 0) return []
  // Another program may have had a link with the whole path as its code. The answer to a path that nobody has is the first visit's.
  const guesses = visits.map((one) => ({ ...one, isGuess: true as const }))
  return [...guesses, ...visitsAt(request, from), ...visits.filter(({ isGuess }) => !isGuess)]
}

function visitsAt(request: VisitRequest, from: ReadFrom): Visit[] {
  const { path: target, host } = request
  const domainId = from.domains.idOf(host)
  const queryAt = target.indexOf('?')
  const end = queryAt === -1 ? target.length : queryAt
  const whole = target.slice(1, end)
  if (isReservedOn(domainId, whole)) return []
  const of = (code: string, path?: string): Visit[] => {
    if (isReservedOn(domainId, code)) return []
    const visit = visitOf(request, from, { code, queryAt })
    if (path !== undefined) return [{ ...visit, path, isGuess: true }]
    return [couldBeCode(code) && !isReserved(code) ? visit : { ...visit, isGuess: true }]
  }
  const visits = codesIn(whole).flatMap((code) => of(code))
  const slashAt = whole.indexOf('/')
  if (slashAt === -1 || visits.some(({ isGuess }) => !isGuess)) return visits
  const path = readPath(whole.slice(slashAt))
  if (path === undefined) return visits
  const codes = codesIn(whole.slice(0, slashAt)).filter((code) => !code.includes('/'))
  return [...visits, ...codes.flatMap((code) => of(code, path))]
}

/** What a request for any path can mean: one visit of a plain short URL, or else the others. */
export function possibleVisits(request: VisitRequest, from: ReadFrom): Visit[] {
  const visit = readVisit(request, from)
  return visit === undefined ? otherVisits(request, from) : [visit]
}

/** As it stands, and without what people add. */
function codesIn(path: string): string[] {
  if (couldBeCode(path)) return [path]
  const decoded = decodedPath(path)
  const code = decoded === undefined ? undefined : unusualCode(decoded)
  return [...new Set([...(code === undefined ? [] : [code]), ...forgivenCodes(path)])]
}

/** What follows the code, as the URL parser gives it. Undefined for what it would change more than that. */
export const readPath = (path: string): string | undefined =>
  PLAIN_PATH.test(path) && !DOT_SEGMENT.test(path) ? path.replace(UNESCAPED, percentEncoded) : undefined
