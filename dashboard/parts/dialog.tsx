import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { words } from '../words.ts'
import { Button } from './button.tsx'
import { FloatingRoot } from './floating-root.ts'

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  foot?: ReactNode
  width?: 'medium' | 'wide'
  /** What would be lost is not closed by Escape or by a click beside it. */
  isFirm?: boolean
}

/** What has the focus first: what a dialog marks with `data-first`, else what can be typed or pressed. */
const MARKED = '[data-first]'
const FIRST = '.dialog-body :is(input, textarea, select):enabled:not([hidden]), .dialog-foot .button'

/**
 * The browser's own dialog: it keeps the focus inside, gives it back, and makes the rest inert. Shown while it is in
 * the tree.
 */
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
        // A second Escape in a row cannot be prevented in Chromium.
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
              aria-label={words.actions.close}
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

/** By itself the browser would begin at the button that closes. */
function openModal(dialog: HTMLDialogElement): void {
  dialog.showModal()
  const first = dialog.querySelector<HTMLElement>(MARKED) ?? dialog.querySelector<HTMLElement>(FIRST)
  ;(first ?? dialog).focus()
}

/** A menu is gone by the time the focus comes back; its button is there. */
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
