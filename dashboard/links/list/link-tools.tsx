import { Search, X } from 'lucide-react'
import { type RefObject, Suspense } from 'react'
import { Skeleton } from '../../components/skeleton.tsx'
import { useSettledText } from '../../use-settled.ts'
import { FirstViews } from '../../shell/first-paint.tsx'
import { strings } from '../../strings.ts'
import type { ListQuery } from './list-query.ts'
import { afterPaint } from '../../chunks/chunks.ts'

const SETTLED_MS = 160
/** Of the filters that come. */
const PILL_WIDTHS = [84, 68, 86, 92]

type LinkToolsProps = {
  field: RefObject<HTMLInputElement | null>
  query: ListQuery
  onChange: (change: Partial<ListQuery>) => void
}

/** What the list shows: a saved view, what is searched for, filters, order and columns. */
export function LinkTools({ field, query, onChange }: LinkToolsProps) {
  return (
    <div className="list-head">
      <div className="view-place">
        <Suspense fallback={<FirstViews />}>
          <afterPaint.ViewTabs query={query} onOpen={onChange} />
        </Suspense>
      </div>
      <div className="list-tools" role="search">
        <SearchField field={field} query={query} onChange={onChange} />
        <Suspense
          fallback={PILL_WIDTHS.map((width) => (
            <Skeleton key={width} width={width} height={30} radius={15} />
          ))}
        >
          <afterPaint.FilterBar query={query} onChange={onChange} />
        </Suspense>
      </div>
    </div>
  )
}

function SearchField({ field, query, onChange }: LinkToolsProps) {
  const [text, setText] = useSettledText(query.search, (search) => onChange({ search }), SETTLED_MS)
  const clear = () => {
    setText('')
    // The button goes, and would take the focus with it.
    field.current!.focus()
  }
  return (
    <span className="input-with">
      <Search size={16} aria-hidden />
      <input
        ref={field}
        className="input"
        type="search"
        maxLength={255}
        placeholder={strings.links.search}
        aria-label={strings.links.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText('')}
      />
      {text === '' ? (
        <span className="suffix" aria-hidden>
          <kbd>/</kbd>
        </span>
      ) : (
        <button
          type="button"
          className="input-clear"
          aria-label={strings.links.clearSearch}
          title={strings.links.clearSearch}
          onClick={clear}
        >
          <X size={16} aria-hidden />
        </button>
      )}
    </span>
  )
}
