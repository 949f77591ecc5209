import { describe, expect, test } from 'bun:test'
import type { RuleFields } from '../src/links/rules/rule-fields.ts'
import { ruleIdsIn, withRuleIds } from '../src/links/rules/rule-ids.ts'
import { openGeoLookup } from '../src/clicks/visitor/geo-location.ts'
import type { Explanation } from '../src/redirect/explain-route.ts'
import type { Step } from '../src/redirect/explain-steps.ts'
import { useOwnDashboardRig, useUser } from './rigs/service/dashboard-rig.ts'
import { type Met, OneLink } from './rigs/service/one-link.ts'
import { randomLinks } from './rigs/store/random-links.ts'
import { useCaller } from './rigs/service/service-rig.ts'

const SEED = Math.floor(Math.random() * 2 ** 31)
const geo = openGeoLookup()

const ENDED = 'https://ended.example/'
const ONLY = 'https://only.example/'

const CLOSED = ['disabled', 'scheduled', 'expired', 'limit_reached']
const CLOSING = ['link', 'limit']
const REDIRECTS = [301, 302, 307, 308]

describe('explain and a visit agree, and nobody is led to a blocked host', () => {
  test(`for thousands of random links and visitors, seed ${SEED}`, async () => {
    const random = randomLinks(SEED)
    const conditions = new Set<string>()
    const seen = new Map<string, number>()
    const saw = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
    for (let i = 0; i < 1_500; i++) {
      const input = JSON.parse(JSON.stringify(random.link()))
      const endedUrl = i % 3 === 0 ? ENDED : null
      const server = new OneLink(input, { isRestored: i % 2 === 1, endedUrl })
      for (let j = 0; j < 4; j++) {
        const visit = random.visit()
        const hosts = random.blockedHosts()
        if (server.block(hosts)) saw('blocked later')
        const explained = server.explain(visit)
        const met = await server.open(visit)
        expectAgreement(explained, met, { rules: input.rules, hosts })
        expectNothingBlocked(met, hosts)
        if ((explained.outcome === 'redirect') === (met.location !== null))
          expect(explained.counts_as).toBe(met.countedAs!)
        saw(explained.counts_as)
        if (visit.isOwn && explained.outcome === 'redirect') saw('own traffic')
        if (explained.outcome === 'redirect' && met.variant !== undefined)
          expect(variantsOf(explained, input.rules)).toContain(met.variant)
        expectSteps(explained, input.rules.length)
        for (const step of explained.steps.filter(({ condition }) => condition !== null)) {
          const only = new OneLink({ ...input, rules: withOnly(input.rules, step) })
          const { location } = await only.open(visit)
          expect([step, location?.startsWith(ONLY) ?? false]).toEqual([step, false])
          conditions.add(step.condition!)
        }
        if (explained.url === ENDED) saw('page of the domain')
        saw(explained.rule === null ? (explained.variant ?? explained.outcome) : 'rule')
        if (visit.knowsPassword && explained.outcome === 'redirect' && input.password) saw('entered')
      }
    }
    // Otherwise the links are too much alike to say anything.
    for (const what of SEEN) expect([what, (seen.get(what) ?? 0) > 10]).toEqual([what, true])
    expect([...conditions].sort()).toEqual(KINDS)
  })
})

const SEEN = [
  'rule',
  'destination',
  'fallback',
  'page of the domain',
  'scheduled',
  'expired',
  'disabled',
  'limit_reached',
  'password',
  'entered',
  'card',
  'blocked',
  'blocked later',
  'click',
  'bot_click',
  'own traffic',
]
const KINDS = ['between', 'browser', 'country', 'device', 'hours', 'language', 'os', 'query']
const isBlocked = (host: string, hosts: readonly string[]) =>
  hosts.some((each) => host === each || host.endsWith(`.${each}`))

/** Neither the destination, nor a picture that a preview would load. */
function expectNothingBlocked({ location, body = '' }: Met, hosts: readonly string[]): void {
  const picture = /property="og:image" content="([^"]+)"/.exec(body)?.[1]
  for (const url of [location, picture])
    if (url != null) expect([url, isBlocked(new URL(url).hostname, hosts)]).toEqual([url, false])
}

describe('over HTTP', () => {
  const rig = useOwnDashboardRig()
  const operator = useUser(rig)
  const caller = useCaller(rig)

  const make = async (links: object[]) => {
    const made = await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: { links } })
    expect(made.status).toBe(201)
    return made.body.data as { short_code: string }[]
  }

  const changeBlocks = async (before: readonly string[], after: readonly string[]) => {
    for (const host of new Set(before))
      await operator.browser.succeed('DELETE', `/admin/blocked-hosts/${host}`)
    for (const host of new Set(after))
      await operator.browser.succeed('POST', '/admin/blocked-hosts', { host })
  }

  test(`the endpoint and a visit agree for hundreds of random links and visitors, seed ${SEED}`, async () => {
    const { key } = caller
    const random = randomLinks(SEED)
    const links = Array.from({ length: 100 }, random.link)
    const made = []
    // At most twenty links with a password at once.
    for (let i = 0; i < links.length; i += 20) made.push(...(await make(links.slice(i, i + 20))))
    let blocked: string[] = []
    for (let round = 0; round < 4; round++) {
      const hosts = round === 0 ? [] : someHosts(random)
      await changeBlocks(blocked, hosts)
      blocked = hosts
      for (const [index, { short_code: code }] of made.entries()) {
        const { ip, userAgent, language, query } = random.visit()
        const asked = new URLSearchParams({ user_agent: userAgent, language, query: query.split('#', 1)[0]! })
        const { country } = geo.locate(ip)
        if (country !== '') asked.set('country', country)
        const explained = await rig.call('GET', `/api/links/${code}/resolve?${asked}`, { key })
        expect(explained.status).toBe(200)
        const { status, headers, text } = await rig.call('GET', `/${code}?${query}`, {
          headers: { 'User-Agent': userAgent, 'Accept-Language': language, 'X-Forwarded-For': ip },
        })
        const met = { status, location: headers.get('location'), body: text }
        expectAgreement(explained.body.data, met, { rules: links[index]!.rules, hosts })
        expectNothingBlocked(met, hosts)
        expectSteps(explained.body.data, links[index]!.rules.length)
      }
    }
  })
})

function someHosts(random: ReturnType<typeof randomLinks>): string[] {
  for (let draw = 0; draw < 100; draw++) {
    const hosts = random.blockedHosts()
    if (hosts.length > 0) return hosts
  }
  throw new Error('The generator blocks nothing.')
}

type Said = { rules: readonly SomeRule[]; hosts: readonly string[] }

/** What explain says, as far as a visit shows it. A split draws for each, so only its rule is the same. */
function expectAgreement(explained: Explanation, met: Met, { rules, hosts }: Said): void {
  const { outcome, url, steps } = explained
  const drawn = steps.find(({ check }) => check === 'split')?.rule ?? 0
  const parts = rules[drawn - 1]?.split?.map(({ to }) => to) ?? []
  // One of the two drew a part that is blocked, and the other did not.
  const blocked = parts.filter((to) => isBlocked(new URL(to).hostname, hosts)).length
  if (blocked > 0 && blocked < parts.length && (outcome === 'blocked') !== (met.status === 410)) return
  expect({ ...STATUSES, redirect: REDIRECTS }[outcome]).toContain(met.status)
  if (parts.length === 0 || url === null || met.location === null) return expect(met.location).toBe(url)
  for (const to of [url, met.location])
    expect(parts.some((part) => to.startsWith(part.split(/[?#]/, 1)[0]!))).toBe(true)
}

/** The steps tell the same decision: each rule up to the one that matched, and none behind it. */
function expectSteps({ outcome, rule, variant, why, steps }: Explanation, rules: number): void {
  const ofRules = steps.filter(({ check, rule }) => check === 'rule' && rule !== null)
  const matched = ofRules.find(({ result }) => result === 'passed')?.rule ?? null
  expect(steps.at(-1)).toMatchObject({ check: 'outcome', text: why, rule })
  const isRedirected = outcome === 'redirect'
  expect(steps.at(-1)!.result).toBe(isRedirected ? 'passed' : 'failed')
  if (isRedirected && variant !== 'fallback') expect(matched).toBe(rule)
  const isClosed = CLOSED.includes(outcome) || variant === 'fallback'
  if (isClosed) {
    const failed = steps.find(({ check, result }) => CLOSING.includes(check) && result === 'failed')
    expect([failed?.check === 'limit', ofRules]).toEqual([why.includes('as many visitors'), []])
    expect(steps.some(({ check }) => check === 'password')).toBe(false)
  }
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
  if (rule !== null) expect(drawn.text).toStartWith(`Variant ${variant!.at(-1)!.toUpperCase()} was picked (`)
}

type SomeRule = { when?: Record<string, unknown> | undefined; to?: string; split?: { to: string }[] }

/** A rule with nothing but the named condition, before all others, so that the languages are the same. */
function withOnly(rules: readonly SomeRule[], { rule, condition }: Step): SomeRule[] {
  return [{ when: { [condition!]: rules[rule! - 1]!.when![condition!] }, to: ONLY }, ...rules.slice(0, 19)]
}

/** Under which of them the click may be counted. A split draws again for who is not tracked. */
function variantsOf({ rule, variant }: Explanation, rules: readonly SomeRule[]): string[] {
  if (rule === null) return [variant === 'fallback' ? 'fallback' : '']
  return ruleIdsIn([withRuleIds(rules as RuleFields[])[rule - 1]!])
}
const STATUSES = {
  card: [200],
  scheduled: [404],
  disabled: [404],
  loop: [404],
  expired: [410],
  limit_reached: [410],
  password: [403],
  blocked: [410],
}
