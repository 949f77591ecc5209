import { useState } from 'react'
import { SelectField } from '../../../components/field.tsx'
import { TimeField } from '../../../components/time-field.tsx'
import { testStrings } from '../../../strings/test-strings.ts'
import type { LinkTest } from './use-link-test.ts'
import { visitorChoices } from './visitor-choices.ts'

const NAMES = ['country', 'device', 'os', 'browser', 'language'] as const

type VisitorFieldsProps = Pick<LinkTest, 'visitor' | 'setVisitor' | 'choices'> & { isFirst: boolean }

export function VisitorFields({ visitor, setVisitor, choices, isFirst }: VisitorFieldsProps) {
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
