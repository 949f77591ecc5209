import { readUserAgent, type Visitor } from '../clicks/visitor/read-user-agent.ts'
import { acceptedLanguages } from './accept-language.ts'
import type { RouteFacts } from './decide-route.ts'
import { hasPasswordCookie, type ProtectedLink } from './password-cookie.ts'
import { isPreviewFetcher } from './preview-fetchers.ts'
import type { Visit } from './visit.ts'

/** Where the facts come from. `opens`: not HEAD, nor a prefetch. `visitor`: 0 for those who ask not to be told apart. */
type Origin = { nowUs(): number; opens(): boolean; country(): string; visitor(): number }

const VISITORS = 2 ** 53

/** What a link with options asks about a visit. Each is worked out when it is first asked for, and once. */
export class VisitFacts implements RouteFacts {
  readonly query: string
  readonly #visit: Pick<Visit, 'header'>
  readonly #origin: Origin
  #nowUs: number | undefined
  #country: string | undefined
  #client: Visitor | undefined
  #languages: readonly string[] | undefined
  #visitor: number | undefined

  constructor(visit: Pick<Visit, 'header' | 'query'>, origin: Origin) {
    this.query = visit.query
    this.#visit = visit
    this.#origin = origin
  }

  nowUs(): number {
    return (this.#nowUs ??= this.#origin.nowUs())
  }

  isPreview(): boolean {
    return isPreviewFetcher(this.#visit.header('user-agent'))
  }

  /** HEAD and prefetch learn nothing, not even in a browser that has the cookie. */
  knowsPassword(link: ProtectedLink): boolean {
    return this.#origin.opens() && hasPasswordCookie(this.#visit.header('cookie'), link, this.nowUs())
  }

  country(): string {
    return (this.#country ??= this.#origin.country())
  }

  client(): Visitor {
    return (this.#client ??= readUserAgent(this.#visit.header('user-agent') ?? ''))
  }

  languages(): readonly string[] {
    return (this.#languages ??= acceptedLanguages(this.#visit.header('accept-language') ?? ''))
  }

  visitor(): number {
    return this.trackedVisitor() || Math.floor(Math.random() * VISITORS)
  }

  /** As clicks have it: 0 for those who ask not to be told apart. */
  trackedVisitor(): number {
    return (this.#visitor ??= this.#origin.visitor())
  }
}
