import { useEffect, useRef } from 'react'

const WRITES = 'input:not([type=checkbox], [type=color]), textarea, select, [contenteditable]'

/** Whether keys and pasted texts are meant for that element, or for a dialog or menu that is open. */
export const isWritten = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(WRITES) !== null) ||
  document.querySelector('dialog[open], [role=menu]') !== null

/** Single keys, while nobody is writing and no dialog or menu is open. */
export function useShortcuts(actions: Record<string, () => void>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isWritten(event.target)) return
      const act = latest.current[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}
