import { type RefObject, useEffect, useRef } from 'react'
import type { ListedLink } from '../../../src/http/endpoints/browser-types.ts'
import { isTyping } from '../../shell/shortcuts.ts'
import type { LinkActions } from '../link-actions.tsx'
import { pickedOf, type Selection } from './use-selection.ts'
import type { BulkWork } from './use-bulk-work.ts'

type RowKeysOptions = {
  rows: readonly ListedLink[]
  selection: Selection
  actions: LinkActions
  /** Of the selected links. Nothing until the tools for them have loaded. */
  work: RefObject<BulkWork | undefined>
  frame: RefObject<HTMLElement | null>
}

/** The row that has the focus, if one has. */
type At = { options: RowKeysOptions; row: ListedLink | undefined; place: number }

/** The keys of the list: single ones unless somebody types or a dialog is open. */
export function useRowKeys(options: RowKeysOptions): void {
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || isTyping(event.target)) return
      if (document.querySelector('.floating') !== null) return
      const place = focusedPlace(latest.current.frame.current)
      const at = { options: latest.current, row: latest.current.rows[place], place }
      const act = event.ctrlKey || event.metaKey ? withControl(event, at) : alone(event, at)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

type Act = (() => void) | undefined

function withControl({ key, shiftKey }: KeyboardEvent, { options, row }: At): Act {
  const { rows, selection, work, actions } = options
  if (shiftKey) return undefined
  if (key === 'a' && actions.canWrite && rows.length > 0) {
    if (pickedOf(selection.picked, rows) === true) return () => void work.current?.selectAll()
    return () => selection.set(rows, true)
  }
  const hasText = getSelection()?.isCollapsed === false
  if (key === 'c' && row !== undefined && !hasText) return () => actions.copy(row)
  return undefined
}

function alone({ key, shiftKey, target }: KeyboardEvent, { options, row, place }: At): Act {
  const { rows, selection, actions, frame } = options
  const goTo = (next: number) => focusRow(frame.current, next)
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key]
  if (step !== undefined) {
    // Without a row, the arrows scroll.
    if (row === undefined) return key.length > 1 ? undefined : () => goTo(0)
    const next = rows[place + step]
    if (next === undefined) return () => {}
    return () => {
      if (shiftKey && actions.canWrite) {
        if (!selection.picked.has(row.id)) selection.set([row], true)
        selection.set([next], true)
      }
      goTo(place + step)
    }
  }
  if (shiftKey) return undefined
  if (key === 'Escape') return selection.picked.size > 0 || selection.isPicking ? selection.clear : undefined
  const ofSelected = selectedAct(key, options)
  if (ofSelected !== undefined || row === undefined) return ofSelected
  if (key === 'Enter') return (target as Element).matches('.tick input') ? () => openRow(target) : undefined
  if (!actions.canWrite) return key === 'q' ? () => actions.open('qr', row) : undefined
  return {
    x: () => selection.toggle(row),
    e: () => actions.edit(row),
    q: () => actions.open('qr', row),
    t: () => selection.askAbout(row, 'tags'),
    m: () => selection.askAbout(row, 'folder'),
    a: () => actions.archive(row, !row.archived),
    Backspace: () => actions.remove(row),
    Delete: () => actions.remove(row),
  }[key]
}

/** With something selected, these keys are about that. */
function selectedAct(key: string, { selection, work }: RowKeysOptions): Act {
  if (selection.picked.size === 0) return undefined
  return {
    t: () => selection.ask('tags'),
    m: () => selection.ask('folder'),
    a: () => work.current?.archive(),
    Backspace: () => work.current?.remove(),
    Delete: () => work.current?.remove(),
  }[key]
}

const openRow = (target: EventTarget | null) =>
  (target as Element).closest('tr')?.querySelector<HTMLElement>('.row-link')?.click()

const namesIn = (frame: HTMLElement | null) => [
  ...(frame?.querySelectorAll<HTMLElement>('tbody .row-link') ?? []),
]

/** -1 if the focus is not in a row. */
function focusedPlace(frame: HTMLElement | null): number {
  const row = document.activeElement?.closest('tbody tr')
  return row && frame?.contains(row) ? [...row.parentElement!.children].indexOf(row) : -1
}

function focusRow(frame: HTMLElement | null, place: number): void {
  const name = namesIn(frame)[place]
  name?.focus()
  name?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}
