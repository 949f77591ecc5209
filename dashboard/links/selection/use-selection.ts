import { useEffect, useState } from 'react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'

/** The picker that is open. */
export type OpenPicker = 'tags' | 'folder'

type State = {
  picked: Picked
  /** Where a range begins. */
  anchor?: number | undefined
  asked?: OpenPicker | undefined
  /** For one link, from its menu: the selection ends with the picker. */
  isSolo?: boolean
  /** On a phone: a touch selects a row instead of opening it. */
  isPicking?: boolean
}

const NONE: State = { picked: new Map() }

export type Selection = ReturnType<typeof useSelection>

/** `list`: what is listed. Another list begins with nothing selected, another page of it does not. */
export function useSelection(list: string) {
  const [state, setState] = useState(NONE)
  useEffect(() => setState(NONE), [list])
  const { picked, anchor, asked, isSolo = false, isPicking = false } = state
  const set = (links: readonly OwnLink[], isOn: boolean) =>
    setState((now) => ({
      ...now,
      isSolo: false,
      picked: withLinks(now.picked, links, isOn),
      anchor: links.at(-1)?.id,
    }))
  return {
    picked,
    asked,
    isPicking,
    set,
    /** Selects what is between this link and the one before. */
    extend: (rows: readonly OwnLink[], { id: to }: OwnLink) => {
      set(rowsBetween(rows, anchor, to), true)
      setState((now) => ({ ...now, anchor: anchor ?? to }))
    },
    toggle: (link: OwnLink) => set([link], !picked.has(link.id)),
    ask: (what: OpenPicker | undefined) =>
      setState((now) => (what === undefined && isSolo ? NONE : { ...now, asked: what })),
    askAbout: (link: OwnLink, what: OpenPicker) =>
      setState({ picked: withLinks(NONE.picked, [link], true), asked: what, isSolo: true }),
    /** Selected links have changed. */
    patch: (change: (link: OwnLink) => OwnLink) =>
      setState((now) => ({
        ...now,
        picked: new Map([...now.picked].map(([id, link]) => [id, change(link)])),
      })),
    startPicking: (links: readonly OwnLink[] = []) =>
      setState({ picked: withLinks(NONE.picked, links, true), isPicking: true }),
    clear: () => setState(NONE),
  }
}

/** Selected links, by ID: as they were when they were selected. */
export type Picked = ReadonlyMap<number, OwnLink>

/** With these links selected, or not. */
export function withLinks(picked: Picked, links: readonly OwnLink[], isOn: boolean): Picked {
  const next = new Map(picked)
  for (const link of links)
    if (isOn) next.set(link.id, link)
    else next.delete(link.id)
  return next
}

/** The rows between two of them, with both. Only the second if the first is on another page. */
export function rowsBetween(rows: readonly OwnLink[], from: number | undefined, to: number): OwnLink[] {
  const places = [from ?? to, to].map((wanted) => rows.findIndex(({ id }) => id === wanted))
  const [first, last] = places.includes(-1) ? [places[1]!, places[1]!] : places.sort((a, b) => a - b)
  return rows.slice(first, last! + 1)
}

/** How many of the rows are selected. */
export function pickedOf(picked: Picked, rows: readonly OwnLink[]): boolean | 'some' {
  const count = rows.filter(({ id }) => picked.has(id)).length
  return count === 0 ? false : count === rows.length ? true : 'some'
}
