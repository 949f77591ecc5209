import type { LucideIcon } from 'lucide-react'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { folded } from '../components/pickers/option-rows.ts'

/** One thing that the palette can do. */
export type PaletteRow = {
  id: string
  label: string
  icon?: LucideIcon
  /** At the end: how many links. */
  detail?: string
  /** A key that does the same without the palette. */
  keys?: string
  /** More words that find it. */
  also?: string
  link?: OwnLink
  isDanger?: boolean
  run: () => void
}

type GroupName = 'create' | 'links' | 'recent' | 'places' | 'actions' | 'link'
export type PaletteGroup = { name: GroupName; rows: PaletteRow[] }

/** Shows actions only. */
const ACTIONS_ONLY = '>'
const PLACES_MAX = 5
const ACTIONS_MAX = 5

export type PaletteContent = {
  text: string
  /** Those that the server has found, the best first, and the way to all of them. */
  links: readonly PaletteRow[]
  /** The last ones that were opened. */
  recent: readonly PaletteRow[]
  places: readonly PaletteRow[]
  /** The most used first. */
  actions: readonly PaletteRow[]
  /** What can be made of a URL that was typed. */
  createTo: PaletteRow | undefined
  /** What can be made of a code that was typed. */
  createWith: readonly PaletteRow[]
}

const isActionsOnly = (text: string): boolean => text.startsWith(ACTIONS_ONLY)

/** The text that links are searched for; empty for none. */
export const searchedText = (text: string): string => (isActionsOnly(text) ? '' : text.trim())

/** Groups without a row are left out. */
export function paletteGroups(content: PaletteContent): PaletteGroup[] {
  const { text, links, recent, places, actions, createTo, createWith } = content
  if (isActionsOnly(text)) {
    const rest = text.slice(ACTIONS_ONLY.length).trim()
    return filled([{ name: 'actions', rows: matchingRows(actions, rest) }])
  }
  if (text.trim() === '') {
    return filled([
      { name: 'recent', rows: [...recent] },
      { name: 'actions', rows: actions.slice(0, ACTIONS_MAX) },
    ])
  }
  const matching = matchingRows(actions, text)
  const others = createWith.filter(({ id }) => matching.every((row) => row.id !== id))
  return filled([
    { name: 'create', rows: createTo ? [createTo] : [] },
    { name: 'links', rows: [...links] },
    { name: 'places', rows: matchingRows(places, text).slice(0, PLACES_MAX) },
    { name: 'actions', rows: [...matching.slice(0, ACTIONS_MAX), ...others] },
  ])
}

const filled = (groups: PaletteGroup[]) => groups.filter(({ rows }) => rows.length > 0)

/** Rows that have all the words, in any order: what begins with the text first, then where a word begins with it. */
export function matchingRows(rows: readonly PaletteRow[], text: string): PaletteRow[] {
  const search = folded(text.trim())
  if (search === '') return [...rows]
  const words = search.split(/\s+/)
  const ranked = rows.flatMap((row) => {
    const label = folded(row.label)
    const all = `${label} ${folded(row.also ?? '')}`
    if (!words.every((word) => all.includes(word))) return []
    return { row, rank: label.startsWith(search) ? 0 : ` ${all}`.includes(` ${search}`) ? 1 : 2 }
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ row }) => row)
}
