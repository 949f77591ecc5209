import { type ReactNode, use, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { TextField } from '../components/fields/field.tsx'
import { Segments } from '../components/tabs.tsx'
import { fullNumber, percent, shortNumber } from '../format.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { type ClickFilters, type FilterName, toggleValue } from './analytics-filters.ts'
import { ClickFilterContext } from './filter-context.ts'
import { analyticsStrings, importedStrings } from './analytics-strings.ts'
import '../components/charts/data.css'

export type Bar = {
  /** By which it is filtered. */
  value: string
  label: string
  /** Beside the label. */
  note?: string | undefined
  clicks: number
  /** Of the clicks, those that another program had counted. */
  imported?: number
  percentage: number
  /** In place of the percentage. */
  change?: ReactNode
  /** It filters nothing. */
  isPlain?: boolean
}

const SKELETON_WIDTHS = ['90%', '64%', '48%', '30%', '18%']

type BarListProps = {
  label: string
  /** Longest first; undefined while loading. */
  bars: Bar[] | undefined
  /** What a bar filters by when it is clicked. */
  filter?: FilterName
}

export function BarList({ label, bars, filter }: BarListProps) {
  const { filters, onFilters } = use(ClickFilterContext)
  if (bars === undefined) {
    return (
      <ul className="bars" aria-busy aria-label={label}>
        {SKELETON_WIDTHS.map((width) => (
          <li key={width}>
            <Skeleton width={width} height={18} />
          </li>
        ))}
      </ul>
    )
  }
  const most = Math.max(1, ...bars.map(({ clicks }) => clicks))
  return (
    <ul className="bars" aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.value}>
          {filter === undefined || bar.isPlain ? (
            <BarParts bar={bar} most={most} />
          ) : (
            <button
              type="button"
              aria-pressed={filters[filter]?.includes(bar.value) ?? false}
              title={analyticsStrings.filterBy(bar.label)}
              onClick={() => onFilters(toggleValue(filters, filter, bar.value))}
            >
              <BarParts bar={bar} most={most} />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

const { ofThese } = importedStrings

type BarPartsProps = { bar: Bar; most: number }

const BarParts = ({
  bar: { label, note, clicks, imported = 0, percentage, change },
  most,
}: BarPartsProps) => (
  <>
    <span className="bar" style={{ width: `${(clicks / most) * 100}%` }} />
    {imported > 0 && (
      <span
        className="bar is-imported"
        style={{ left: `${((clicks - imported) / most) * 100}%`, width: `${(imported / most) * 100}%` }}
      />
    )}
    <span className="cut">
      {label} {note !== undefined && <span className="soft">{note}</span>}
    </span>
    <span
      className="count"
      title={imported === 0 ? fullNumber(clicks) : ofThese(fullNumber(clicks), fullNumber(imported))}
    >
      {shortNumber(clicks)}
    </span>
    <span className="share">{change ?? percent(percentage)}</span>
  </>
)

/** The rest is shown on request. */
const BARS_SHOWN = 8

type BarsProps = BarListProps & { shown?: number }

export function Bars({ bars, shown = BARS_SHOWN, ...list }: BarsProps) {
  const [isOpen, setOpen] = useState(false)
  if (bars?.length === 0) return <p className="hint">{analyticsStrings.none}</p>
  const hasMore = bars !== undefined && bars.length > shown
  return (
    <div className="stack">
      <BarList {...list} bars={bars?.slice(0, shown)} />
      {hasMore && (
        <div>
          <Button variant="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            {analyticsStrings.showAll(fullNumber(bars.length))}
          </Button>
        </div>
      )}
      {isOpen && bars && <AllBars {...list} bars={bars} onClose={() => setOpen(false)} />}
    </div>
  )
}

const SORTS = ['clicks', 'name'] as const

type AllBarsProps = BarListProps & { bars: Bar[]; onClose: () => void }

/** A row that is clicked filters, so the page is shown again. */
function AllBars({ label, bars, filter, onClose }: AllBarsProps) {
  const { filters, onFilters, ...others } = use(ClickFilterContext)
  const [text, setText] = useState('')
  const [sort, setSort] = useState<(typeof SORTS)[number]>('clicks')
  const matching = bars.filter((bar) => bar.label.toLowerCase().includes(text.trim().toLowerCase()))
  const inOrder =
    sort === 'clicks' ? matching : matching.toSorted((one, other) => one.label.localeCompare(other.label))
  const choose = (next: ClickFilters) => {
    onFilters(next)
    onClose()
  }
  return (
    <Dialog title={label} onClose={onClose}>
      <div className="stack">
        <TextField label={analyticsStrings.search} type="search" value={text} onText={setText} />
        <Segments
          label={analyticsStrings.sort}
          choices={SORTS.map((value) => ({ value, label: analyticsStrings.sorts[value] }))}
          value={sort}
          onChoice={setSort}
        />
        {inOrder.length === 0 ? (
          <p className="hint">{analyticsStrings.noRow(text.trim())}</p>
        ) : (
          <ClickFilterContext value={{ ...others, filters, onFilters: choose }}>
            <BarList label={label} bars={inOrder} {...(filter && { filter })} />
          </ClickFilterContext>
        )}
      </div>
    </Dialog>
  )
}
