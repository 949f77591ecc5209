import type { FactCounts, TextColumn } from '../facts/fact-columns.ts'

/** Which clicks, and how they are added up. All groups of a query are answered by one scan. */
export type ClickQuery = {
  /** Both may be left out: the clicks of the whole server. */
  workspaceId?: number
  linkIds?: readonly number[]
  fromUs: number
  /** Exclusive. */
  toUs: number
  filters?: { readonly [Column in TextColumn]?: ClickFilter }
  groups: readonly ClickGroup[]
  /** Which rows of a group are the first. Quarters are always in the order of time. */
  orderBy?: 'clicks' | 'visitors' | 'bots'
}

export type ClickFilter = { values: readonly string[]; isNegated?: boolean }

/** `quarter` is quarters of an hour since 1970 UTC; `total` is one row without a value. */
export type ClickGroup = { by: TextColumn | 'link_id' | 'quarter' | 'total'; top?: number }

export type ClickRow = { value: string | number | null } & FactCounts

export type ClickAnswer = {
  /** All clicks up to this id of the table `clicks` are in the rows, and no later one. */
  upToId: number
  /** The rows of each group, in the order of the query. */
  groups: ClickRow[][]
  /** Files of the range that are gone or damaged: their clicks are missing in the rows. */
  unreadableFiles: string[]
}
