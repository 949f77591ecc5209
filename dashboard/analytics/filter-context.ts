import { createContext } from 'react'
import type { AnalyticsView } from '../../src/http/endpoints/browser-types.ts'
import type { ClickFilters, FilterName } from './analytics-filters.ts'

type ClickFiltering = {
  filters: ClickFilters
  onFilters: (filters: ClickFilters) => void
  /** Of one link: only there a rule can be named. */
  hasRules: boolean
  /** What a value is called, where the page knows better than the API: rules by their place. */
  nameOf: (name: FilterName, value: string) => string | undefined
  /** What stands beside it. */
  noteOf: (name: FilterName, value: string, analytics: AnalyticsView) => string | undefined
}

/** The filters of the page, which rows of its panels set. */
export const ClickFilterContext = createContext<ClickFiltering>({
  filters: {},
  onFilters: () => {},
  hasRules: false,
  nameOf: () => undefined,
  noteOf: () => undefined,
})
