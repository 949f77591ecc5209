import { expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../test/rigs/redirect/plain-route.ts'
import { routeFacts } from '../../test/rigs/redirect/route-facts.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { routeOptions, type SomeOptionColumns } from '../links/routes/route-options.ts'
import type { RouteFacts } from './decide-route.ts'
import { explainRoute } from './explain-route.ts'

const CRAWLER = { isBot: true, device: 'other', browser: 'Unknown', os: 'Unknown' } as const
const NOWHERE = { url: null, rule: null, variant: null, counts_as: 'nothing' as const }
const OPENED = 3

test('a plain link leads everybody to its destination', () => {
  const why = 'The link has no rules, so every visitor is led to its destination.'
  expect(explain({})).toEqual({ ...TO_DESTINATION, why })
  expect(explain({ redirect_status: 301 })).toEqual({ ...TO_DESTINATION, why })
})

test('a rule says its number, and a split what was drawn', () => {
  const rules = JSON.stringify([
    { when: { country: ['DE'] }, to: 'https://example.com/de' },
    {
      split: [
        { to: 'https://example.com/a', weight: 99 },
        { to: 'https://example.com/b', weight: 1 },
      ],
    },
  ])
  const redirect = { outcome: 'redirect', counts_as: 'click' } as const
  expect(explain({ rules }, { country: () => 'DE' })).toEqual({
    ...redirect,
    url: 'https://example.com/de',
    rule: 1,
    variant: 'rule 1',
    why: 'Rule 1 is the first whose conditions all hold.',
  })
  expect(explain({ rules })).toEqual({
    ...redirect,
    url: 'https://example.com/a',
    rule: 2,
    variant: 'rule 2/a',
    why: 'Rule 2 is for every visitor whom no earlier rule leads elsewhere, and its split drew part a with a chance of 99 in 100.',
  })
})

test('a link of which no rule holds leads to its destination', () => {
  const rules = JSON.stringify([{ when: { country: ['DE'] }, to: 'https://example.com/de' }])
  const why = "The conditions of no rule hold, so the visitor is led to the link's destination."
  expect(explain({ rules })).toEqual({ ...TO_DESTINATION, why })
})

test('a fallback says why', () => {
  const to = { ...TO_DESTINATION, url: 'https://example.com/over', variant: 'fallback' }
  expect(explain({ starts_at: 5, fallback_url: to.url })).toEqual({
    ...to,
    why: 'The link starts to redirect at 1970-01-01T00:00:00.000005Z, so the visitor is led to its fallback URL.',
  })
  expect(explain({ expires_at: 0, fallback_url: to.url })).toEqual({
    ...to,
    why: 'The link stopped redirecting at 1970-01-01T00:00:00.000000Z, so the visitor is led to its fallback URL.',
  })
  expect(explain({ max_clicks: OPENED, fallback_url: to.url })).toEqual({
    ...to,
    why: 'The link has led as many visitors to its destination as it may, so the visitor is led to its fallback URL.',
  })
})

test.each([
  ['a click', {}, {}, ['passed', 'It counts as a click.', null]],
  [
    'a bot click',
    {},
    { client: () => CRAWLER },
    [
      'failed',
      'It counts as a bot click.',
      'A crawler or link preview is counted beside the clicks of visitors.',
    ],
  ],
  [
    'nothing',
    { expires_at: 0 },
    {},
    ['failed', 'It is not counted.', 'Only visitors who are redirected are counted.'],
  ],
] as const)('it says why a visit counts as %s', (_, columns, known, expected) => {
  const facts = routeFacts(known)
  const { steps } = explainRoute({ ...PLAIN_ROUTE, options: routeOptions(columns) }, facts, {
    opened: OPENED,
  })
  const { check, rule, condition, result, text, detail } = steps.at(-2)!
  expect([check, rule, condition]).toEqual(['count', null, null])
  expect<unknown>([result, text, detail]).toEqual(expected)
})

test('a crawler that is redirected counts as a bot', () => {
  expect(explain({}, { client: () => CRAWLER })).toMatchObject({ ...TO_DESTINATION, counts_as: 'bot_click' })
  expect(
    explain({ expires_at: 0, fallback_url: 'https://example.com/over' }, { client: () => CRAWLER }),
  ).toMatchObject({
    variant: 'fallback',
    counts_as: 'bot_click',
  })
})

test('a link with a limit redirects until it is used up', () => {
  expect(explain({ max_clicks: OPENED + 1 })).toMatchObject(TO_DESTINATION)
})

test.each([
  ['scheduled', explain({ starts_at: 5 })],
  ['expired', explain({ expires_at: 0 })],
  ['disabled', explain({}, {}, { isActive: false })],
  ['blocked', explain({}, {}, { blockedBy: 'operator' })],
  ['loop', explain({}, {}, { blockedBy: 'loop' })],
  ['password', explain({ password_hash: 'some hash' })],
  ['limit_reached', explain({ max_clicks: OPENED })],
  ['limit_reached', explain({ max_clicks: OPENED, password_hash: 'some hash' })],
  ['limit_reached', explain({ max_clicks: OPENED }, { isPreview: () => true })],
  ['card', explain({ max_clicks: OPENED + 1 }, { isPreview: () => true })],
  ['card', explain({ max_clicks: OPENED + 1 }, { client: () => CRAWLER })],
  ['card', explain({ social_title: 'A card' }, { isPreview: () => true })],
] as const)('%s leads nowhere, and says so in a sentence', (outcome, explanation) => {
  expect<object>(explanation).toEqual({
    outcome,
    ...NOWHERE,
    why: expect.stringMatching(/^[A-Z][^.]+\b.*\.$/),
  })
})

function explain(
  columns: SomeOptionColumns,
  known: Partial<RouteFacts> = {},
  change: Partial<LinkRoute> = {},
) {
  const options = routeOptions(columns)
  const isExhausted = () => OPENED >= options!.maxClicks!
  const facts = routeFacts({ isExhausted, ...known })
  const { steps, ...answer } = explainRoute({ ...PLAIN_ROUTE, options, ...change }, facts, { opened: OPENED })
  expect(steps.at(-1)).toMatchObject({ check: 'outcome', text: answer.why })
  return answer
}

const TO_DESTINATION = {
  outcome: 'redirect' as const,
  url: 'https://example.com/',
  rule: null,
  variant: 'destination',
  counts_as: 'click' as const,
}
