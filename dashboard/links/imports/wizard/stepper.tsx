import { Check } from 'lucide-react'
import { type Step, STEPS } from './wizard-steps.ts'
import { wizardStrings as texts } from './wizard-strings.ts'

type StepperProps = {
  step: Step
  /** The links come from a file. */
  isUpload: boolean
  /** Of the last step: nothing is left to do. */
  isOver?: boolean
}

/** Which step it is. On a phone: a sentence and a stroke for each step. */
export function Stepper({ step, isUpload, isOver = false }: StepperProps) {
  const current = STEPS.indexOf(step)
  const nameOf = (each: Step) => (each === 'connect' && isUpload ? texts.upload : texts.stepNames[each])
  const next = STEPS[current + 1]
  return (
    <>
      <p className="step-line" aria-hidden>
        <strong>{texts.stepOf(current + 1, STEPS.length, nameOf(step))}</strong>
        {next && <span className="soft">{texts.next(nameOf(next))}</span>}
      </p>
      <ol className="stepper" aria-label={texts.steps}>
        {STEPS.map((each, at) => {
          const isDone = at < current || (isOver && at === current)
          return (
            <li
              key={each}
              className={isDone ? 'is-done' : at === current ? 'is-current' : ''}
              aria-current={at === current ? 'step' : undefined}
            >
              <span className="step-mark" aria-hidden>
                {isDone ? <Check size={13} strokeWidth={2.5} /> : at + 1}
              </span>
              <span className="step-name">{nameOf(each)}</span>
            </li>
          )
        })}
      </ol>
    </>
  )
}
