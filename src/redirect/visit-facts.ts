import type { GeoLookup } from '../clicks/visitor/geo-location.ts'
import type { GeoLocation } from '../clicks/visitor/geo-record.ts'
import { readUserAgent, type Visitor } from '../clicks/visitor/read-user-agent.ts'
import { acceptedLanguages } from './accept-language.ts'
import type { Domains } from '../links/domains/domains.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import type { RouteFacts } from './decide-route.ts'
import type { LimitedOpenings } from './limited-openings.ts'
import { hasPasswordCookie, type ProtectedLink } from './password-cookie.ts'
import { isPreviewFetcher } from './preview-fetchers.ts'
import type { Visit } from './visit.ts'

export type FactsOrigin = {
  nowUs(): number
  /** Not HEAD, nor what a browser fetches without going there. */
  opens(): boolean
  location(): GeoLocation
  /** 0 for visitors who ask not to be tracked. */
  visitor(): number
  isExhausted(route: LinkRoute): boolean
  endedUrl(route: LinkRoute): string | null
  /** Instead of what the User-Agent says, where it is not a real visit. */
  client?: (read: Visitor) => Visitor
}

const VISITORS = 2 ** 53

/** What a link with options asks about a visit. Each is worked out when it is first asked for, and once. */
export class VisitFacts implements RouteFacts {
  readonly query: string
  readonly path: string
  readonly #visit: Pick<Visit, 'header'>
  readonly #origin: FactsOrigin
  #nowUs: number | undefined
  #location: GeoLocation | undefined
  #client: Visitor | undefined
  #languages: readonly string[] | undefined
  #visitor: number | undefined

  constructor(visit: Pick<Visit, 'header' | 'query' | 'path'>, origin: FactsOrigin) {
    this.query = visit.query
    this.path = visit.path ?? ''
    this.#visit = visit
    this.#origin = origin
  }

  nowUs(): number {
    return (this.#nowUs ??= this.#origin.nowUs())
  }

  isPreview(): boolean {
    return isPreviewFetcher(this.#visit.header('user-agent'))
  }

  isExhausted(route: LinkRoute): boolean {
    return this.#origin.isExhausted(route)
  }

  endedUrl(route: LinkRoute): string | null {
    return this.#origin.endedUrl(route)
  }

  /** HEAD and requests that are no navigation learn nothing, not even in a browser that has the cookie. */
  knowsPassword(link: ProtectedLink): boolean {
    return this.#origin.opens() && hasPasswordCookie(this.#visit.header('cookie'), link, this.nowUs())
  }

  country(): string {
    return this.location().country
  }

  location(): GeoLocation {
    return (this.#location ??= this.#origin.location())
  }

  client(): Visitor {
    return (this.#client ??= this.#readClient())
  }

  #readClient(): Visitor {
    const read = readUserAgent(this.#visit.header('user-agent') ?? '')
    return this.#origin.client?.(read) ?? read
  }

  languages(): readonly string[] {
    return (this.#languages ??= acceptedLanguages(this.#visit.header('accept-language') ?? ''))
  }

  visitor(): number {
    return this.trackedVisitor() || Math.floor(Math.random() * VISITORS)
  }

  /** As clicks have it: 0 for visitors who ask not to be tracked. */
  trackedVisitor(): number {
    return (this.#visitor ??= this.#origin.visitor())
  }
}

type Sources = {
  clock: { nowUs(): number }
  geo: Pick<GeoLookup, 'locate'>
  openings: Pick<LimitedOpenings, 'isExhausted'>
  domains: Pick<Domains, 'get'>
}

/** What a redirect reads of every visit. */
type Readers<Deps> = { isNavigation(visit: Visit): boolean; visitorOf(deps: Deps, visit: Visit): number }

/** The facts of a real visit. A class: an object with a function for each would be made for every visit. */
export class VisitOrigin<Deps extends Sources> implements FactsOrigin {
  readonly #deps: Deps
  readonly #visit: Visit
  readonly #readers: Readers<Deps>

  constructor(deps: Deps, visit: Visit, readers: Readers<Deps>) {
    this.#deps = deps
    this.#visit = visit
    this.#readers = readers
  }

  nowUs(): number {
    return this.#deps.clock.nowUs()
  }

  opens(): boolean {
    return this.#visit.method === 'GET' && this.#readers.isNavigation(this.#visit)
  }

  location(): GeoLocation {
    return this.#deps.geo.locate(this.#visit.ip)
  }

  visitor(): number {
    return this.#readers.visitorOf(this.#deps, this.#visit)
  }

  isExhausted(route: LinkRoute): boolean {
    return this.#deps.openings.isExhausted(route)
  }

  endedUrl({ domainId }: LinkRoute): string | null {
    return this.#deps.domains.get(domainId)?.expiredUrl ?? null
  }
}
