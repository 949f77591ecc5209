import { describe, expect, test } from 'bun:test'
import type { RuleFields } from '../../src/links/rules/rule-fields.ts'
import { withRuleIds } from '../../src/links/rules/rule-ids.ts'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  FIREFOX,
  invalid,
  makeLink,
  open,
  statusAndBody,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const to = (name: string) => `https://example.com/${name}`

describe('rules', () => {
  test('are stored, shown, replaced and removed', async () => {
    const shown = withRuleIds([{ ...RULES[0], to: to('de-mobile') }, ...RULES.slice(1)])
    const { short_code, rules } = await makeLink(rig, caller, { rules: RULES })
    expect(rules).toEqual(shown)
    await put(short_code, { title: 'Kept' })
    expect((await read(short_code)).rules).toEqual(shown)
    await put(short_code, { rules: [{ to: to('all') }] })
    expect(await locationOf(short_code)).toBe(to('all'))
    for (const none of [[], null]) {
      await put(short_code, { rules: none })
      expect((await read(short_code)).rules).toBeNull()
      expect(await locationOf(short_code)).toBe(DESTINATION)
    }
  })

  test('lead each visitor by the first that holds', async () => {
    const { short_code } = await makeLink(rig, caller, { rules: RULES })
    const german = { 'X-Forwarded-For': GERMANY }
    expect(await locationOf(short_code)).toBe(DESTINATION)
    expect(await locationOf(short_code, { ...german, 'User-Agent': IPHONE })).toBe(to('de-mobile'))
    expect(await locationOf(short_code, german)).toBe(DESTINATION)
    expect(await locationOf(short_code, { 'Accept-Language': 'de-AT,de;q=0.9' })).toBe(to('other-language'))
    expect(await locationOf(`${short_code}?partner=7`)).toMatch(/\/[ab]$/)
  })

  test('know systems and browsers that nobody recognizes by the name that the analytics have for them', async () => {
    const rules = [
      { when: { os: ['Unknown'] }, to: to('unknown-system') },
      { when: { browser: ['unknown'] }, to: to('unknown-browser') },
    ]
    const { short_code } = await makeLink(rig, caller, { rules })
    expect(await locationOf(short_code)).toBe(DESTINATION)
    expect(await locationOf(short_code, { 'User-Agent': 'Invented/1.0' })).toBe(to('unknown-system'))
    const onLinux = { 'User-Agent': 'Invented/1.0 (X11; Linux x86_64)' }
    expect(await locationOf(short_code, onLinux)).toBe(to('unknown-browser'))
    expect((await resolve(short_code, { user_agent: 'Invented/1.0' })).body.data).toMatchObject({ rule: 1 })
  })
})

describe('a split', () => {
  const split = [to('a'), to('b')].map((url) => ({ to: url, weight: 50 }))

  test('keeps a visitor on one part, sets no cookie, and draws for those who ask not to be tracked', async () => {
    const { short_code } = await makeLink(rig, caller, { rules: [{ split }] })
    const drawn = async (headers: Record<string, string>, times: number) => {
      const answers = await Promise.all(Array.from({ length: times }, () => open(rig, short_code, headers)))
      for (const { headers } of answers) expect(headers.get('set-cookie')).toBeNull()
      return new Set(answers.map(({ headers }) => headers.get('location'))).size
    }
    expect(await drawn({}, 20)).toBe(1)
    // All the same with a chance of 1 in 2^63.
    expect(await drawn({ 'Sec-GPC': '1' }, 64)).toBe(2)
    expect(await drawn({ DNT: '1' }, 64)).toBe(2)
  })

  test('is counted by part, with the language that a rule asked for', async () => {
    const rules = [{ when: { language: ['fr'] }, to: to('fr') }, { split: [split[0], split[1]] }]
    const made = await makeLink(rig, caller, { rules })
    const { id, short_code } = made
    const [french, others] = made.rules
    const location = await locationOf(short_code, { 'Accept-Language': 'pt-BR' })
    await locationOf(short_code, { 'Accept-Language': 'fr' })
    const clicks = () =>
      rig.store.readDb
        .selectFrom('clicks')
        .select(['language', 'variant'])
        .where('link_id', '=', id)
        .orderBy('id')
        .execute()
    const part = others.split.find(({ to: destination }: { to: string }) => destination === location)
    expect(await eventually(clicks, (rows) => rows.length === 2)).toEqual([
      { language: 'pt', variant: part.id },
      { language: 'fr', variant: french.id },
    ])
  })

  test('keeps its clicks apart when rules are moved and changed', async () => {
    const { id, short_code, rules } = await makeLink(rig, caller, { rules: [{ to: to('all') }, { split }] })
    await locationOf(short_code)
    const [all, parts] = rules
    const changed = [{ when: { country: ['DE'] }, to: to('new') }, parts, { ...all, to: to('rest') }]
    expect((await put(short_code, { rules: changed })).status).toBe(200)
    const [fresh, ...kept] = (await read(short_code)).rules
    expect(kept).toEqual([parts, { ...all, to: to('rest') }])
    expect([all.id, parts.id]).not.toContain(fresh.id)
    await put(short_code, { rules: [{ ...all, to: to('rest') }, fresh] })
    await locationOf(short_code)
    const clicksOf = () =>
      rig.store.readDb.selectFrom('clicks').select('variant').where('link_id', '=', id).execute()
    const counted = await eventually(clicksOf, ({ length }) => length === 2)
    expect(counted).toEqual([{ variant: all.id }, { variant: all.id }])
  })

  test.each([
    [[{ id: 'rule 1', to: to('a') }], 'rules.0.id', 'The id must be one that a response gave.'],
    [[{ id: 7, to: to('a') }], 'rules.0.id', 'The id must be one that a response gave.'],
    [
      [{ id: '0000000a', to: to('a') }, { split: [{ ...split[0], id: '0000000a' }, split[1]] }],
      'rules',
      'The rules may not have an id twice.',
    ],
  ])('refuses ids that are none: %j', async (rules, field, sentence) => {
    const { short_code } = await makeLink(rig, caller)
    expect(statusAndBody(await put(short_code, { rules }))).toEqual({
      status: 422,
      body: invalid({ [field]: [sentence] }),
    })
  })
})

describe('the explanation', () => {
  test('refuses a country from which no visitor comes, as rules do', async () => {
    const { short_code } = await makeLink(rig, caller)
    for (const country of ['ZZ', 'UK', 'D', 'Germany'])
      expect(statusAndBody(await resolve(short_code, { country }))).toEqual({
        status: 422,
        body: invalid({ country: ['The country must be a country in ISO 3166, such as DE.'] }),
      })
    expect((await resolve(short_code, { country: 'de' })).status).toBe(200)
  })

  test('says where a visitor would be led, and why', async () => {
    const { short_code } = await makeLink(rig, caller, { rules: RULES })
    expect((await resolve(short_code, { country: 'DE', user_agent: IPHONE })).body).toEqual({
      success: true,
      message: 'Link explained.',
      data: {
        outcome: 'redirect',
        url: to('de-mobile'),
        rule: 1,
        variant: 'rule 1',
        counts_as: 'click',
        why: 'Rule 1 is the first whose conditions all hold.',
        steps: expect.any(Array),
      },
    })
    const { data } = (await resolve(short_code, { language: 'en', user_agent: FIREFOX })).body
    expect(data).toMatchObject({ url: DESTINATION, rule: null, variant: 'destination' })
    expect((await resolve(short_code, { query: '?partner' })).body.data).toMatchObject({ rule: 3 })
  })

  test('asks about any time, and counts nothing', async () => {
    const { short_code } = await makeLink(rig, caller, { starts_at: '2199-01-01T00:00:00Z' })
    const outcomeAt = async (at: string) => (await resolve(short_code, { at })).body.data.outcome
    expect(await outcomeAt('2198-12-31T23:59:59Z')).toBe('scheduled')
    expect(await outcomeAt('2199-01-01T01:00:00+01:00')).toBe('redirect')
    const other = await makeLink(rig, caller)
    await open(rig, other.short_code)
    await eventually(
      () => read(other.short_code),
      ({ click_count }) => click_count === 1,
    )
    expect((await read(short_code)).click_count).toBe(0)
  })

  test.each([
    ['at', 'tomorrow'],
    ['language', 'd'.repeat(1_001)],
    ['user_agent', 'a'.repeat(1_001)],
    ['query', 'a'.repeat(4_001)],
  ])('refuses an invalid %s', async (name, value) => {
    const { short_code } = await makeLink(rig, caller)
    const { status, body } = await resolve(short_code, { [name]: value })
    expect([status, Object.keys(body.errors)]).toEqual([422, [name]])
  })
})

const RULES: RuleFields[] = [
  { when: { country: ['de'], device: ['mobile'] }, to: 'https://EXAMPLE.com/de-mobile' },
  { when: { language: ['fr', 'de'] }, to: to('other-language') },
  {
    when: { query: { partner: true } },
    split: [
      { to: to('a'), weight: 70 },
      { to: to('b'), weight: 30 },
    ],
  },
]

const GERMANY = '193.99.144.80'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const locationOf = async (code: string, headers: Record<string, string> = {}) =>
  (await open(rig, code, headers)).headers.get('location')
const resolve = (code: string, asked: Record<string, string> = {}) =>
  rig.call('GET', `/api/links/${code}/resolve?${new URLSearchParams(asked)}`, { key: caller.key })
const put = (code: string, body: unknown) => rig.call('PUT', `/api/links/${code}`, { key: caller.key, body })
const read = async (code: string) =>
  (await rig.call('GET', `/api/links/${code}`, { key: caller.key })).body.data
