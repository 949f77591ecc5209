import { Notice, sentenceOf } from '../../../components/states.tsx'
import { RequestFailure } from '../../../request.ts'
import { testStrings } from '../../../strings/test-strings.ts'
import { TestAnswer } from './test-answer.tsx'
import type { LinkTest as Test } from './use-link-test.ts'
import { VisitorFields } from './visitor-fields.tsx'

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
