import { useEffect, useRef } from 'react'

const WRITES = 'input:not([type=checkbox], [type=color]), textarea, select, [contenteditable]'

/** Single keys, while nobody is writing and no dialog or menu is open. */
export function useShortcuts(actions: Record<string, () => void>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(WRITES)) return
      if (document.querySelector('dialog[open], [role=menu]')) return
      const act = latest.current[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}
