import { describe, expect, test } from 'bun:test'
import { routeFacts } from '../../test/rigs/redirect/route-facts.ts'
import { compileRules } from '../links/rules/compile-rules.ts'
import type { RuleFields } from '../links/rules/rule-fields.ts'
import { withRuleIds } from '../links/rules/rule-ids.ts'
import type { RouteFacts } from './decide-route.ts'
import { matchRules } from './match-rules.ts'

const LINK = 7

const IPHONE = { isBot: false, device: 'mobile', browser: 'Safari', os: 'iOS' } as const

describe('a condition', () => {
  test.each<[object, Partial<RouteFacts>, boolean]>([
    [{}, {}, true],
    [{ country: ['fr', 'de'] }, { country: () => 'DE' }, true],
    [{ country: ['FR'] }, { country: () => 'DE' }, false],
    [{ country: ['FR'] }, {}, false],
    [{ device: ['tablet', 'mobile'] }, { client: () => IPHONE }, true],
    [{ device: ['desktop'] }, { client: () => IPHONE }, false],
    [{ os: ['ios'], browser: ['SAFARI'] }, { client: () => IPHONE }, true],
    [{ os: ['ios'], browser: ['Chrome'] }, { client: () => IPHONE }, false],
    [{ language: ['de'] }, { languages: () => ['nl', 'de-ch'] }, true],
    [{ language: ['de-CH'] }, { languages: () => ['de-at', 'de'] }, false],
    [{ query: { a: '1' } }, { query: 'a=0&a=1' }, true],
    [{ query: { a: '1' } }, { query: 'a=11' }, false],
    [{ query: { 'ä b': 'ü' } }, { query: '%C3%A4+b=%C3%BC' }, true],
    [{ query: { a: true, b: '' } }, { query: 'b=&a' }, true],
    [{ query: { a: true, b: '2' } }, { query: 'a=1' }, false],
  ])('%j about %p is %p', (when, known, expected) => {
    expect(holds(when, known)).toBe(expected)
  })

  test.each([
    [{ from: '2026-05-01T00:00:00Z' }, '2026-05-01T00:00:00Z', true],
    [{ from: '2026-05-01T00:00:00+02:00' }, '2026-04-30T21:59:59Z', false],
    [{ to: '2026-05-01T00:00:00Z' }, '2026-05-01T00:00:00Z', false],
    [{ from: '2026-04-01T00:00:00Z', to: '2026-05-01T00:00:00Z' }, '2026-04-30T23:59:59Z', true],
  ])('between %j at %s is %p', (between, at, expected) => {
    expect(holds({ between }, { nowUs: () => us(at) })).toBe(expected)
  })

  const OFFICE = { days: ['mon', 'fri'], from: '09:00', to: '18:00', timezone: 'Europe/Berlin' }
  const NIGHT = { days: ['fri'], from: '22:00', to: '02:00', timezone: 'Europe/Berlin' }
  test.each([
    // 2026-03-27 is a Friday; Berlin has +01:00 until 2026-03-29.
    [OFFICE, '2026-03-27T07:59:59Z', false],
    [OFFICE, '2026-03-27T08:00:00Z', true],
    [OFFICE, '2026-03-27T17:00:00Z', false],
    [OFFICE, '2026-03-26T12:00:00Z', false],
    [OFFICE, '2026-03-30T07:00:00Z', true],
    [NIGHT, '2026-03-27T21:30:00Z', true],
    [NIGHT, '2026-03-28T00:59:59Z', true],
    [NIGHT, '2026-03-28T01:00:00Z', false],
    [NIGHT, '2026-03-27T00:30:00Z', false],
    [{ from: '00:00', to: '24:00', timezone: 'Asia/Kolkata' }, '2026-03-27T18:29:59Z', true],
    [{ days: ['sat'], from: '00:00', to: '24:00', timezone: 'Asia/Kolkata' }, '2026-03-27T18:29:59Z', false],
    [{ days: ['sat'], from: '00:00', to: '24:00', timezone: 'Asia/Kolkata' }, '2026-03-27T18:30:00Z', true],
    [{ days: ['sun'], from: '24:00', to: '01:00', timezone: 'UTC' }, '2026-03-30T00:30:00Z', true],
  ])('hours %j at %s is %p', (hours, at, expected) => {
    expect(holds({ hours }, { nowUs: () => us(at) })).toBe(expected)
  })

  test('asks only for what it needs, and each once', () => {
    const asked: string[] = []
    const known = { country: () => (asked.push('country'), 'DE'), nowUs: () => (asked.push('now'), 0) }
    const languages = () => (asked.push('languages'), ['de'])
    const rules = [
      { when: { country: ['FR'], language: ['en'] }, to: 'https://example.com/' },
      { when: { language: ['fr'] }, to: 'https://example.com/' },
      { when: { language: ['it'] }, to: 'https://example.com/' },
      { when: { country: ['DE'] }, to: 'https://example.com/' },
      { when: { hours: OFFICE }, to: 'https://example.com/' },
    ]
    expect(nameOf(rules, { ...known, languages })).toBe('rule 4')
    expect(asked).toEqual(['country', 'languages', 'country'])
  })
})

test('the first rule that holds wins, and none leads nowhere', () => {
  const to = 'https://example.com/'
  expect(nameOf([{ when: { country: ['FR'] }, to }, { to }, { to }])).toBe('rule 2')
  expect(nameOf([{ when: { country: ['FR'] }, to }])).toBeUndefined()
})

test('among the languages of all rules, the best match counts', () => {
  const rules = ['en', 'de'].map((language) => ({
    when: { language: [language] },
    to: 'https://example.com/',
  }))
  expect(nameOf(rules, { languages: () => ['nl', 'de', 'en'] })).toBe('rule 2')
})

describe('a split', () => {
  const VISITORS = 50_000
  const seed = Math.floor(Math.random() * 2 ** 31)
  const split = (weights: readonly number[]) => ({
    split: weights.map((weight, at) => ({ to: `https://example.com/${at}`, weight })),
  })
  /** How far from its weight each part is, in standard deviations. */
  function deviations(weights: readonly number[], visitorOf: (i: number) => number, linkId = LINK) {
    const rules = compiled([split(weights)])
    const counts = new Map<string, number>()
    for (let i = 0; i < VISITORS; i++) {
      const { name } = matchRules(rules, linkId, routeFacts({ visitor: () => visitorOf(i) }))!
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const sum = weights.reduce((a, b) => a + b)
    return weights.map((weight, at) => {
      const share = weight / sum
      const count = counts.get(`rule 1/${'abcdefghij'[at]}`) ?? 0
      return Math.abs(count - VISITORS * share) / Math.sqrt(VISITORS * share * (1 - share))
    })
  }

  test.each([[[1, 1]], [[50, 30, 20]], [[100, 1]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]], [[33, 33, 33]]])(
    `%j meets its weights within what chance allows, seed ${seed}`,
    (weights) => {
      const random = (i: number) => Number(Bun.hash(String(i), BigInt(seed)) & 0x1f_ffff_ffff_ffffn)
      // Numbers in a row are no worse than random ones, and neither are those that differ in high bits only.
      for (const visitorOf of [random, (i: number) => i + 1, (i: number) => (i + 1) * 2 ** 32])
        expect(Math.max(...deviations(weights, visitorOf, seed))).toBeLessThan(5)
    },
  )

  test('keeps a visitor on one part, and draws again for another link or rule', () => {
    const rules = [{ when: { country: ['DE'] }, ...split([1, 1]) }, split([1, 1])]
    const same = { first: 0, link: 0, rule: 0 }
    for (let visitor = 1; visitor <= 10_000; visitor++) {
      const known = { visitor: () => visitor, country: () => 'DE' }
      const [drawn, again] = [nameOf(rules, known), nameOf(rules, known)]
      const letter = drawn!.at(-1)
      same.first += Number(drawn === again)
      same.link += Number(nameOf(rules, known, LINK + 1)!.endsWith(letter!))
      same.rule += Number(nameOf(rules, { visitor: () => visitor })!.endsWith(letter!))
    }
    expect(same.first).toBe(10_000)
    for (const count of [same.link, same.rule]) expect(Math.abs(count - 5_000)).toBeLessThan(5 * 50)
  })

  test('keeps each visitor on one part when its rule is moved', () => {
    const moved = { id: '0a1b2c3d', ...split([1, 1]) }
    const others = [{ when: { country: ['FR'] }, to: 'https://example.com/' }]
    for (let visitor = 1; visitor <= 100; visitor++) {
      const known = { visitor: () => visitor, country: () => 'DE' }
      expect(partOf([...others, moved], known)!.to).toBe(partOf([moved, ...others], known)!.to)
    }
  })
})

const us = (iso: string) => Date.parse(iso) * 1000
const partOf = (rules: object[], known: Partial<RouteFacts> = {}, linkId = LINK) =>
  matchRules(compiled(rules), linkId, routeFacts(known))
const nameOf = (...args: Parameters<typeof partOf>) => partOf(...args)?.name
const compiled = (rules: object[]) => compileRules(JSON.stringify(withRuleIds(rules as RuleFields[])))!
const holds = (when: object, known: Partial<RouteFacts> = {}) =>
  nameOf([{ when, to: 'https://example.com/' }], known) === 'rule 1'
