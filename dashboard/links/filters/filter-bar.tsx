import { useEffect, useRef, useState } from 'react'
import { PHONE, useMedia } from '../../use-media.ts'
import { isTyping, moveFocus, useShortcuts } from '../../shell/shortcuts.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import { isFiltered, type ListQuery, NO_FILTERS } from '../list/list-query.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import {
  ArchivedPill,
  AttentionPill,
  CreatedPill,
  CreatorPill,
  DomainPill,
  EndsPill,
  type FilterProps,
  ImportPill,
} from './list-pickers.tsx'
import { ArrowDownUp, ListFilter } from 'lucide-react'
import { Button, TextButton } from '../../components/button.tsx'
import { Menu } from '../../components/pickers/menu.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { SelectField } from '../../components/fields/field.tsx'
import { fullNumber } from '../../format.ts'
import { FolderPill, StatusPill, TagPill } from './counted-pills.tsx'

type SortName = keyof typeof texts.sorts
type Sorting = Pick<ListQuery, 'sort' | 'order'>

const SORTINGS: Record<SortName, Sorting> = {
  newest: { sort: 'created_at', order: 'desc' },
  oldest: { sort: 'created_at', order: 'asc' },
  'most-clicks': { sort: 'clicks', order: 'desc' },
  'fewest-clicks': { sort: 'clicks', order: 'asc' },
  'last-click': { sort: 'last_clicked_at', order: 'desc' },
  title: { sort: 'title', order: 'asc' },
  'title-down': { sort: 'title', order: 'desc' },
  'first-click': { sort: 'last_clicked_at', order: 'asc' },
}
const NAMES = Object.keys(SORTINGS) as SortName[]
/** The heads of the table reach these as well. */
const OFFERED = NAMES.slice(0, 6)

const sortName = ({ sort, order }: Sorting): SortName =>
  NAMES.find((name) => SORTINGS[name].sort === sort && SORTINGS[name].order === order)!

/** What can be chosen, with what is chosen now. */
const offeredSorts = (now: SortName) =>
  (OFFERED.includes(now) ? OFFERED : [...OFFERED, now]).map((value) => ({
    value,
    label: texts.sorts[value],
  }))

const sortingOf = (name: string): Sorting => SORTINGS[name as SortName]

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
      <div
        className="pills"
        role="group"
        aria-label={texts.filters}
        ref={bar}
        // As F brings the focus to one of them.
        onKeyDown={(event) => moveFocus(event, '.pill-open')}
      >
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
  <TextButton onClick={() => onChange(NO_FILTERS)}>{texts.clear}</TextButton>
)

/** F goes to the first filter that is not set, Backspace removes the last one that is. */
function useFilterKeys({ query, onChange }: FilterProps, bar: { current: HTMLElement | null }): void {
  const focusFirst = () => {
    const pills = bar.current?.querySelectorAll<HTMLElement>('.pill:not(.is-set) > .pill-open')
    pills?.[0]?.focus()
  }
  useShortcuts({ f: focusFirst })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
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

function SortMenu({ query, onChange }: FilterProps) {
  const name = sortName(query)
  return (
    <Menu
      label={texts.sort}
      trigger={
        <Button
          variant="quiet"
          size="small"
          icon={ArrowDownUp}
          aria-label={`${texts.sort}: ${texts.sorts[name]}`}
        >
          {texts.sorts[name]}
        </Button>
      }
      items={[
        {
          kind: 'choice',
          label: texts.sort,
          value: name,
          choices: offeredSorts(name),
          onChoice: (chosen) => onChange(sortingOf(chosen)),
        },
      ]}
    />
  )
}

/** On a phone: all filters and the order, behind one button with the number of those that are set. */
function FilterSheet(props: FilterProps) {
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

/** In the order in which they stand. */
const LIST_FILTERS = [
  { id: 'status', Pill: StatusPill, fields: ['statuses'] },
  { id: 'tag', Pill: TagPill, fields: ['tags', 'tagMode'] },
  { id: 'folder', Pill: FolderPill, fields: ['folders'] },
  { id: 'domain', Pill: DomainPill, fields: ['domains'] },
  { id: 'creator', Pill: CreatorPill, fields: ['creators'] },
  { id: 'import', Pill: ImportPill, fields: ['imports'] },
  { id: 'created', Pill: CreatedPill, fields: ['createdFrom', 'createdTo'] },
  { id: 'ends', Pill: EndsPill, fields: ['endsInDays'] },
  { id: 'attention', Pill: AttentionPill, fields: ['needsAttention'] },
  { id: 'archived', Pill: ArchivedPill, fields: ['archived'] },
] as const

type Filter = (typeof LIST_FILTERS)[number]

const isSet = (query: ListQuery, { fields: [field] }: Filter) =>
  String(query[field]) !== String(NO_FILTERS[field])

const setFilters = (query: ListQuery): Filter[] =>
  LIST_FILTERS.filter((filter) => isSet(query, filter) || (filter.id === 'created' && query.createdTo !== ''))

/** What removes the last filter that is set; undefined if none is. */
function withoutLastFilter(query: ListQuery): Partial<ListQuery> | undefined {
  const last = setFilters(query).at(-1)
  return last && Object.fromEntries(last.fields.map((field) => [field, NO_FILTERS[field]]))
}
