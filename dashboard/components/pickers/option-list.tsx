import { Check, Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Option, type OptionRow, optionRows } from './option-rows.ts'
import { Marked } from './marked.tsx'
import { Skeleton } from '../skeleton.tsx'
import './options.css'

/** The English texts of fields with options to choose from. */
export const optionStrings = {
  find: (label: string) => `Find in ${label}`,
  findShort: 'Find…',
  typeForMore: 'Type to find more.',
  remove: (value: string) => `Remove ${value}`,
  wrong: 'Not valid',
}

const SKELETON_WIDTHS = ['70%', '45%', '60%']

export type OptionSource = {
  /** Undefined while they are loading. */
  options: readonly Option[] | undefined
  /** When nothing is found: "No tags match". */
  none: string
  /** Offers to make a new option of the text, under this name: `Create tag “new”`. */
  createLabel?: (text: string) => string
  onCreate?: (text: string) => void
}

type OptionListOptions = OptionSource & {
  text: string
  onPick: (value: string) => void
  /** The row that Enter picks at first; -1: none. */
  firstActive: number
}

type OptionListState = ReturnType<typeof useOptionList>

/** The rows for a text, and the one that the arrow keys have reached. The focus stays in the text field. */
export function useOptionList({ options, text, onPick, firstActive, ...source }: OptionListOptions) {
  const { none, createLabel, onCreate } = source
  const id = useId()
  const { rows, isCut } = optionRows(options ?? [], text, onCreate !== undefined)
  const [reached, setReached] = useState<{ text: string; at: number }>()
  // After other text was typed, the first row is the best one.
  const start = text === '' ? firstActive : Math.min(firstActive, 0)
  const active = Math.min(reached?.text === text ? reached.at : start, rows.length - 1)
  const setActive = (at: number) => setReached({ text, at })
  const pick = (row: OptionRow | undefined) => {
    if (row?.kind === 'option') onPick(row.option.value)
    else if (row) onCreate?.(row.text)
  }
  /** True if the key was one for the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    const last = rows.length - 1
    const next = { ArrowDown: active < last ? active + 1 : 0, ArrowUp: active > 0 ? active - 1 : last }[
      event.key
    ]
    if (event.nativeEvent.isComposing) return false
    if (next !== undefined && rows.length > 0) setActive(next)
    else if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey && rows[active]) pick(rows[active])
    else return false
    event.preventDefault()
    return true
  }
  const rowId = (at: number) => `${id}-${at}`
  return {
    id,
    none,
    createLabel,
    /** For the text field. */
    field: (isShown: boolean) => ({
      role: 'combobox' as const,
      'aria-expanded': isShown,
      'aria-controls': isShown ? id : undefined,
      'aria-activedescendant': isShown && rows[active] ? rowId(active) : undefined,
      'aria-autocomplete': 'list' as const,
    }),
    text,
    rows,
    isCut,
    isLoading: options === undefined,
    active,
    setActive,
    pick,
    onKey,
    rowId,
  }
}

type OptionListProps = {
  list: OptionListState
  label: string
  chosen?: readonly string[]
  isMulti?: boolean
}

export function OptionList({ list, label, chosen = [], isMulti = false }: OptionListProps) {
  const { rows, active, isCut, isLoading, none, createLabel } = list
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    element.current?.querySelector('.is-active')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <>
      <div
        ref={element}
        className="options"
        id={list.id}
        role="listbox"
        aria-label={label}
        aria-multiselectable={isMulti}
        aria-busy={isLoading || undefined}
      >
        {isLoading && SKELETON_WIDTHS.map((width) => <LoadingRow key={width} width={width} />)}
        {rows.map((row, at) => (
          <Row
            key={row.kind === 'option' ? row.option.value : 'create'}
            id={list.rowId(at)}
            isActive={at === active}
            isChosen={row.kind === 'option' && chosen.includes(row.option.value)}
            hasTick={isMulti}
            onReach={() => list.setActive(at)}
            onPick={() => list.pick(row)}
            row={row}
            search={list.text}
            createLabel={createLabel}
          />
        ))}
      </div>
      <p className="options-note hint" role="status">
        {!isLoading && rows.length === 0 && none}
        {isCut && optionStrings.typeForMore}
      </p>
    </>
  )
}

const LoadingRow = ({ width }: { width: string }) => (
  <div className="option" role="presentation">
    <Skeleton width={width} height={14} />
  </div>
)

type RowProps = {
  createLabel: OptionSource['createLabel']
  id: string
  row: OptionRow
  search: string
  isActive: boolean
  isChosen: boolean
  hasTick: boolean
  onReach: () => void
  onPick: () => void
}

const Row = ({ id, row, search, isActive, isChosen, hasTick, onReach, onPick, createLabel }: RowProps) => (
  <div
    id={id}
    role="option"
    className={`option${isActive ? ' is-active' : ''}`}
    aria-selected={isChosen}
    aria-checked={row.kind === 'option' && row.option.isSome ? 'mixed' : undefined}
    onPointerMove={isActive ? undefined : onReach}
    // The focus stays in the text field.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onPick}
  >
    {row.kind === 'create' ? (
      <>
        <Plus size={16} aria-hidden />
        <span className="cut">{createLabel?.(row.text) ?? row.text}</span>
      </>
    ) : (
      <>
        {(hasTick || isChosen) && (
          <span className={`option-tick${hasTick ? ' is-box' : ''}`} aria-hidden>
            {isChosen && <Check size={13} strokeWidth={3} />}
            {row.option.isSome && <Minus size={13} strokeWidth={3} />}
          </span>
        )}
        {row.option.color && <Dot color={row.option.color} />}
        <span className="cut">
          <Marked text={row.option.label} search={search} />
        </span>
        {row.option.detail && <span className="option-detail">{row.option.detail}</span>}
      </>
    )}
  </div>
)

const Dot = ({ color }: { color: string }) => (
  <span className="option-dot" style={{ background: color }} aria-hidden />
)
