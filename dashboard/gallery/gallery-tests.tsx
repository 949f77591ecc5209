import { TestAnswer } from '../links/editor/test/test-answer.tsx'
import type { Explanation } from '../links/editor/test/use-link-test.ts'
import { Group } from './gallery-group.tsx'

type Step = Explanation['steps'][number]

const step = (change: Partial<Step>): Step => ({
  ...{ check: 'rule', result: 'passed', rule: null, condition: null, text: '', detail: null },
  ...change,
})

const NOWHERE = { url: null, rule: null, variant: null, why: '' }

const ANSWERS: Explanation[] = [
  {
    ...{ outcome: 'redirect', rule: 2, variant: 'rule 2/b', why: '' },
    url: `https://www.northlight-supply.com/de/${'jacken-'.repeat(12)}`,
    steps: [
      step({ check: 'link', text: 'The link is active.', detail: 'It started 2026-09-03T07:00:00.000000Z.' }),
      step({
        ...{ result: 'failed', rule: 1, condition: 'country', text: 'Rule 1 does not match.' },
        detail: 'Country is Japan: the visitor is in Germany.',
      }),
      step({
        ...{ rule: 2, text: 'Rule 2 matches.' },
        detail: 'Country is Germany, Austria or Switzerland; Device is Phone.',
      }),
      step({ check: 'split', rule: 2, text: 'Variant B was picked (30% chance).' }),
      step({
        ...{ result: 'not_checked', rule: 3, text: 'Rule 3 is not checked.' },
        detail: 'An earlier rule matched.',
      }),
    ],
  },
  {
    ...{ outcome: 'redirect', rule: null, variant: 'fallback', why: '' },
    url: 'https://www.northlight-supply.com/collections/all',
    steps: [
      step({
        ...{ check: 'link', result: 'failed', text: 'The link has not started.' },
        detail: 'It starts 2026-09-03T07:00:00.000000Z.',
      }),
      step({ check: 'fallback', text: 'A fallback URL is set.' }),
    ],
  },
  {
    ...{ outcome: 'password', ...NOWHERE },
    steps: [step({ check: 'password', result: 'failed', text: 'The link asks for its password.' })],
  },
]

export const LinkTestParts = () => (
  <Group title="Test of a link">
    {ANSWERS.map((explanation) => (
      <div key={explanation.outcome + explanation.variant} className="link-test" style={{ width: 310 }}>
        <TestAnswer explanation={explanation} redirectStatus="302" onDraw={() => {}} />
      </div>
    ))}
  </Group>
)
