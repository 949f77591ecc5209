import { describe, expect, test } from 'bun:test'
import { fieldErrorsOf } from '../../errors/field-errors.ts'
import { z } from 'zod'
import { Blocks } from '../destinations/blocks.ts'
import { conditionChoices, conditions } from './condition-fields.ts'
import { ruleList } from './rule-fields.ts'

const blocks = new Blocks()
blocks.replace({ hosts: ['evil.example'], workspaceIds: [], closedWorkspaceIds: [] })
const schema = ruleList({ ownHosts: new Set(['tern.example']), allowPrivate: false, blocks })

const to = 'https://example.com/'
const part = { to, weight: 1 }
const hours = { days: ['mon'], from: '09:00', to: '18:00', timezone: 'Europe/Berlin' }

test('rules are kept as they were sent, except for the spelling of their URLs', () => {
  const rules = [
    {
      when: {
        country: ['de', 'AT'],
        device: ['mobile'],
        os: ['ios'],
        browser: ['Chrome', 'curl'],
        language: ['pt-BR'],
        query: { a: true, b: 'c' },
        hours,
        between: { from: '2026-01-01T00:00:00+01:00' },
      },
      to: 'HTTPS://Example.com',
    },
    { split: [{ to, weight: 100 }, part] },
  ]
  expect<object[]>(schema.parse(rules)).toEqual([{ ...rules[0]!, to }, rules[1]!])
})

describe('what is refused is named', () => {
  test.each<[unknown, string[]]>([
    [[{ to: 5 }], ['rules.0.to']],
    [when({ country: 'DE' }), ['rules.0.when.country']],
    [
      when({ country: ['DE', 'UK', 'EU', 'ZZ', 'DEU', 5] }),
      [1, 2, 3, 4, 5].map((at) => `rules.0.when.country.${at}`),
    ],
    [when({ query: ['a'] }), ['rules.0.when.query']],
    [when({ query: { a: 1 } }), ['rules.0.when.query.a']],
    [when({ query: JSON.parse('{"a":"b","__proto__":"c"}') }), ['rules.0.when.query']],
    [when({ query: { a: 'b'.repeat(256) } }), ['rules.0.when.query.a']],
    [
      when({ query: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [i, true])) }),
      ['rules.0.when.query'],
    ],
    [when({ hours: { ...hours, timezone: 'a/'.repeat(100_000) } }), ['rules.0.when.hours.timezone']],
    [when({ hours: { ...hours, to: '24:01' } }), ['rules.0.when.hours.to']],
  ])('%#', (rules, fields) => {
    expect(fieldsOf(rules)).toEqual(fields)
  })

  test('and of very many unknown keys, the first', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]))
    expect(fieldsOf([{ to, ...many }])).toHaveLength(10)
  })
})

test('the documented patterns allow what the schema accepts, in any case, and nothing else', () => {
  const schema = z.toJSONSchema(conditions, { io: 'input', unrepresentable: 'any' }) as any
  const { properties } = schema.$defs?.Conditions ?? schema
  const { country, os, browser } = conditionChoices()
  for (const [name, values] of Object.entries({ country, os, browser })) {
    const pattern = new RegExp(properties[name].items.pattern, 'u')
    for (const value of values)
      for (const spelling of [value, value.toLowerCase(), value.toUpperCase()])
        expect([spelling, pattern.test(spelling)]).toEqual([spelling, true])
    expect(['', 'No such name', `${values[0]}x`].filter((text) => pattern.test(text))).toEqual([])
  }
  expect(properties.device.items.enum).toEqual(conditionChoices().device)
  const language = new RegExp(properties.language.items.pattern, 'u')
  expect(['de', 'pt-BR', 'zh-Hant-TW', 'd', 'de_DE'].map((tag) => language.test(tag))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

const fieldsOf = (rules: unknown) =>
  Object.keys(fieldErrorsOf(schema.safeParse(rules).error?.issues ?? [], ['rules']))
const when = (conditions: object) => [{ when: conditions, to }]
