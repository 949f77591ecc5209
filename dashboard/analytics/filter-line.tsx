import { use, useState } from 'react'
import type { AnalyticsQuery, AnalyticsView } from '../../src/http/endpoints/browser-types.ts'
import { Download } from 'lucide-react'
import { workspaceUrl } from '../api/request.ts'
import { Button, TextButton } from '../components/button.tsx'
import { Menu } from '../components/pickers/menu.tsx'
import { ValuesPill } from '../components/pickers/values-pill.tsx'
import { fullNumber } from '../format.ts'
import { useAnalytics } from './analytics-queries.ts'
import { analyticsStrings as texts } from './analytics-strings.ts'
import { barsOf, BREAKDOWNS, FILTER_NAMES, type FilterName, withValues } from './analytics-filters.ts'
import { ClickFilterContext } from './filter-context.ts'

type FilterLineProps = {
  /** Of the page, without filters. */
  query: AnalyticsQuery
  analytics: AnalyticsView | undefined
}

/** The filters of the analytics below it, and how many clicks pass them. */
export function FilterLine({ query, analytics }: FilterLineProps) {
  const { filters, onFilters, rules } = use(ClickFilterContext)
  /** One with a single value would not narrow anything. */
  const isOffered = (name: FilterName) =>
    filters[name] !== undefined ||
    // Among referrers most look for a source, and rules are those of one link.
    (name !== 'referrer' &&
      (name !== 'variant' || rules !== undefined) &&
      analytics !== undefined &&
      barsOf(name, analytics).length > 1)
  const total = analytics?.clicks_without_filters ?? null
  const isFiltered = Object.keys(filters).length > 0
  return (
    <div className="filter-line">
      <div className="pills" role="group" aria-label={texts.filters}>
        {FILTER_NAMES.filter(isOffered).map((name) => (
          <FilterPillOf key={name} name={name} query={query} />
        ))}
        {isFiltered && <TextButton onClick={() => onFilters({})}>{texts.clearFilters}</TextButton>}
      </div>
      {analytics && (
        <div className="filter-end">
          {total !== null && isFiltered && (
            <p className="soft" role="status">
              {texts.matching(fullNumber(analytics.total_clicks), fullNumber(total))}
            </p>
          )}
          <ExportMenu query={{ ...query, ...filters } as AnalyticsQuery} />
        </div>
      )}
    </div>
  )
}

const FORMATS = ['csv', 'ndjson'] as const

/** The clicks themselves; each panel has its figures. */
const ExportMenu = ({ query: { granularity: _, ...query } }: { query: AnalyticsQuery }) => (
  <Menu
    label={texts.export}
    trigger={
      <Button variant="quiet" size="small" icon={Download}>
        {texts.export}
      </Button>
    }
    items={FORMATS.map((format) => ({
      label: texts.exportAs[format],
      icon: Download,
      href: workspaceUrl('/analytics/export', { ...query, format }),
    }))}
  />
)

function FilterPillOf({ name, query }: { name: FilterName; query: AnalyticsQuery }) {
  const { filters, onFilters, rules } = use(ClickFilterContext)
  const [isOpen, setOpen] = useState(false)
  const chosen = filters[name] ?? []
  const options = useOptions({ ...query, ...withValues(filters, name, []) }, { name, isOpen })
  const offered = new Set(options?.map(({ value }) => value))
  const missing = chosen
    .filter((value) => !offered.has(value))
    .map((value) => ({ value, label: BREAKDOWNS[name].name(value, rules) }))
  return (
    <ValuesPill
      label={BREAKDOWNS[name].label}
      chosen={chosen}
      options={options === undefined && isOpen ? undefined : [...(options ?? []), ...missing]}
      none={texts.none}
      many={texts.manyValues}
      onChoose={(values) => onFilters(withValues(filters, name, values))}
      onOpen={setOpen}
    />
  )
}

/** The values that clicks have under the other filters, with their counts. */
function useOptions(query: AnalyticsQuery, { name, isOpen }: { name: FilterName; isOpen: boolean }) {
  const { rules } = use(ClickFilterContext)
  const { data } = useAnalytics(query, isOpen)
  if (!isOpen || data === undefined) return undefined
  return barsOf(name, data.data, rules).map(({ value, label, clicks }) => ({
    value,
    label,
    detail: fullNumber(clicks),
  }))
}
