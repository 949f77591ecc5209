import { noOtherDomains } from './rigs/no-other-domains.ts'
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
import type { Step } from '../src/redirect/explain-steps.ts'
import { manualClock } from '../src/runtime/clock.ts'
import { openLink } from '../src/redirect/open-link.ts'
import { ownerOf } from './rigs/owner-of.ts'
import { type RandomVisit, randomLinks } from './rigs/random-links.ts'
import { useCaller, useServiceRig } from './rigs/service-rig.ts'

const SEED = Math.floor(Math.random() * 2 ** 31)
const countries = openCountryLookup()
const CLOCK = manualClock(Date.now() * 1000)

type Explained = {
  outcome: string
  url: string | null
  rule: number | null
  variant: string | null
  why: string
  steps: Step[]
}
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

/** The steps tell the same decision: each rule up to the one that matched, and none behind it. */
function expectSteps({ outcome, rule, variant, why, steps }: Explained, rules: number): void {
  const ofRules = steps.filter(({ check, rule }) => check === 'rule' && rule !== null)
  const matched = ofRules.find(({ result }) => result === 'passed')?.rule ?? null
  expect(steps.at(-1)).toMatchObject({ check: 'outcome', text: why, rule })
  const isRedirected = outcome === 'redirect'
  expect(steps.at(-1)!.result).toBe(isRedirected ? 'passed' : 'failed')
  if (isRedirected && variant !== 'fallback') expect(matched).toBe(rule)
  const states = ['active', ...['disabled', 'scheduled', 'expired'].filter((state) => state === outcome)]
  const isClosed = states.length > 1 || (variant === 'fallback' && ofRules.length === 0 && rules > 0)
  if (isClosed) expect(steps[0]).toMatchObject({ check: 'link', result: 'failed' })
  if (ofRules.length === 0) return
  expect(ofRules.map((step) => step.rule)).toEqual(Array.from({ length: rules }, (_, index) => index + 1))
  for (const step of ofRules) {
    const behind = matched !== null && step.rule! > matched
    const expected = step.rule === matched ? 'passed' : behind ? 'not_checked' : 'failed'
    expect(step.result).toBe(expected)
    expect(step.condition === null).toBe(expected !== 'failed')
  }
  const drawn = steps.find(({ check }) => check === 'split')
  if (drawn === undefined) return
  expect(drawn.rule).toBe(matched)
  if (rule !== null) expect(drawn.text).toStartWith(`Variant ${variant!.at(-1)!.toUpperCase()} is drawn (`)
}

type SomeRule = { when?: Record<string, unknown>; to?: string; split?: { to: string }[] }

/** A rule with nothing but the named condition, before all others, so that the languages are the same. */
function withOnly(rules: readonly SomeRule[], { rule, condition }: Step): SomeRule[] {
  return [{ when: { [condition!]: rules[rule! - 1]!.when![condition!] }, to: ONLY }, ...rules.slice(0, 19)]
}

const ONLY = 'https://only.example/'

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
    const conditions = new Set<string>()
    const seen = new Map<string, number>()
    for (let i = 0; i < 1_500; i++) {
      const input = JSON.parse(JSON.stringify(random.link()))
      const made = routeOf(input)
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
        expectSteps(explained, input.rules.length)
        for (const step of explained.steps.filter(({ condition }) => condition !== null)) {
          const only = routeOf({ ...input, rules: withOnly(input.rules, step) })
          const { location } = await metBy(only, visit)
          expect([step, location?.startsWith(ONLY) ?? false]).toEqual([step, false])
          conditions.add(step.condition!)
        }
        const what = explained.rule === null ? (explained.variant ?? explained.outcome) : 'rule'
        seen.set(what, (seen.get(what) ?? 0) + 1)
      }
    }
    // Otherwise the links are too much alike to say anything.
    for (const what of ['rule', 'destination', 'fallback', 'scheduled', 'expired', 'disabled'])
      expect([what, (seen.get(what) ?? 0) > 10]).toEqual([what, true])
    expect([...conditions].sort()).toEqual(KINDS)
  }, 60_000)
})

const KINDS = ['between', 'browser', 'country', 'device', 'hours', 'language', 'os', 'query']
const SCHEMAS = linkSchemas({ ownHosts: new Set(), allowPrivate: false, blocks: new Blocks() })
const OWNER = { ...ownerOf(3), userId: 1 }
const routeOf = (input: Record<string, unknown>) =>
  routeOfNewLink({ blocks: new Blocks(), ownHosts: new Set() }, OWNER, readNewLink(input, SCHEMAS)).route

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
      domains: noOtherDomains('https://s.example.com'),
      links: { get: () => route },
      openings: {
        open: async (_, redirect) => redirect(),
        isExhausted: () => false,
        checkExhausted: async () => false,
      },
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
        expectSteps(explained.body.data, links[index]!.rules.length)
      }
    }
  }, 60_000)
})
