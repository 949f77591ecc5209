import { createContext } from 'react'

/** Where menus and tooltips are put: inside an open dialog, or they would lie beneath it. null: at the end of the page. */
export const FloatingRoot = createContext<HTMLElement | null>(null)
