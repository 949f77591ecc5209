import { percentEncoded, readVisit, type ReadFrom, type VisitRequest } from './read-visit.ts'
import type { Visit } from '../../redirect/visit.ts'

/** Printable ASCII without a fragment or a query, and without the backslashes that the URL parser turns into slashes. */
const PLAIN_PATH = /^\/[!"$->@-[\]-~]+$/
/** `.` and `..`, however they and the slashes around them are encoded: they would leave the destination's path. */
const DOT_SEGMENT = /(?:\/|%2f|%5c)(?:\.|%2e){1,2}(?=\/|%2f|%5c|$)/i
/** What the URL parser percent-encodes in a path. */
const UNESCAPED = /["<>^`{}]/g

export type PathVisit = Visit & { path: string }

/**
 * A short URL with a path behind its code: `/launch/page/2`. Undefined for any other path, and for one that the URL parser would
 * change: on the API server, it has.
 */
export function readPathVisit(request: VisitRequest, from: ReadFrom): PathVisit | undefined {
  const { path: target } = request
  const queryAt = target.indexOf('?')
  const end = queryAt === -1 ? target.length : queryAt
  const slashAt = target.indexOf('/', 1)
  if (slashAt === -1 || slashAt >= end) return undefined
  const path = readPath(target.slice(slashAt, end))
  if (path === undefined) return undefined
  const visit = readVisit({ ...request, path: target.slice(0, slashAt) + target.slice(end) }, from)
  return visit && { ...visit, path }
}

/** What follows the code, as the URL parser gives it. Undefined for what it would change more than that. */
export const readPath = (path: string): string | undefined =>
  PLAIN_PATH.test(path) && !DOT_SEGMENT.test(path) ? path.replace(UNESCAPED, percentEncoded) : undefined
