import { type ReactNode, useId, useState } from 'react'
import { useOnce } from '../fields/use-once.ts'
import { strings } from '../../strings.ts'
import { Button } from '../button.tsx'
import { FloatingRoot } from '../pickers/floating-root.ts'
import { useModal } from './modal.ts'
import { useToast } from './toasts.tsx'
import { sentenceOf } from '../states.tsx'
import { X } from 'lucide-react'

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
  /** The question closes when its promise has settled. */
  onYes: () => unknown
  onClose: () => void
  /** Says that `onYes` has failed, with the reason. */
  failed?: (reason: string) => string
  /** After the text. */
  children?: ReactNode
}

export function Question({ title, text, action, back, onYes, onClose, failed, children }: QuestionProps) {
  const [isBusy, setBusy] = useState(false)
  const toast = useToast()
  const answer = useOnce(async () => {
    setBusy(true)
    try {
      await onYes()
    } catch (error) {
      const reason = sentenceOf(error)
      toast({ tone: 'bad', text: failed?.(reason) ?? reason })
    }
    onClose()
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{back ?? strings.actions.cancel}</Button>
          <Button variant="danger" isBusy={isBusy} onClick={answer}>
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

export const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <button
    type="button"
    className="button is-quiet is-icon"
    aria-label={strings.actions.close}
    onClick={onClose}
  >
    <X size={17} aria-hidden />
  </button>
)
