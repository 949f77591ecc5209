import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField } from '../../components/field.tsx'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from '../../strings/list-strings.ts'
import { NO_FILTERS } from '../list-query.ts'
import { LIST_FILTERS, setFilters } from './list-filters.ts'
import type { FilterProps } from './list-pickers.tsx'
import { offeredSorts, sortingOf, sortName } from './list-sorts.ts'

/** On a phone: all filters and the order, behind one button with the number of those that are set. */
export function FilterSheet(props: FilterProps) {
  const { query, onChange } = props
  const [isOpen, setOpen] = useState(false)
  const count = setFilters(query).length
  const name = sortName(query)
  return (
    <>
      <button
        type="button"
        className="button is-plain is-icon filter-button"
        aria-label={count === 0 ? texts.filters : texts.filtersSet(fullNumber(count))}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <ListFilter size={18} aria-hidden />
        {count > 0 && <span className="filter-count">{count}</span>}
      </button>
      {isOpen && (
        <Dialog
          title={texts.filters}
          onClose={() => setOpen(false)}
          foot={
            <>
              <Button onClick={() => onChange(NO_FILTERS)}>{texts.clear}</Button>
              <Button variant="primary" onClick={() => setOpen(false)}>
                {texts.show}
              </Button>
            </>
          }
        >
          <div className="filter-sheet">
            {LIST_FILTERS.map(({ id, Pill }) => (
              <Pill key={id} {...props} />
            ))}
            <SelectField
              label={texts.sort}
              value={name}
              choices={offeredSorts(name)}
              onChoice={(chosen) => onChange(sortingOf(chosen))}
            />
          </div>
        </Dialog>
      )}
    </>
  )
}
