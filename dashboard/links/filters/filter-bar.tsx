import { type KeyboardEvent, useEffect, useRef } from 'react'
import { PHONE, useMedia } from '../../use-media.ts'
import { isTyping, useShortcuts } from '../../shortcuts.ts'
import { listStrings as texts } from '../../strings/list-strings.ts'
import { isFiltered, NO_FILTERS } from '../list-query.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { FilterSheet } from './filter-sheet.tsx'
import { LIST_FILTERS, setFilters, withoutLastFilter } from './list-filters.ts'
import type { FilterProps } from './list-pickers.tsx'
import { SortMenu } from './sort-menu.tsx'

/** Filters, sorting and columns of the list: beside the search, or on a phone a sheet behind a button. */
export default function FilterBar(props: FilterProps) {
  const isPhone = useMedia(PHONE)
  const set = setFilters(props.query)
  const bar = useRef<HTMLDivElement>(null)
  useFilterKeys(props, bar)
  if (isPhone) {
    return (
      <>
        <FilterSheet {...props} />
        {set.length > 0 && (
          <div className="pills is-below">
            {set.map(({ id, Pill }) => (
              <Pill key={id} {...props} />
            ))}
            <ClearButton {...props} />
          </div>
        )}
      </>
    )
  }
  return (
    <>
      <div className="pills" role="group" aria-label={texts.filters} ref={bar} onKeyDown={moveFocus}>
        {LIST_FILTERS.map(({ id, Pill }) => (
          <Pill key={id} {...props} />
        ))}
        {isFiltered(props.query) && <ClearButton {...props} />}
      </div>
      <div className="list-ends">
        <SortMenu {...props} />
        <ColumnsMenu {...props} />
      </div>
    </>
  )
}

const ClearButton = ({ onChange }: FilterProps) => (
  <button type="button" className="text-button" onClick={() => onChange(NO_FILTERS)}>
    {texts.clear}
  </button>
)

/** The arrow keys move among filters, as F brings the focus to one of them. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const pills = [...event.currentTarget.querySelectorAll<HTMLElement>('.pill-open')]
  const at = pills.indexOf(event.target as HTMLElement)
  if (way === undefined || at === -1) return
  event.preventDefault()
  pills.at((at + way) % pills.length)!.focus()
}

/** F goes to the first filter that is not set, Backspace removes the last one that is. */
function useFilterKeys({ query, onChange }: FilterProps, bar: { current: HTMLElement | null }): void {
  const focusFirst = () => {
    const pills = bar.current?.querySelectorAll<HTMLElement>('.pill:not(.is-set) > .pill-open')
    pills?.[0]?.focus()
  }
  useShortcuts({ f: focusFirst })
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event
      if (key !== 'Backspace' || defaultPrevented || ctrlKey || metaKey || altKey) return
      if (!isEmptySearch(target) && isTyping(target)) return
      const change = withoutLastFilter(query)
      if (change) onChange(change)
    }
    // On the window: where links are selected, the key is theirs, and their listener is asked first.
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
}

const isEmptySearch = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.type === 'search' && target.value === ''
