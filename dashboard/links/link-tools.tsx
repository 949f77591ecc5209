import { Search } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import type { LinkListQuery, LinkSort, LinkStatus } from '../api-client.ts'
import { Select } from '../parts/field.tsx'
import { useSettled } from '../use-settled.ts'
import { words } from '../words.ts'

const SETTLED_MS = 160
const STATUSES: [LinkStatus, string][] = [
  ['all', words.links.all],
  ['active', words.links.active],
  ['inactive', words.links.inactive],
]

type LinkToolsProps = {
  field: RefObject<HTMLInputElement | null>
  query: LinkListQuery
  onChange: (change: Partial<LinkListQuery>) => void
}

export function LinkTools({ field, query, onChange }: LinkToolsProps) {
  const [text, setText] = useState(query.search)
  const settled = useSettled(text, SETTLED_MS)
  useEffect(() => {
    if (settled !== query.search) onChange({ search: settled })
  }, [settled])
  // The address may change without typing: by going back, or when the search is cleared elsewhere.
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
          placeholder={words.links.search}
          aria-label={words.links.search}
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
      <div className="actions" role="group" aria-label={words.links.show}>
        {STATUSES.map(([status, label]) => (
          <button
            key={status}
            type="button"
            className="chip"
            aria-pressed={query.status === status}
            onClick={() => onChange({ status })}
          >
            {label}
          </button>
        ))}
      </div>
      <Select
        aria-label={words.links.sort}
        value={query.sort}
        onChoice={(sort: LinkSort) => onChange({ sort })}
        choices={Object.entries(words.links.sorts).map(([value, label]) => ({
          value: value as LinkSort,
          label,
        }))}
      />
    </div>
  )
}
