import { type ReactNode, useId } from 'react'
import { useSubmission } from '../fields/use-submission.ts'
import { strings } from '../../strings.ts'
import { Button } from '../button.tsx'
import { CloseButton } from './close-button.tsx'
import { FloatingRoot } from '../pickers/floating-root.ts'
import { useModal } from './modal.ts'

type DialogProps = {
  title: string
  /** What it is about, after the title. */
  subject?: string
  onClose: () => void
  children: ReactNode
  foot?: ReactNode
  width?: 'medium' | 'wide' | 'widest'
  /** Escape and a click outside do not close it, because its content would be lost. */
  isFirm?: boolean
}

/** The browser's `<dialog>`: it traps the focus, restores it, and makes the rest inert. Open while it is mounted. */
export function Dialog({
  title,
  subject,
  onClose,
  children,
  foot,
  width = 'medium',
  isFirm = false,
}: DialogProps) {
  const { shown, parts } = useModal({ onClose, isFirm })
  const titleId = useId()
  return (
    <dialog {...parts} className={`dialog is-${width}`} aria-labelledby={titleId}>
      <FloatingRoot value={shown}>
        <div className="dialog-head">
          <h2 id={titleId}>
            {title}
            {subject && <span className="subject"> {subject}</span>}
          </h2>
          {!isFirm && <CloseButton onClose={onClose} />}
        </div>
        <div className="dialog-body">{children}</div>
        {foot && <div className="dialog-foot">{foot}</div>}
      </FloatingRoot>
    </dialog>
  )
}

type QuestionProps = {
  title: string
  text: string
  action: string
  /** Instead of “Cancel”, where that could mean either. */
  back?: string
  onYes: () => void
  onClose: () => void
  isBusy?: boolean
  /** After the text. */
  children?: ReactNode
}

export function Question(props: QuestionProps) {
  const { title, text, action, back, onYes, onClose, isBusy = false, children } = props
  const submit = useSubmission(onYes)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{back ?? strings.actions.cancel}</Button>
          <Button variant="danger" isBusy={isBusy} onClick={submit}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {children}
    </Dialog>
  )
}
