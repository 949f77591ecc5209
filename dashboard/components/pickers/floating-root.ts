import { createContext } from 'react'

/**
 * The parent of menus and tooltips: an open dialog, which would cover them otherwise, or an element in the main content, so that
 * screen readers find them in a landmark. null: the end of the body.
 */
export const FloatingRoot = createContext<HTMLElement | null>(null)

const EDGE = 8

/** How far from the edges of the window menus and lists stay. They leave the bottom bar free, unless a dialog covers it. */
export function freeEdges(root: HTMLElement | null): {
  top: number
  right: number
  bottom: number
  left: number
} {
  const bar = root?.closest('dialog') ? null : document.querySelector<HTMLElement>('.bottom-bar')
  const isFixed = bar !== null && getComputedStyle(bar).position === 'fixed'
  return { top: EDGE, right: EDGE, left: EDGE, bottom: EDGE + (isFixed ? bar.offsetHeight : 0) }
}
