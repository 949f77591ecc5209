import { Search } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { Select } from '../components/field.tsx'
import { useSettled } from '../use-settled.ts'
import { strings } from '../strings/strings.ts'
import { type ListQuery, ORDERS, STATES } from './list-query.ts'

const SETTLED_MS = 160

type LinkToolsProps = {
  field: RefObject<HTMLInputElement | null>
  query: ListQuery
  onChange: (change: Partial<ListQuery>) => void
}

export function LinkTools({ field, query, onChange }: LinkToolsProps) {
  const [text, setText] = useState(query.search)
  const settled = useSettled(text, SETTLED_MS)
  useEffect(() => {
    if (settled !== query.search) onChange({ search: settled })
  }, [settled])
  // The URL may change without typing: by going back, or when the search is cleared elsewhere.
  useEffect(() => setText(query.search), [query.search])
  return (
    <div className="list-tools" role="search">
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
        {text === '' && (
          <span className="suffix" aria-hidden>
            <kbd>/</kbd>
          </span>
        )}
      </span>
      <div className="actions" role="group" aria-label={strings.links.show}>
        {STATES.map((state) => (
          <button
            key={state}
            type="button"
            className="chip"
            aria-pressed={query.state === state}
            onClick={() => onChange({ state })}
          >
            {strings.links.states[state]}
          </button>
        ))}
      </div>
      <Select
        aria-label={strings.links.sort}
        value={query.order}
        onChoice={(order: ListQuery['order']) => onChange({ order })}
        choices={ORDERS.map((value) => ({ value, label: strings.links.orders[value] }))}
      />
    </div>
  )
}
