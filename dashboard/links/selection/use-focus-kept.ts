import { type RefObject, useEffect, useRef } from 'react'

const FRAMES_MAX = 30
const isInMenu = (element: Element | null) => element?.closest('[role=menu]') != null
/** What acts on rows without being in one. */
const BESIDE = '[role=menu], [role=toolbar], .floating, dialog'

/**
 * Moves the focus from a deleted row to the row that takes its place, and from the bar of selected rows back to where it was.
 * `count`: of rows and of selected ones.
 */
export function useFocusKept(frame: RefObject<HTMLElement | null>, count: number): void {
  /** The row that has the focus, or whose menu has it. */
  const place = useRef(-1)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const row = (target as Element).closest('tr')
      if (row && frame.current?.contains(row)) place.current = [...row.parentElement!.children].indexOf(row)
      else if ((target as Element).closest(BESIDE) === null) place.current = -1
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  const countBefore = useRef(count)
  useEffect(() => {
    const isFewer = count < countBefore.current
    countBefore.current = count
    if (!isFewer || place.current < 0) return
    // The row's menu may still be closing and has the focus until then.
    const give = (frames: number) => {
      if (isInMenu(document.activeElement) && frames > 0) requestAnimationFrame(() => give(frames - 1))
      if (document.activeElement !== document.body) return
      const names = frame.current?.querySelectorAll<HTMLElement>('tbody .row-link') ?? []
      names[Math.min(place.current, names.length - 1)]?.focus()
    }
    requestAnimationFrame(() => give(FRAMES_MAX))
  }, [count])
}
