import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { PageMeta } from '../../src/http/endpoints/browser-types.ts'
import { fullNumber } from '../format.ts'
import { strings } from '../strings.ts'
import { IconButton } from './button.tsx'
import './page-buttons.css'

type PageButtonsProps = { label: string; meta: PageMeta; onPage: (page: number) => void }

/** Which rows are shown, of how many, and the way to others. On a phone, only the current page number is shown. */
export function PageButtons({ label, meta, onPage }: PageButtonsProps) {
  const { current_page: page, last_page: last, per_page: perPage, total } = meta
  if (total === 0) return null
  const from = Math.min(total, (page - 1) * perPage + 1)
  const to = Math.min(total, page * perPage)
  const range = strings.links.range(fullNumber(from), fullNumber(to), fullNumber(total))
  if (last === 1 && page === 1) return <p className="pages">{range}</p>
  return (
    <nav className="pages" aria-label={label}>
      <span>{range}</span>
      <span className="page-buttons">
        <IconButton
          label={strings.actions.previous}
          icon={ChevronLeft}
          disabled={page <= 1}
          onClick={() => onPage(Math.min(page - 1, last))}
        />
        <span className="page-of">{strings.links.pageOf(fullNumber(page), fullNumber(last))}</span>
        {pageNumbers(page, last).map((each, at) =>
          each === null ? (
            <span key={`gap-${at}`} className="page-gap" aria-hidden>
              …
            </span>
          ) : (
            <button
              key={each}
              type="button"
              className="page-number"
              aria-label={strings.links.page(fullNumber(each))}
              aria-current={each === page ? 'page' : undefined}
              onClick={() => onPage(each)}
            >
              {fullNumber(each)}
            </button>
          ),
        )}
        <IconButton
          label={strings.actions.next}
          icon={ChevronRight}
          disabled={page >= last}
          onClick={() => onPage(page + 1)}
        />
      </span>
    </nav>
  )
}

/** Neighbors of the current page, on each side. */
const NEIGHBORS = 1
/** Up to this many pages, all are shown. */
const PAGES_NAMED_MAX = 7

/** The page numbers to show: first, last, current and its neighbors. null stands for a gap. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  if (last <= PAGES_NAMED_MAX) return numbersFrom(1, last)
  // The same length everywhere, so that buttons do not move.
  const edge = PAGES_NAMED_MAX - 2
  if (current < edge) return [...numbersFrom(1, edge), null, last]
  if (current > last - edge + 1) return [1, null, ...numbersFrom(last - edge + 1, last)]
  return [1, null, ...numbersFrom(current - NEIGHBORS, current + NEIGHBORS), null, last]
}

const numbersFrom = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
