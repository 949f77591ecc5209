import { use, useState } from 'react'
import type { AnalyticsQuery, AnalyticsView, LinkGroupName } from '../../src/http/endpoints/browser-types.ts'
import { Download } from 'lucide-react'
import { workspaceUrl } from '../api/request.ts'
import { Button, TextButton } from '../components/button.tsx'
import { Menu } from '../components/pickers/menu.tsx'
import { ValuesPill } from '../components/pickers/values-pill.tsx'
import { fullNumber } from '../format.ts'
import { useAnalytics, useLinkGroups } from './analytics-queries.ts'
import { analyticsStrings as texts } from './analytics-strings.ts'
import type { Bar } from './bar-list.tsx'
import {
  barsOf,
  BREAKDOWN_NAMES,
  type BreakdownName,
  type FilterName,
  groupBars,
  labelOf,
  LINK_GROUP_NAMES,
  nameOf,
  withValues,
} from './analytics-filters.ts'
import { downloadCsv } from '../save-file.ts'
import { useLabels } from '../links/labels/label-queries.ts'
import { ClickFilterContext } from './filter-context.ts'
import { allPanelsTable } from './panels.tsx'

type FilterLineProps = {
  /** Of the page, without filters. */
  query: AnalyticsQuery
  analytics: AnalyticsView | undefined
  /** Prefix of the names of downloads. */
  fileName: string
}

/** The filters of the analytics below it, and how many clicks pass them. */
export function FilterLine({ query, analytics, fileName }: FilterLineProps) {
  const { filters, onFilters, rules } = use(ClickFilterContext)
  const isOneLink = query.short_code !== undefined
  /** One with a single value would not narrow anything. */
  const isOffered = (name: BreakdownName) =>
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
        <LinkGroupPills query={query} isOneLink={isOneLink} />
        {BREAKDOWN_NAMES.filter(isOffered).map((name) => (
          <BreakdownPill key={name} name={name} query={query} />
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
          <ExportMenu
            query={{ ...query, ...filters } as AnalyticsQuery}
            onPanels={() => downloadCsv(`${fileName}-panels`, allPanelsTable(analytics, rules))}
          />
        </div>
      )}
    </div>
  )
}

const FORMATS = ['csv', 'ndjson', 'parquet'] as const

type ExportMenuProps = { query: AnalyticsQuery; onPanels: () => void }

/** The figures of all panels, and the clicks themselves. */
const ExportMenu = ({
  query: { granularity: _, compare: _compare, ...query },
  onPanels,
}: ExportMenuProps) => (
  <Menu
    label={texts.export}
    trigger={
      <Button variant="quiet" size="small" icon={Download}>
        {texts.export}
      </Button>
    }
    items={[
      { label: texts.exportPanels, icon: Download, onSelect: onPanels },
      ...FORMATS.map((format) => ({
        label: texts.exportAs[format],
        icon: Download,
        href: workspaceUrl('/analytics/export', { ...query, format }),
      })),
    ]}
  />
)

type PillProps<Name extends FilterName> = { name: Name; query: AnalyticsQuery }

/** Tags and folders where the workspace has some, for several links; the others once they are set by a row of a panel. */
function LinkGroupPills({ query, isOneLink }: { query: AnalyticsQuery; isOneLink: boolean }) {
  const { filters } = use(ClickFilterContext)
  // For its colors, the page of a link loads tags as well.
  const { data: tags = [] } = useLabels('tags', !isOneLink)
  const { data: folders = [] } = useLabels('folders', !isOneLink)
  const isOffered = (name: LinkGroupName) =>
    filters[name] !== undefined ||
    (!isOneLink && ((name === 'tag' && tags.length > 0) || (name === 'folder' && folders.length > 0)))
  return LINK_GROUP_NAMES.filter(isOffered).map((name) => (
    <LinkGroupPill key={name} name={name} query={query} />
  ))
}

function LinkGroupPill({ name, query }: PillProps<LinkGroupName>) {
  const [isOpen, setOpen] = useState(false)
  const { data } = useLinkGroups(useQueryWithout(name, query), name, isOpen)
  const bars = data && groupBars(name, data).filter(({ isPlain }) => !isPlain)
  return <FilterPillOf {...{ name, isOpen }} bars={bars} onOpen={setOpen} />
}

function BreakdownPill({ name, query }: PillProps<BreakdownName>) {
  const { rules } = use(ClickFilterContext)
  const [isOpen, setOpen] = useState(false)
  const { data } = useAnalytics(useQueryWithout(name, query), isOpen)
  return <FilterPillOf {...{ name, isOpen }} bars={data && barsOf(name, data.data, rules)} onOpen={setOpen} />
}

/** Its values are those that clicks have under the other filters. */
const useQueryWithout = (name: FilterName, query: AnalyticsQuery): AnalyticsQuery => ({
  ...query,
  ...withValues(use(ClickFilterContext).filters, name, []),
})

type FilterPillOfProps = {
  name: FilterName
  isOpen: boolean
  /** Undefined while loading. */
  bars: readonly Bar[] | undefined
  onOpen: (isOpen: boolean) => void
}

function FilterPillOf({ name, isOpen, bars, onOpen }: FilterPillOfProps) {
  const { filters, onFilters, rules } = use(ClickFilterContext)
  const values = filters[name] ?? []
  const options = isOpen
    ? bars?.map(({ value, label, clicks }) => ({ value, label, detail: fullNumber(clicks) }))
    : []
  const offered = new Set(options?.map(({ value }) => value))
  const missing = values
    .filter((value) => !offered.has(value))
    .map((value) => ({ value, label: nameOf(name, value, rules) }))
  return (
    <ValuesPill
      label={labelOf(name)}
      chosen={values}
      options={options && [...options, ...missing]}
      none={texts.none}
      many={texts.manyValues}
      onChoose={(values) => onFilters(withValues(filters, name, values))}
      onOpen={onOpen}
    />
  )
}
