import type { Dimension } from '../facts/dimensions.ts'
import type { FactCounts } from '../facts/fact-columns.ts'

/** Which clicks, and how they are added up. All groups of a query are of the same clicks. */
export type ClickQuery = {
  /** Undefined: of the whole server. */
  workspaceId?: number | undefined
  /** Of this workspace. */
  linkIds?: readonly number[] | undefined
  fromUs: number
  /** Exclusive. */
  toUs: number
  filters?: { readonly [Name in Dimension]?: ClickFilter }
  /** Needed by groups by step: how long each is. The first begins at `fromUs`. */
  stepUs?: number
  groups: readonly ClickGroup[]
}

export type ClickFilter = { values: readonly string[]; isNegated?: boolean }

export type GroupKey = Dimension | 'link_id' | 'step'

/** By nothing: one row with all clicks. `top`: how many rows, most clicks first; otherwise all, up to `ROWS_MAX`. */
export type ClickGroup = { by: readonly GroupKey[]; top?: number }

/** More than the quarters of an hour of three years. */
export const ROWS_MAX = 110_000

/** `keys` are in the order of `by`. A step is a number from 0. */
export type ClickRow = { keys: readonly (string | number)[] } & FactCounts

export type ClickAnswer = {
  /** The rows of each group, in the order of the query; most clicks first; if they have the same, newer links first, values and steps in their order. */
  groups: ClickRow[][]
  /** Files of the range that are gone or damaged: their clicks are missing in the rows. */
  unreadableFiles: readonly string[]
}
