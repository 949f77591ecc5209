import type { MouseEvent } from 'react'

/** What a press in a row is meant for by itself. */
const PRESSED = 'a, button, input, select, label'

/**
 * A press anywhere in a row presses the link of its name (`.row-link`), with the same keys held, for they open tabs. Who
 * draws over a text to select it opens nothing.
 */
export function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const row = event.currentTarget
  const target = event.target as Element
  // React has what happens in a menu of the row happen in the row too.
  if (!row.contains(target) || target.closest(PRESSED)) return
  const selection = getSelection()
  if (selection && !selection.isCollapsed && selection.containsNode(row, true)) return
  const { ctrlKey, metaKey, shiftKey } = event
  const press = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
  row.querySelector('.row-link')?.dispatchEvent(new globalThis.MouseEvent('click', press))
}
