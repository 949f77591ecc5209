import { describe, expect, test } from 'bun:test'
import { openCountryLookup } from '../src/clicks/visitor/country.ts'
import { VisitorHash } from '../src/clicks/visitor/visitor-hash.ts'
import type { Click } from '../src/clicks/journal/click.ts'
import { explain } from '../src/http/api/endpoints/explained-visit.ts'
import { Blocks } from '../src/links/destinations/blocks.ts'
import { defaultKey } from '../src/links/link-key.ts'
import { linkSchemas } from '../src/links/link-fields.ts'
import { readNewLink } from '../src/links/read-links.ts'
import type { LinkRoute } from '../src/links/routes/link-route.ts'
import { routeOfNewLink } from '../src/links/routes/own-route.ts'
import { decodeRoute, encodeRoute } from '../src/links/routes/link-route.ts'
import { manualClock } from '../src/runtime/clock.ts'
import { openLink } from '../src/redirect/open-link.ts'
import { callerWithRole } from '../src/access/caller.ts'
import { type RandomVisit, randomLinks } from './rigs/random-links.ts'
import { useCaller, useServiceRig } from './rigs/service-rig.ts'

const SEED = Math.floor(Math.random() * 2 ** 31)
const countries = openCountryLookup()
const CLOCK = manualClock(Date.now() * 1000)

type Explained = { outcome: string; url: string | null; rule: number | null; variant: string | null }
type Met = { status: number; location: string | null; variant?: string | undefined }

/** What explain says, as far as a visit shows it. A split draws for each, so only its rule is the same. */
function expectAgreement(explained: Explained, met: Met, parts: ReadonlyMap<number, string[]>): void {
  const statuses = { ...STATUSES, redirect: REDIRECTS }
  expect(statuses[explained.outcome as keyof typeof statuses]).toContain(met.status)
  const others = parts.get(explained.rule ?? 0) ?? []
  if (others.length <= 1) return expect(met.location).toBe(explained.url)
  for (const url of [explained.url!, met.location!])
    expect(others.some((to) => url.startsWith(to.split(/[?#]/, 1)[0]!))).toBe(true)
}

const REDIRECTS = [301, 302, 307, 308]
const STATUSES = {
  card: [200],
  scheduled: [404],
  disabled: [404],
  loop: [404],
  expired: [410],
  blocked: [410],
}

/** Where each rule may lead. */
const partsOf = (rules: { to?: string; split?: { to: string }[] }[]) =>
  new Map(rules.map(({ to, split }, index) => [index + 1, to ? [to] : split!.map((part) => part.to)]))

describe('explain and a visit agree', () => {
  test(`for thousands of random links and visitors, seed ${SEED}`, async () => {
    const random = randomLinks(SEED)
    const schemas = linkSchemas({ ownHosts: new Set(), allowPrivate: false, blocks: new Blocks() })
    const caller = callerWithRole({ workspaceId: 3, userId: 1, role: 'owner' })
    const seen = new Map<string, number>()
    for (let i = 0; i < 1_500; i++) {
      const input = JSON.parse(JSON.stringify(random.link()))
      const { route: made } = routeOfNewLink(
        { blocks: new Blocks(), ownHosts: new Set() },
        caller,
        readNewLink(input, schemas),
      )
      // As another node, or a start without the database, has it.
      const route = i % 2 === 0 ? made : decodeRoute(encodeRoute(made))!
      for (let j = 0; j < 4; j++) {
        const visit = random.visit()
        const explained = explainedAs(route, visit)
        const met = await metBy(route, visit)
        expectAgreement(explained, met, partsOf(input.rules))
        const [rule] = (met.variant ?? '').split('/')
        if (explained.outcome === 'redirect' && met.variant !== undefined)
          expect(explained.variant!.split('/', 1)[0]).toBe(rule! || 'destination')
        const what = explained.rule === null ? (explained.variant ?? explained.outcome) : 'rule'
        seen.set(what, (seen.get(what) ?? 0) + 1)
      }
    }
    // Otherwise the links are too much alike to say anything.
    for (const what of ['rule', 'destination', 'fallback', 'scheduled', 'expired', 'disabled'])
      expect([what, (seen.get(what) ?? 0) > 10]).toEqual([what, true])
  })
})

const explainedAs = (route: LinkRoute, { ip, userAgent, language, query }: RandomVisit) =>
  explain(
    CLOCK,
    { route, opened: 0 },
    {
      country: countries.countryOf(ip),
      user_agent: userAgent,
      language,
      query: query.split('#', 1)[0],
    },
  )

async function metBy(route: LinkRoute, { ip, userAgent, language, query }: RandomVisit): Promise<Met> {
  const headers: Record<string, string> = { 'user-agent': userAgent, 'accept-language': language }
  const clicks: Click[] = []
  const { status, location = null } = await openLink(
    {
      baseUrl: 'https://s.example.com',
      links: { get: () => route },
      openings: { open: async (_, redirect) => redirect() },
      journal: { append: async (click) => void clicks.push(click) },
      visitors: new VisitorHash(),
      countries,
      clock: CLOCK,
      misses: { count: () => ({ isAllowed: true, retryAfterSeconds: 0 }) },
    },
    {
      ...{ method: 'GET', host: 's.example.com', ...defaultKey('hello'), ip },
      query: query.split('#', 1)[0]!,
      header: (name) => headers[name] ?? null,
    },
  )
  return { status, location, variant: clicks.length === 0 ? undefined : (clicks[0]!.extras?.variant ?? '') }
}

describe('over HTTP', () => {
  const rig = useServiceRig({ TRUSTED_PROXIES: 'loopback' })
  const caller = useCaller(rig)

  test(`the endpoint and a visit agree for hundreds of random links and visitors, seed ${SEED}`, async () => {
    const { key } = caller
    const random = randomLinks(SEED)
    const links = Array.from({ length: 100 }, random.link)
    const made = await rig.call('POST', '/api/bulk-shorten', { key, body: { links } })
    expect(made.status).toBe(201)
    for (const [index, { short_code: code }] of made.body.data.entries()) {
      for (let i = 0; i < 4; i++) {
        const { ip, userAgent, language, query } = random.visit()
        const asked = new URLSearchParams({ user_agent: userAgent, language, query: query.split('#', 1)[0]! })
        if (countries.countryOf(ip) !== '') asked.set('country', countries.countryOf(ip))
        const explained = await rig.call('GET', `/api/links/${code}/resolve?${asked}`, { key })
        expect(explained.status).toBe(200)
        const { status, headers } = await rig.call('GET', `/${code}?${query}`, {
          headers: { 'User-Agent': userAgent, 'Accept-Language': language, 'X-Forwarded-For': ip },
        })
        const met = { status, location: headers.get('location') }
        expectAgreement(explained.body.data, met, partsOf(links[index]!.rules))
      }
    }
  }, 60_000)
})
