import { useEffect, useRef } from 'react'

const WRITES = 'input:not([type=checkbox], [type=color]), textarea, select, [contenteditable]'

export const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform)

/** Whether keys and pasted text belong to that element, or to an open dialog or menu. */
export const isTyping = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(WRITES) !== null) ||
  document.querySelector('dialog[open], [role=menu]') !== null

/** Single keys, unless a field has the focus or a dialog or menu is open. */
export function useShortcuts(actions: Record<string, () => void>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target)) return
      const act = latest.current[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
