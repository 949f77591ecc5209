import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { words } from '../words.ts'
import { Button, IconButton } from './button.tsx'

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  foot?: ReactNode
  width?: 'medium' | 'wide'
  /** What would be lost is not closed by Escape or by a click beside it. */
  isFirm?: boolean
}

/**
 * The browser's own dialog: it keeps the focus inside, gives it back, and makes the rest inert. Shown while it is in
 * the tree.
 */
export function Dialog({ title, onClose, children, foot, width = 'medium', isFirm = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = element.current!
    if (!dialog.open) dialog.showModal()
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={element}
      className={`dialog is-${width}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (!isFirm) onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === element.current && !isFirm) onClose()
      }}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {!isFirm && <IconButton label={words.actions.close} icon={X} onClick={onClose} />}
      </div>
      <div className="dialog-body">{children}</div>
      {foot && <div className="dialog-foot">{foot}</div>}
    </dialog>
  )
}

type QuestionProps = {
  title: string
  text: string
  action: string
  onYes: () => void
  onClose: () => void
  isBusy?: boolean
}

/** Asks before what cannot be undone. */
export function Question({ title, text, action, onYes, onClose, isBusy = false }: QuestionProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button look="danger" isBusy={isBusy} onClick={onYes}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
