import { Notice, sentenceOf } from '../../../components/states.tsx'
import { RequestFailure } from '../../../api/request.ts'
import { testStrings } from '../editor-strings.ts'
import { type Explanation, type LinkTest as Test, shortText, visitorChoices } from './use-link-test.ts'
import { useState } from 'react'
import { SelectField } from '../../../components/fields/field.tsx'
import { TimeField } from '../../../components/fields/time-field.tsx'
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
import { TextButton } from '../../../components/button.tsx'

const NAMES = ['country', 'device', 'os', 'browser', 'language'] as const

const TRAFFIC = [
  { value: '' as const, label: testStrings.anybody },
  { value: 'own' as const, label: testStrings.ownTraffic },
]

type VisitorFieldsProps = Pick<Test, 'visitor' | 'setVisitor' | 'choices'> & { isFirst: boolean }

function VisitorFields({ visitor, setVisitor, choices, isFirst }: VisitorFieldsProps) {
  const [isTimed, setTimed] = useState(visitor.at !== '')
  const offered = visitorChoices(choices)
  return (
    <div className="test-visitor">
      {NAMES.map((name, index) => (
        <SelectField
          key={name}
          label={testStrings[name]}
          choices={offered[name]}
          value={visitor[name]}
          onChoice={(value) => setVisitor({ [name]: value })}
          data-first={(isFirst && index === 0) || undefined}
        />
      ))}
      <SelectField
        label={testStrings.traffic}
        choices={TRAFFIC}
        value={visitor.traffic}
        onChoice={(traffic) => setVisitor({ traffic })}
      />
      <SelectField
        label={testStrings.time}
        value={isTimed ? 'another' : 'now'}
        onChoice={(choice) => {
          setTimed(choice === 'another')
          if (choice === 'now') setVisitor({ at: '' })
        }}
        choices={[
          { value: 'now', label: testStrings.now },
          { value: 'another', label: testStrings.anotherTime },
        ]}
      />
      {isTimed && (
        <TimeField
          label={testStrings.at}
          names={testStrings.atNames}
          none={testStrings.now}
          value={visitor.at}
          onTime={(at) => setVisitor({ at })}
        />
      )}
    </div>
  )
}

/** What a visitor would meet, before anything is saved. `isFirst`: it is what the editor was opened for. */
export const LinkTest = ({ test, isFirst = false }: { test: Test; isFirst?: boolean }) => (
  <section className="link-test">
    <div className="test-head">
      <h3>{testStrings.title}</h3>
      <span className="hint">{testStrings.notCounted}</span>
    </div>
    <VisitorFields {...test} isFirst={isFirst} />
    {test.isEmpty && <Notice>{testStrings.noDestination}</Notice>}
    {!test.isEmpty && test.error !== null && <Notice tone="warn">{reasonOf(test)}</Notice>}
    {test.explanation && (
      <TestAnswer
        explanation={test.explanation}
        redirectStatus={test.redirectStatus}
        onDraw={test.drawAgain}
      />
    )}
  </section>
)

function reasonOf({ error, formErrors }: Test): string {
  if (!(error instanceof RequestFailure) || error.kind !== 'invalid') return sentenceOf(error)
  return [testStrings.invalid, ...formErrors].join(' ')
}

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

function TestAnswer({ explanation, redirectStatus, onDraw }: TestAnswerProps) {
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
