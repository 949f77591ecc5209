import {
  CircleArrowRight,
  CircleCheck,
  CircleDashed,
  CircleMinus,
  Dices,
  type LucideIcon,
} from 'lucide-react'
import { withoutScheme } from '../../../format.ts'
import './link-test.css'
import { testStrings } from './test-strings.ts'
import type { Explanation } from './use-link-test.ts'
import { shortText } from './visitor-choices.ts'
import { TextButton } from '../../../components/button.tsx'

type Step = Explanation['steps'][number]

/** The status of the page that a visitor reads. */
const STATUSES = {
  card: '200',
  scheduled: '404',
  expired: '410',
  limit_reached: '410',
  password: '403',
  disabled: '404',
  blocked: '410',
  loop: '404',
}

type TestAnswerProps = { explanation: Explanation; redirectStatus: string; onDraw: () => void }

export function TestAnswer({ explanation, redirectStatus, onDraw }: TestAnswerProps) {
  const { outcome, url, variant } = explanation
  const isFallback = variant === 'fallback'
  const isGood = outcome === 'redirect' && !isFallback
  return (
    <>
      <p className={`test-answer${isGood ? '' : ' is-warn'}`} role="status">
        {outcome === 'redirect' ? (
          <>
            <span>{(isFallback ? testStrings.goesToFallback : testStrings.goesTo)(redirectStatus)}</span>
            <strong>{withoutScheme(url ?? '')}</strong>
          </>
        ) : (
          <>
            <span>{testStrings.getsNotice(STATUSES[outcome])}</span>
            <strong>{testStrings.outcomes[outcome]}</strong>
          </>
        )}
      </p>
      <ol className="test-steps" aria-label={testStrings.steps}>
        {explanation.steps
          // The answer above says it.
          .filter(({ check }) => check !== 'outcome')
          .map((step) => (
            <TestStep key={`${step.check} ${step.rule}`} step={step} onDraw={onDraw} />
          ))}
      </ol>
    </>
  )
}

function TestStep({ step, onDraw }: { step: Step; onDraw: () => void }) {
  const { check, result, text, detail } = step
  const { icon: Icon, tone } = lookOf(step)
  return (
    <li className={`test-step is-${tone}`}>
      <Icon size={17} aria-hidden />
      <span>{shortText(text)}</span>
      {detail !== null && <span className="hint">{shortText(detail)}</span>}
      {check === 'split' && result === 'passed' && (
        <TextButton onClick={onDraw}>{testStrings.pickAgain}</TextButton>
      )}
    </li>
  )
}

/** `goes`: where the visitor is led from here. */
function lookOf({ check, result }: Step): { icon: LucideIcon; tone: 'good' | 'goes' | 'plain' } {
  if (result === 'not_checked') return { icon: CircleDashed, tone: 'plain' }
  if (result === 'failed') return { icon: CircleMinus, tone: 'plain' }
  if (check === 'split') return { icon: Dices, tone: 'plain' }
  return check === 'rule' || check === 'fallback' || check === 'destination'
    ? { icon: CircleArrowRight, tone: 'goes' }
    : { icon: CircleCheck, tone: 'good' }
}
