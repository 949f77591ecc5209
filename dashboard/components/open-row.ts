import type { MouseEvent } from 'react'

/** Controls in a row that handle clicks themselves. */
const PRESSED = 'a, button, input, select, label'

/**
 * A click anywhere in a row clicks its `.row-link`, with the same modifier keys, which may open a new tab. Selecting text
 * does not.
 */
export function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const row = event.currentTarget
  const target = event.target as Element
  // React events bubble from a row's menu to the row, although the menu is elsewhere in the DOM.
  if (!row.contains(target) || target.closest(PRESSED)) return
  const selection = getSelection()
  if (selection && !selection.isCollapsed && selection.containsNode(row, true)) return
  const { ctrlKey, metaKey, shiftKey } = event
  const press = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
  row.querySelector('.row-link')?.dispatchEvent(new globalThis.MouseEvent('click', press))
}
