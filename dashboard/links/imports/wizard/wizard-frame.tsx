import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useTitle } from '../../../use-title.ts'
import { Stepper } from './stepper.tsx'
import type { Step } from './wizard-steps.ts'
import { wizardStrings as texts } from './wizard-strings.ts'
import './wizard.css'

type WizardFrameProps = {
  step: Step
  isUpload: boolean
  isOver?: boolean
  title: string
  lead: ReactNode
  /** At the left, and at the right end, below the step. */
  foot?: { left?: ReactNode; right: ReactNode }
  children: ReactNode
}

/** What every step has around it. */
export function WizardFrame({
  step,
  isUpload,
  isOver = false,
  title,
  lead,
  foot,
  children,
}: WizardFrameProps) {
  useTitle(`${title} · ${texts.title}`)
  return (
    <div className="page">
      <Link href="/" className="back">
        <ChevronLeft size={16} aria-hidden />
        {texts.back}
      </Link>
      <div className="page-head">
        <h1>{texts.title}</h1>
        <Stepper {...{ step, isUpload, isOver }} />
      </div>
      <StepText title={title} lead={lead} />
      {children}
      {foot && (
        <div className="wizard-foot">
          {foot.left && <div className="foot-side">{foot.left}</div>}
          <div className="foot-side">{foot.right}</div>
        </div>
      )}
    </div>
  )
}

/** Takes the focus when the step changes: the button that was pressed is gone. */
function StepText({ title, lead }: Pick<WizardFrameProps, 'title' | 'lead'>) {
  const element = useRef<HTMLDivElement>(null)
  const lastTitle = useRef(title)
  useEffect(() => {
    if (lastTitle.current === title) return
    lastTitle.current = title
    element.current?.focus()
  }, [title])
  return (
    <div ref={element} className="wizard-text" tabIndex={-1}>
      <h2>{title}</h2>
      <p className="soft">{lead}</p>
    </div>
  )
}
