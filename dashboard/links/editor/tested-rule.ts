import { createContext } from 'react'

/** The rule, counted from 1, that the visitor of the Test box meets; null: none, or nothing is tested. */
export const TestedRule = createContext<number | null>(null)
