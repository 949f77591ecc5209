import type { Click } from '../../../src/clicks/journal/click.ts'
import { openGeoLookup } from '../../../src/clicks/visitor/geo-location.ts'
import { readUserAgent } from '../../../src/clicks/visitor/read-user-agent.ts'
import { VisitorHash } from '../../../src/clicks/visitor/visitor-hash.ts'
import { explain } from '../../../src/http/endpoints/explained-visit.ts'
import { Domains } from '../../../src/links/domains/domains.ts'
import { Blocks, NOTHING_BLOCKED } from '../../../src/links/destinations/blocks.ts'
import { linkSchemas } from '../../../src/links/link-fields.ts'
import { OwnTraffic } from '../../../src/links/own-traffic/own-traffic.ts'
import { uncountedCookie } from '../../../src/links/own-traffic/uncounted-cookie.ts'
import { readNewLink } from '../../../src/links/read-links.ts'
import { LinkCache } from '../../../src/links/routes/link-cache.ts'
import { decodeRoute, encodeRoute, type LinkRoute } from '../../../src/links/routes/link-route.ts'
import { routeOfNewLink } from '../../../src/links/routes/own-route.ts'
import { newSharedMetrics, openMetrics } from '../../../src/metrics/metrics.ts'
import type { Explanation } from '../../../src/redirect/explain-route.ts'
import { LimitedOpenings, type OpeningStore } from '../../../src/redirect/limited-openings.ts'
import { openLink } from '../../../src/redirect/open-link.ts'
import { passwordCookie } from '../../../src/redirect/password-cookie.ts'
import { isPreviewFetcher } from '../../../src/redirect/preview-fetchers.ts'
import { manualClock } from '../../../src/runtime/clock.ts'
import { ownerOf } from '../store/owner-of.ts'
import type { RandomVisit } from '../store/random-links.ts'

const CLOCK = manualClock(Date.now() * 1000)
const geo = openGeoLookup()
const SCHEMAS = linkSchemas({ ownHosts: new Set(), allowPrivate: false, blocks: new Blocks() })
const OWNER = { ...ownerOf(3), userId: 1 }
const KEY = { code: 'hello', domainId: 5 }
const DOMAIN = {
  id: KEY.domainId,
  host: 'go.example.com',
  isServed: true,
  workspaceId: null,
  isDefault: false,
  ignoresCase: false,
  pathPrefix: '',
  homeUrl: null,
  notFoundUrl: null,
}
const EXCLUDING = { workspaceId: OWNER.workspaceId, cookieKey: 'key of the workspace' }
const OWN_COOKIE = uncountedCookie(
  '',
  { workspaceId: EXCLUDING.workspaceId, key: EXCLUDING.cookieKey },
  { isSecure: true },
).split(';')[0]
const NO_WAIT = { isAllowed: true, retryAfterSeconds: 0 }

/** What a visitor got. `variant`: of the click, if there was one; `countedAs`: what ingestion makes of it. */
export type Met = {
  status: number
  location: string | null
  body?: string
  variant?: string | undefined
  countedAs?: Explanation['counts_as']
}

type Has = { isRestored?: boolean; endedUrl?: string | null }

/** A link that is opened and explained, on a server whose operator blocks hosts. */
export class OneLink {
  readonly #input: Record<string, unknown>
  readonly #blocks = new Blocks()
  readonly #links: LinkCache
  readonly #openings: LimitedOpenings
  readonly #ownTraffic = new OwnTraffic()
  readonly #domains = new Domains({ baseUrl: 'https://s.example.com', unknownHosts: 'serve' })
  #opened = 0
  #blocked = ''

  /** `isRestored`: as another node, or a start without the database, has it. `endedUrl`: the page of its domain for links that have ended. */
  constructor(input: Record<string, unknown>, { isRestored = false, endedUrl = null }: Has = {}) {
    this.#input = input
    this.#domains.replace([{ ...DOMAIN, expiredUrl: endedUrl }])
    this.#ownTraffic.replace([{ ...EXCLUDING, networks: [] }])
    const made = { ...this.#route(input, new Blocks()), ...KEY }
    const route = isRestored ? decodeRoute(encodeRoute(made))! : made
    const routes = { get: () => route, forget() {} }
    const metrics = openMetrics(newSharedMetrics())
    this.#links = new LinkCache({ routes, ownHosts: new Set(), blocks: this.#blocks, metrics }, 10)
    const max = route.options?.maxClicks ?? Infinity
    const store: OpeningStore = {
      spend: async () => this.#opened < max && this.#opened++ < max,
      giveBack: async () => void this.#opened--,
      isLimitReached: async () => this.#opened >= max,
    }
    this.#openings = new LimitedOpenings(store, CLOCK)
  }

  /** Whether the list is another one than before. */
  block(hosts: readonly string[]): boolean {
    if (this.#blocked === hosts.join()) return false
    this.#blocked = hosts.join()
    this.#blocks.replace({ ...NOTHING_BLOCKED, hosts })
    this.#links.forgetAll()
    return true
  }

  /** The endpoint knows no cookie: for who knows the password, it is asked about a link without one. */
  explain({ ip, userAgent, language, query, path, ...visit }: RandomVisit): Explanation {
    const input = this.#isEntered({ userAgent, ...visit }) ? { ...this.#input, password: null } : this.#input
    return explain(
      { clock: CLOCK, domains: this.#domains },
      { route: this.#route(input, this.#blocks), opened: this.#opened },
      {
        country: geo.locate(ip).country,
        user_agent: userAgent,
        language,
        query: query.split('#', 1)[0],
        path: this.#pathOf(path),
        traffic: visit.isOwn ? 'own' : 'visitor',
      },
    )
  }

  async open(visit: RandomVisit): Promise<Met> {
    const headers: Record<string, string | undefined> = {
      'user-agent': visit.userAgent,
      'accept-language': visit.language,
      cookie: [this.#isEntered(visit) && this.#cookie(), visit.isOwn && OWN_COOKIE]
        .filter((cookie) => typeof cookie === 'string')
        .join('; '),
    }
    const clicks: Click[] = []
    const { status, location, body } = await openLink(
      {
        domains: this.#domains,
        links: this.#links,
        openings: this.#openings,
        journal: { append: async (click) => void clicks.push(click) },
        visitors: new VisitorHash(),
        geo,
        clock: CLOCK,
        ownTraffic: this.#ownTraffic,
        utmWorkspaces: { ids: new Set() },
        misses: { count: () => NO_WAIT },
        notFound: { note: () => {} },
      },
      {
        method: 'GET',
        host: DOMAIN.host,
        ...KEY,
        ip: visit.ip,
        query: visit.query.split('#', 1)[0]!,
        path: this.#pathOf(visit.path),
        header: (name) => headers[name] ?? null,
      },
    )
    // A visitor who spends an opening leaves the line just after the response.
    await new Promise(setImmediate)
    const [click] = clicks
    const answer = { status, location: location ?? null, body }
    if (click === undefined) return { ...answer, countedAs: 'nothing' }
    const countedAs = readUserAgent(click.userAgent).isBot ? 'bot_click' : 'click'
    return { ...answer, variant: click.extras?.variant ?? '', countedAs }
  }

  /** Others do not open with one. */
  #pathOf(path: string): string | undefined {
    return this.#input.forward_path === true && path !== '' ? path : undefined
  }

  /** What makes a preview gets the card of a link with a password, whatever it knows. */
  #isEntered({ userAgent, knowsPassword }: Pick<RandomVisit, 'userAgent' | 'knowsPassword'>): boolean {
    return knowsPassword && !isPreviewFetcher(userAgent)
  }

  #cookie(): string | undefined {
    const { linkId, options } = this.#links.get(KEY) as LinkRoute
    const passwordKey = options?.passwordKey
    if (passwordKey == null) return undefined
    const place = { code: KEY.code, isSecure: true, nowUs: CLOCK.nowUs() }
    return passwordCookie({ linkId, passwordKey }, place).split(';')[0]
  }

  #route(input: Record<string, unknown>, blocks: Blocks): LinkRoute {
    return routeOfNewLink({ blocks, ownHosts: new Set() }, OWNER, {
      ...readNewLink(input, SCHEMAS),
      domainId: KEY.domainId,
    }).route
  }
}
