import { couldBeCode, isReserved } from '../../codes/code-rules.ts'
import type { Domains } from '../../links/domains/domains.ts'
import type { Visit } from '../../redirect/visit.ts'

const VALID_HOSTS_MAX = 1000
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i
/** What the URL parser percent-encodes in a query, besides what no redirect server accepts anyway. */
const UNESCAPED = /["'<>]/g

/** A request, as either server has it. */
export type VisitRequest = Pick<Visit, 'method' | 'host' | 'header'> & {
  /** With the query, as sent. */
  path: string
}

export type ReadFrom = { domains: Pick<Domains, 'idOf' | 'codeOn' | 'prefixOf'>; ip: string }

/** Undefined unless the path is a plain short URL: one segment with a code, and none of our own pages. See otherVisits. */
export function readVisit(request: VisitRequest, from: ReadFrom): Visit | undefined {
  const queryAt = request.path.indexOf('?')
  const code = request.path.slice(1, queryAt === -1 ? undefined : queryAt)
  return couldBeCode(code) && !isReserved(code) ? visitOf(request, from, { code, queryAt }) : undefined
}

/** `queryAt`: where the query begins in the path; -1 without one. */
export function visitOf(
  { method, host, path, header }: VisitRequest,
  { domains, ip }: ReadFrom,
  { code, queryAt }: { code: string; queryAt: number },
): Visit {
  const query = queryAt === -1 ? '' : readQueryAt(path, queryAt)
  const domainId = domains.idOf(host)
  return { method, host, domainId, code: domains.codeOn(domainId, code), query, ip, header }
}

/** As the URL parser gives it: the API server has it from there. */
function readQueryAt(path: string, queryAt: number): string {
  const fragmentAt = path.indexOf('#', queryAt)
  const query = path.slice(queryAt + 1, fragmentAt === -1 ? undefined : fragmentAt)
  return query.replace(UNESCAPED, percentEncoded)
}

export const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** RFC 9112 §3.2: a missing, repeated or malformed Host gets 400. Bun joins repeated ones with a comma. */
export function validHosts(): (host: string) => boolean {
  const valid = new Set<string>()
  return (host) => {
    if (valid.has(host)) return true
    if (!HOST.test(host)) return false
    if (valid.size >= VALID_HOSTS_MAX) valid.clear()
    valid.add(host)
    return true
  }
}
