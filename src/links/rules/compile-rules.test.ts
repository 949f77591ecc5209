import { expect, test } from 'bun:test'
import { compileRules } from './compile-rules.ts'

test('rules name their parts, sum up their weights and know where they lead', () => {
  const rules = compileRules(
    JSON.stringify([
      { when: { language: ['DE', 'pt-BR', 'iw'] }, to: 'https://a.example/' },
      {
        id: '0000002a',
        split: [
          { id: '11111111', to: 'https://b.example/', weight: 3 },
          { id: '22222222', to: 'https://c.example/', weight: 1 },
        ],
      },
    ]),
  )!
  expect(rules.destinations).toEqual(['https://a.example/', 'https://b.example/', 'https://c.example/'])
  expect([...rules.languages]).toEqual(['de', 'pt-br', 'he'])
  expect(rules.list[1]).toEqual({
    number: 42,
    conditions: [],
    parts: [
      { to: 'https://b.example/', variant: '11111111', name: 'rule 2/a', weight: 3, below: 3 },
      { to: 'https://c.example/', variant: '22222222', name: 'rule 2/b', weight: 1, below: 4 },
    ],
    weights: 4,
  })
})

test.each([
  null,
  '',
  '{}',
  '[]',
  'https://example.com/',
  '[{"to":"nowhere"}]',
  '[null]',
  '[{"when":{"hours":{"from":"09:00","to":"18:00","timezone":"Mars/Olympus"}},"to":"https://a.example/"}]',
])('%j has no rules that can be read', (text) => {
  expect(compileRules(text)).toBeNull()
})
