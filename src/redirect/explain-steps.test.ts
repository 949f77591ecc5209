import { describe, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../test/rigs/redirect/plain-route.ts'
import { routeFacts } from '../../test/rigs/redirect/route-facts.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { routeOptions, type SomeOptionColumns } from '../links/routes/route-options.ts'
import type { RouteFacts } from './decide-route.ts'
import { explainRoute } from './explain-route.ts'

const NOW_US = 1_000_000
const OPENED = 1_234
const GERMAN = { country: () => 'DE', languages: () => ['de'] }

test('the steps are in the order of the decision, and name the rule and the condition', () => {
  const steps = stepsOf({ rules: RULES, expires_at: 2 * NOW_US }, GERMAN)
  const drawn = /^Variant [AB] was picked \(50% chance\)\.$/
  expect(steps).toEqual([
    {
      check: 'link',
      result: 'passed',
      rule: null,
      condition: null,
      text: 'The link is active.',
      detail: 'It ends 1970-01-01T00:00:02.000000Z.',
    },
    {
      check: 'rule',
      result: 'failed',
      rule: 1,
      condition: 'country',
      text: 'Rule 1 does not match.',
      detail: 'Country is Japan: the visitor is in Germany.',
    },
    {
      check: 'rule',
      result: 'passed',
      rule: 2,
      condition: null,
      text: 'Rule 2 matches.',
      detail: 'Country is Germany; Language is German (de).',
    },
    {
      check: 'split',
      result: 'passed',
      rule: 2,
      condition: null,
      text: expect.stringMatching(drawn) as unknown as string,
      detail: null,
    },
    {
      check: 'rule',
      result: 'not_checked',
      rule: 3,
      condition: null,
      text: 'Rule 3 is not checked.',
      detail: 'An earlier rule matched.',
    },
  ])
})

describe('a link that', () => {
  test('is plain', () => {
    expect(sentences({})).toEqual([
      '+ The link is active.',
      '+ The link has no rules. Every visitor goes to its destination.',
    ])
  })

  test('has no rule for the visitor', () => {
    const rules = JSON.stringify(JSON.parse(RULES).slice(0, 1))
    expect(sentences({ rules }, GERMAN)).toEqual([
      '+ The link is active.',
      '- Rule 1 does not match. Country is Japan: the visitor is in Germany.',
      '+ No rule matches. The visitor goes to the destination.',
    ])
  })

  test('has a rule for everyone', () => {
    const rules = JSON.stringify(JSON.parse(RULES).slice(2))
    expect(sentences({ rules })).toEqual(['+ The link is active.', '+ Rule 1 matches. Applies to everyone.'])
  })

  test('has not started, with a fallback, without, and with one that is blocked', () => {
    const columns = { rules: RULES, starts_at: 2 * NOW_US }
    const start = '- The link has not started. It starts 1970-01-01T00:00:02.000000Z.'
    const rules = '? Redirect rules are not checked. They apply only while the link is available.'
    const fallback_url = 'https://example.com/over'
    expect(sentences({ ...columns, fallback_url })).toEqual([start, '+ A fallback URL is set.', rules])
    expect(sentences(columns)).toEqual([start, '- No fallback URL is set. The visitor sees a notice.', rules])
    const options = { ...routeOptions({ ...columns, fallback_url })!, blocked: new Set([fallback_url]) }
    expect(sentences({}, {}, { options })).toEqual([
      start,
      '- The fallback URL is blocked. The visitor sees a notice.',
      rules,
    ])
  })

  test('has ended', () => {
    expect(sentences({ expires_at: NOW_US })[0]).toBe(
      '- The link has ended. It ended 1970-01-01T00:00:01.000000Z.',
    )
  })

  test('is disabled, or blocked by the operator', () => {
    const rules = '? Redirect rules are not checked. They apply only while the link is available.'
    expect(sentences({ rules: RULES }, {}, { isActive: false })).toEqual(['- The link is disabled.', rules])
    expect(sentences({ rules: RULES }, {}, { blockedBy: 'operator' })).toEqual([
      '- The operator of this server has blocked the link.',
      rules,
    ])
  })

  test('asks for a password', () => {
    const columns = { rules: RULES, password_hash: 'some hash' }
    expect(sentences(columns)).toEqual([
      '+ The link is active.',
      '- The link asks for its password.',
      '? Redirect rules are not checked. They apply after the password.',
    ])
    expect(sentences({ password_hash: 'some hash' }, { knowsPassword: () => true })).toContain(
      '+ The visitor has entered the password.',
    )
  })

  test('leads to itself, or to what the operator has blocked', () => {
    expect(sentences({}, {}, { blockedBy: 'loop' })).toEqual([
      '+ The link is active.',
      '- The destination is a short URL of this server.',
    ])
    const options = { ...routeOptions({ rules: RULES })!, blocked: new Set(['https://example.com/all']) }
    expect(sentences({}, {}, { options }).slice(-2)).toEqual([
      '+ Rule 3 matches. Applies to everyone.',
      '- The operator of this server has blocked where this leads.',
    ])
  })

  test('has a limit, used up or not, and for programs', () => {
    const free = '+ The click limit is not reached. 1,234 of 1,235 clicks are used.'
    expect(sentences({ max_clicks: OPENED + 1, password_hash: 'some hash' })).toEqual([
      '+ The link is active.',
      free,
      '- The link asks for its password.',
    ])
    const fallback_url = 'https://example.com/over'
    expect(sentences({ max_clicks: OPENED, fallback_url, rules: RULES, password_hash: 'some hash' })).toEqual(
      [
        '+ The link is active.',
        '- The click limit is reached. 1,234 of 1,234 clicks are used.',
        '+ A fallback URL is set.',
        '? Redirect rules are not checked. They apply only while the link is available.',
      ],
    )
    const client = () => ({ isBot: true, device: 'other', browser: 'Unknown', os: 'Unknown' }) as const
    expect(sentences({ max_clicks: OPENED + 1 }, { client }).slice(1)).toEqual([
      free,
      '- The visitor is a crawler or makes link previews. They do not learn where a link with a limit leads.',
    ])
    expect(sentences({ max_clicks: OPENED + 1 }, { isPreview: () => true }).slice(1)).toEqual([
      free,
      '- The visitor is a program that makes link previews. It gets the card of the link.',
    ])
  })

  test('has a card, for those who make previews', () => {
    expect(sentences({ social_title: 'Winter' }, { isPreview: () => true })).toEqual([
      '+ The link is active.',
      '- The visitor is a program that makes link previews. It gets the card of the link.',
    ])
  })
})

const RULES = JSON.stringify([
  { when: { country: ['JP'] }, to: 'https://example.com/jp' },
  {
    when: { country: ['DE'], language: ['de'] },
    split: [
      { to: 'https://example.com/a', weight: 1 },
      { to: 'https://example.com/b', weight: 1 },
    ],
  },
  { to: 'https://example.com/all' },
])

const stepsOf = (
  columns: SomeOptionColumns,
  known: Partial<RouteFacts> = {},
  change: Partial<LinkRoute> = {},
) => {
  const options = routeOptions(columns)
  const isExhausted = () => OPENED >= options!.maxClicks!
  const facts = routeFacts({ nowUs: () => NOW_US, isExhausted, ...known })
  return explainRoute({ ...PLAIN_ROUTE, options, ...change }, facts, { opened: OPENED }).steps.slice(0, -2)
}
/** `+` passed, `-` failed, `?` not checked. */
const sentences = (...args: Parameters<typeof stepsOf>) =>
  stepsOf(...args).map(({ result, text, detail }) =>
    [{ passed: '+', failed: '-', not_checked: '?' }[result], text, ...(detail === null ? [] : [detail])].join(
      ' ',
    ),
  )
