import { type RefObject, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react'

/** The initial focus: an element with `data-first`, or the first field or button. */
const MARKED = '[data-first]'
const FIRST =
  ':is(.dialog-body, .panel-form) :is(input, textarea, select):enabled:not([hidden]), .dialog-foot .button'
const SCROLLER = '.dialog-body[tabindex]'
const FOCUSABLE = ':is(a[href], button, input, textarea, select, summary, [tabindex])'

type ModalOptions = {
  onClose: () => void
  /** Escape and a click outside do not close it, because its content would be lost. */
  isFirm: boolean
}

type Modal = {
  /** Null before it is open. */
  shown: HTMLDialogElement | null
  parts: {
    ref: RefObject<HTMLDialogElement | null>
    tabIndex: number
    onCancel: (event: SyntheticEvent<HTMLDialogElement>) => void
    onClose: (event: SyntheticEvent<HTMLDialogElement>) => void
    onMouseDown: (event: { target: EventTarget }) => void
  }
}

/** The browser's `<dialog>`: it traps the focus, restores it, and makes the rest inert. Open while it is mounted. */
export function useModal({ onClose, isFirm }: ModalOptions): Modal {
  const element = useRef<HTMLDialogElement>(null)
  const [shown, setShown] = useState<HTMLDialogElement | null>(null)
  useLayoutEffect(() => {
    const dialog = element.current!
    const opener = openerOf(document.activeElement)
    const body = dialog.querySelector<HTMLElement>('.dialog-body')
    const sizes = new ResizeObserver(() => body && letKeysScroll(body))
    if (body) sizes.observe(body)
    if (!dialog.open) openModal(dialog)
    setShown(dialog)
    return () => {
      sizes.disconnect()
      dialog.close()
      opener?.focus()
    }
  }, [])
  const parts: Modal['parts'] = {
    ref: element,
    tabIndex: -1,
    onCancel: (event) => {
      // React passes on what happens to a dialog that this one has opened.
      if (event.target !== element.current) return
      event.preventDefault()
      if (!isFirm) onClose()
    },
    onClose: ({ target, currentTarget }) => {
      if (target !== currentTarget) return
      // In Chromium, the second Escape in a row cannot be prevented.
      if (element.current?.isConnected && !currentTarget.open) openModal(currentTarget)
    },
    onMouseDown: ({ target }) => {
      if (target === element.current && !isFirm) onClose()
    },
  }
  return { shown, parts }
}

/** The browser would focus the close button. */
function openModal(dialog: HTMLDialogElement): void {
  keepGutter(document.documentElement)
  dialog.showModal()
  const body = dialog.querySelector<HTMLElement>('.dialog-body')
  if (body) letKeysScroll(body)
  const first = [MARKED, FIRST, SCROLLER].map((each) => dialog.querySelector<HTMLElement>(each)).find(Boolean)
  ;(first ?? dialog).focus()
}

/** The arrow keys scroll only what has the focus, or contains it. */
function letKeysScroll(body: HTMLElement): void {
  if (body.scrollHeight > body.clientHeight && body.querySelector(FOCUSABLE) === null) body.tabIndex = 0
  else body.removeAttribute('tabindex')
}

/** The width of the scroll bar's gutter, which the page has as padding while a dialog is open. */
function keepGutter({ style, offsetWidth }: HTMLElement): void {
  // Not clientWidth, which has the gutter in it where there is nothing to scroll.
  if (innerWidth > offsetWidth) style.setProperty('--gutter', `${innerWidth - offsetWidth}px`)
}

/** A dialog opened from a menu returns the focus to the menu's button, because the menu is gone by then. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role=menu]')
  return menu
    ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
    : (focused as HTMLElement | null)
}
