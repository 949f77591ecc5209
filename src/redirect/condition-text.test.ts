import { expect, test } from 'bun:test'
import { routeFacts } from '../../test/rigs/redirect/route-facts.ts'
import { compileRules } from '../links/rules/compile-rules.ts'
import { conditionText, visitorText } from './condition-text.ts'
import type { RouteFacts } from './decide-route.ts'

const SUNDAY_NOON_US = Date.parse('2026-04-19T12:05:00Z') * 1000
const IPHONE = { isBot: false, device: 'mobile', browser: 'Safari', os: 'iOS' } as const
const HOURS = { days: ['mon', 'sat'], from: '10:00', to: '19:00', timezone: 'UTC' }

test.each<[object, Partial<RouteFacts>, string]>([
  [{ country: ['jp'] }, { country: () => 'DE' }, 'Country is Japan: the visitor is in Germany'],
  [
    { country: ['DE', 'AT', 'CH'] },
    {},
    "Country is Germany, Austria or Switzerland: the visitor's country is not known",
  ],
  [
    { country: ['DE', 'AT', 'CH', 'FR', 'IT', 'ES', 'PT'] },
    { country: () => 'US' },
    'Country is Germany, Austria, Switzerland, France, Italy or 2 more: the visitor is in United States',
  ],
  [{ device: ['desktop'] }, { client: () => IPHONE }, "Device is Desktop: the visitor's is Phone"],
  [{ os: ['macos'] }, { client: () => IPHONE }, "System is macOS: the visitor's is iOS"],
  [{ browser: ['CHROME'] }, { client: () => IPHONE }, "Browser is Chrome: the visitor's is Safari"],
  [
    { language: ['pt-BR'] },
    {},
    "Language is Brazilian Portuguese (pt-br): the visitor's language is not known",
  ],
  [{ browser: ['Chrome'] }, {}, "Browser is Chrome: the visitor's is not known"],
  [
    { language: ['en'] },
    { languages: () => ['nl'] },
    'Language is English (en): the visitor asks for none that the rules name',
  ],
  [{ query: { a: '1', b: true } }, {}, 'Query has a=1 and b: there is no query'],
  [{ query: { a: '1' } }, { query: 'a=2' }, 'Query has a=1: the query is a=2'],
  [
    { between: { from: '2027-01-01T00:00:00Z' } },
    { nowUs: () => SUNDAY_NOON_US },
    'Dates are from 2027-01-01T00:00:00.000000Z: it is 2026-04-19T12:05:00.000000Z',
  ],
  [
    { between: { from: '2025-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
    { nowUs: () => SUNDAY_NOON_US },
    'Dates are from 2025-01-01T00:00:00.000000Z until 2026-01-01T00:00:00.000000Z: it is 2026-04-19T12:05:00.000000Z',
  ],
  [
    { between: { to: '2026-01-01T00:00:00Z' } },
    { nowUs: () => SUNDAY_NOON_US },
    'Dates are until 2026-01-01T00:00:00.000000Z: it is 2026-04-19T12:05:00.000000Z',
  ],
  [
    { hours: HOURS },
    { nowUs: () => SUNDAY_NOON_US },
    'Hours are Mon, Sat 10:00–19:00: it is Sun 12:05 there',
  ],
  [
    { hours: { from: '13:00', to: '24:00', timezone: 'UTC' } },
    { nowUs: () => SUNDAY_NOON_US },
    'Hours are daily 13:00–24:00: it is Sun 12:05 there',
  ],
])('%j of %p', (when, known, expected) => {
  const rules = compileRules(JSON.stringify([{ when, to: 'https://example.com/' }]))!
  const [condition] = rules.list[0]!.conditions
  expect(`${conditionText(condition!)}: ${visitorText(condition!, routeFacts(known), rules.languages)}`).toBe(
    expected,
  )
})

test('the language that suits best is the one that the rules name', () => {
  const rules = compileRules(
    JSON.stringify(['en', 'de'].map((tag) => ({ when: { language: [tag] }, to: 'https://example.com/' }))),
  )!
  const facts = routeFacts({ languages: () => ['de-at', 'en'] })
  expect(visitorText(rules.list[0]!.conditions[0]!, facts, rules.languages)).toBe(
    'the best match for the visitor is German (de)',
  )
})
