import type { ClickGroup, GroupKey } from './click-query.ts'

// How engines with GROUPING SETS add up clicks for all groups of a query at once. `quoted` writes the name of a column as the engine reads it.

type Quoted = (name: string) => string

export const groupingSets = (groups: readonly ClickGroup[], quoted: Quoted): string =>
  `GROUPING SETS (${groups.map(({ by }) => `(${by.map(quoted)})`)})`

/** Which of the groups a row is of, as `maskOf` says it. */
export const maskColumn = (keys: readonly GroupKey[], quoted: Quoted): string =>
  `${keys.length === 0 ? '0' : `grouping(${keys.map(quoted)})`} AS mask`

/** As GROUPING computes it: a bit for each key that the row is not grouped by, the first key in the highest one. */
export const maskOf = (by: readonly GroupKey[], keys: readonly GroupKey[]): number =>
  keys.reduce((mask, key) => mask * 2 + (by.includes(key) ? 0 : 1), 0)

/** Of rows with the same clicks: newer links first, smaller values, earlier steps. */
export const orderOfKeys = (keys: readonly GroupKey[], quoted: Quoted): string[] =>
  keys.map((key) => (key === 'link_id' ? `${quoted(key)} DESC` : quoted(key)))
