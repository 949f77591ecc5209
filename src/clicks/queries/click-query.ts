import { type Dimension, DIMENSIONS } from '../../store/click-dimensions.ts'
import type { FactCounts } from '../facts/fact-columns.ts'

/** Which clicks, and how they are added up. All groups of a query are of the same clicks. */
export type ClickQuery = LinkIds & {
  /** Undefined: of the whole server. */
  workspaceId?: number | undefined
  fromUs: number
  /** Exclusive. */
  toUs: number
  filters?: { readonly [Name in Dimension]?: ClickFilter }
  /** Needed by groups by step: how long each is. The first begins at `fromUs`. */
  stepUs?: number
  groups: readonly ClickGroup[]
  /** What is added up beside clicks; by default all. What is left out may be 0, because to read a count of a file takes a tenth of the time. */
  counts?: readonly Exclude<keyof FactCounts, 'clicks'>[] | undefined
}

export type ClickFilter = {
  values: readonly string[]
  isNegated?: boolean
  /** Clicks without a value pass if they are of these. */
  otherwise?: LinkSet
}

export type LinkIds = {
  /** Of these links of the workspace. */
  linkIds?: readonly number[] | undefined
  /** Of all others. */
  exceptLinkIds?: readonly number[] | undefined
}

/** Either only some links, or all but some. */
export type LinkSet = { linkIds: readonly number[] } | { exceptLinkIds: readonly number[] }

/** Rows with the same clicks are in this order of keys, whatever the order in `by`: newer links first, smaller values, earlier steps. */
export const GROUP_KEYS = ['link_id', ...DIMENSIONS, 'step'] as const

export type GroupKey = (typeof GROUP_KEYS)[number]

/** By nothing: one row with all clicks. `top`: how many rows, most clicks first; otherwise all, up to `ROWS_MAX`. */
export type ClickGroup = { by: readonly GroupKey[]; top?: number | undefined }

/** More than the quarters of an hour of three years. */
export const ROWS_MAX = 110_000

/** `keys` are in the order of `by`. A step is a number from 0. */
export type ClickRow = { keys: readonly (string | number)[] } & FactCounts

/** Those that the groups are of. Throws if the query is not valid: names become part of statements, so that the types alone are not enough. */
export function keysOf({ groups, filters = {}, stepUs = 0 }: ClickQuery): GroupKey[] {
  for (const name of Object.keys(filters))
    if (!isDimension(name)) throw new Error(`No query filters by ${name}.`)
  const keys = new Set(groups.flatMap(({ by }) => by))
  for (const key of keys) if (!GROUP_KEYS.includes(key)) throw new Error(`No query groups by ${key}.`)
  if (keys.has('step') && stepUs <= 0) throw new Error('A query by step says how long each is.')
  const sets = groups.map(({ by }) => by.toSorted().join())
  const isRepeated = groups.some(({ by }) => new Set(by).size < by.length) || new Set(sets).size < sets.length
  if (isRepeated || groups.length === 0) throw new Error('A query has groups, and each of them once.')
  return inOrder([...keys])
}

/** In that of `GROUP_KEYS`. */
export const inOrder = (keys: readonly GroupKey[]): GroupKey[] =>
  GROUP_KEYS.filter((key) => keys.includes(key))

export const isDimension = (name: string): name is Dimension =>
  (DIMENSIONS as readonly string[]).includes(name)
