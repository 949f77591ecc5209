import { createContext } from 'react'
import type { ClickFilters } from './analytics-filters.ts'
import type { Rules } from './rule-names.ts'

type ClickFiltering = {
  filters: ClickFilters
  onFilters: (filters: ClickFilters) => void
  /** Those of the link, once it is loaded. Of several links no rule can be named. */
  rules: Rules | undefined
}

/** The filters of the page, which rows of its panels set. */
export const ClickFilterContext = createContext<ClickFiltering>({
  filters: {},
  onFilters: () => {},
  rules: undefined,
})
