import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { strings } from '../strings/strings.ts'
import { Button } from './button.tsx'
import { FloatingRoot } from './floating-root.ts'

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  foot?: ReactNode
  width?: 'medium' | 'wide'
  /** Escape and a click outside do not close it, because its content would be lost. */
  isFirm?: boolean
}

/** The initial focus: an element with `data-first`, or the first field or button. */
const MARKED = '[data-first]'
const FIRST = '.dialog-body :is(input, textarea, select):enabled:not([hidden]), .dialog-foot .button'

/** The browser's `<dialog>`: it traps the focus, restores it, and makes the rest inert. Open while it is mounted. */
export function Dialog({ title, onClose, children, foot, width = 'medium', isFirm = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const [shown, setShown] = useState<HTMLDialogElement | null>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = element.current!
    const opener = openerOf(document.activeElement)
    if (!dialog.open) openModal(dialog)
    setShown(dialog)
    return () => {
      dialog.close()
      opener?.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      className={`dialog is-${width}`}
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault()
        if (!isFirm) onClose()
      }}
      onClose={(event) => {
        // In Chromium, the second Escape in a row cannot be prevented.
        if (isFirm && element.current?.isConnected) openModal(event.currentTarget)
      }}
      onMouseDown={(event) => {
        if (event.target === element.current && !isFirm) onClose()
      }}
    >
      <FloatingRoot value={shown}>
        <div className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {!isFirm && (
            <button
              type="button"
              className="button is-quiet is-icon"
              aria-label={strings.actions.close}
              onClick={onClose}
            >
              <X size={17} aria-hidden />
            </button>
          )}
        </div>
        <div className="dialog-body">{children}</div>
        {foot && <div className="dialog-foot">{foot}</div>}
      </FloatingRoot>
    </dialog>
  )
}

/** The browser would focus the close button. */
function openModal(dialog: HTMLDialogElement): void {
  dialog.showModal()
  const first = dialog.querySelector<HTMLElement>(MARKED) ?? dialog.querySelector<HTMLElement>(FIRST)
  ;(first ?? dialog).focus()
}

/** A dialog opened from a menu returns the focus to the menu's button, because the menu is gone by then. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role=menu]')
  return menu
    ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
    : (focused as HTMLElement | null)
}

type QuestionProps = {
  title: string
  text: string
  action: string
  onYes: () => void
  onClose: () => void
  isBusy?: boolean
}

export function Question({ title, text, action, onYes, onClose, isBusy = false }: QuestionProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{strings.actions.cancel}</Button>
          <Button variant="danger" isBusy={isBusy} onClick={onYes}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
