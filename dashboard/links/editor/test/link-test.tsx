import { Notice, sentenceOf } from '../../../components/states.tsx'
import { RequestFailure } from '../../../request.ts'
import { testStrings } from './test-strings.ts'
import { TestAnswer } from './test-answer.tsx'
import type { LinkTest as Test } from './use-link-test.ts'
import { useState } from 'react'
import { SelectField } from '../../../components/fields/field.tsx'
import { TimeField } from '../../../components/fields/time-field.tsx'
import { visitorChoices } from './visitor-choices.ts'

const NAMES = ['country', 'device', 'os', 'browser', 'language'] as const

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
