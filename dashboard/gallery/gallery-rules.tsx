import { useState } from 'react'
import { type ApiRule, formOfRules, type RuleForm } from '../links/editor/rules/rule-form.ts'
import { RuleList } from '../links/editor/rules/rule-list.tsx'
import { TestedRule } from '../links/editor/tested-rule.ts'

const SHOP = 'https://www.northlight-supply.com'

const RULES: ApiRule[] = [
  { when: { country: ['JP'] }, to: 'https://www.northlight-supply.jp/collections/winter' },
  {
    when: { country: ['DE', 'AT', 'CH'], device: ['mobile'] },
    split: [
      { to: `${SHOP}/de/winter`, weight: 50 },
      { to: `${SHOP}/de/jacken`, weight: 30 },
      { to: `${SHOP}/de/schnee`, weight: 20 },
    ],
  },
  {
    when: {
      hours: {
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
        from: '10:00',
        to: '19:00',
        timezone: 'Europe/Berlin',
      },
      language: ['en'],
    },
    to: `${SHOP}/stores/hamburg`,
  },
  {
    when: {
      country: ['DE', 'FR', 'IT', 'ES', 'PT'],
      query: { utm_source: 'a-partner-with-a-name-that-is-far-too-long-for-its-chip', partner: true },
      between: { from: '2026-12-01T08:00:00Z', to: '2026-12-24T23:00:00Z' },
      os: ['iOS'],
      browser: [],
    },
    to: '',
  },
  { to: `${SHOP}/collections/winter` },
  {
    when: { device: ['tablet'] },
    split: 'abcdefghij'.split('').map((letter) => ({ to: `${SHOP}/${letter}`, weight: 1 })),
  },
]

const ERRORS = {
  to: ['The destination field is required.'],
  'when.browser': ['The browser must have between 1 and 50 items.'],
}

export function RuleParts() {
  const [rules, setRules] = useState<RuleForm[]>(() => formOfRules(RULES))
  return (
    <section className="stack" aria-label="Redirect rules">
      <h2>Redirect rules</h2>
      <TestedRule value={2}>
        <RuleList
          rules={rules}
          onRules={setRules}
          errorsOf={(rule) => (rule.when.browser?.length === 0 ? ERRORS : {})}
        />
      </TestedRule>
    </section>
  )
}
