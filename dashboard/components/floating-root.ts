import { createContext } from 'react'

/**
 * The parent of menus and tooltips: an open dialog, which would cover them otherwise, or the main content, so that screen
 * readers find them in a landmark. null: the end of the body.
 */
export const FloatingRoot = createContext<HTMLElement | null>(null)
