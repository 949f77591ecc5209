import { createContext } from 'react'

/**
 * Where menus and tooltips are put: inside an open dialog, or they would lie beneath it; else inside the content, where
 * readers look for it. null: at the end of the page.
 */
export const FloatingRoot = createContext<HTMLElement | null>(null)
