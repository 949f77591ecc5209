import { type KeyboardEvent as ElementKey, useEffect, useRef } from 'react'

const WRITES = 'input:not([type=checkbox], [type=color]), textarea, select, [contenteditable]'

export const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform)

/** ⌘, or Ctrl where there is none. */
export const isCommand = (event: { metaKey: boolean; ctrlKey: boolean }): boolean =>
  event.metaKey || event.ctrlKey

/** Whether a single key belongs to that element, or to an open menu. */
export const isKeyTaken = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(WRITES) !== null) ||
  document.querySelector('[role=menu]') !== null

const isDialogOpen = () => document.querySelector('dialog[open]') !== null

/** Whether keys and pasted text belong to that element, or to an open dialog or menu. */
export const isTyping = (target: EventTarget | null): boolean => isKeyTaken(target) || isDialogOpen()

/** The second key of `g l` comes within this time. */
const SEQUENCE_MS = 1_200

let last: { event?: KeyboardEvent; typed: string } = { typed: '' }
/** The first key of a sequence, and when it was pressed. */
let first = { key: '', at: 0 }

/** The key, or two keys: `g l`. Every listener gets the same result for one event. */
function typedKeys(event: KeyboardEvent): string {
  if (event !== last.event) {
    const isSecond = first.key !== '' && event.timeStamp - first.at < SEQUENCE_MS
    last = { event, typed: isSecond ? `${first.key} ${event.key}` : event.key }
    first = { key: '', at: 0 }
  }
  return last.typed
}

/**
 * Keys, unless a field has the focus or a dialog or menu is open. `g l`: one after the other. `⌘k`: with ⌘ or Ctrl, in a
 * field too.
 */
export function useShortcuts(actions: Record<string, () => void>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isWithCommand = isCommand(event)
      if (event.altKey || event.defaultPrevented) return
      if (isWithCommand ? isDialogOpen() : isTyping(event.target)) return
      const typed = isWithCommand ? `⌘${event.key}` : typedKeys(event)
      const act = latest.current[typed]
      if (Object.keys(latest.current).some((keys) => keys.startsWith(`${typed} `)))
        first = { key: typed, at: event.timeStamp }
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** As in every toolbar: left and right go from one to the next of the elements with that selector. */
export function moveFocus(event: ElementKey<HTMLElement>, selector: string): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const elements = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = elements.indexOf(event.target as HTMLElement)
  if (step === undefined || at === -1) return
  event.preventDefault()
  elements.at((at + step) % elements.length)!.focus()
}
