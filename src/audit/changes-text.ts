/** By JSON name, with JSON values: fields as the API shows them. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>

/** Of one entry. A request about many links with more than this is several entries. */
export const CHANGES_CHARS_MAX = 64 * 1024

/** The last one holds a host of 253 characters after `https://`, and every code: searches find both in a shortened entry. */
const VALUE_CHARS_MAX = [4_000, 1_000, 320]

/** What a value that was left out is in the log. */
const LEFT_OUT = '…'

/** As JSON of a bounded size: long texts are cut, then long earlier values left out. New values are left out last. */
export function changesText(changes: FieldChanges): string {
  const whole = JSON.stringify(changes)
  if (whole.length <= CHANGES_CHARS_MAX) return whole
  const shortened = VALUE_CHARS_MAX.map((charsMax) => JSON.stringify(changes, cutTo(charsMax)))
  const fitting = shortened.find(({ length }) => length <= CHANGES_CHARS_MAX)
  if (fitting !== undefined) return fitting
  const shortest = withoutLongest(withoutLongest(JSON.parse(shortened.at(-1)!), 'from'), 'to')
  return JSON.stringify(shortest)
}

const cutTo = (charsMax: number) => (_name: string, value: unknown) =>
  typeof value === 'string' && value.length > charsMax
    ? // Half of a surrogate pair at the end is cut off too.
      value.slice(0, charsMax - LEFT_OUT.length).replace(/[\ud800-\udbff]$/, '') + LEFT_OUT
    : value

/** The links of a request are what its entry is found by, so they stay. */
function withoutLongest(changes: FieldChanges, side: 'from' | 'to'): FieldChanges {
  const sizes = Object.entries(changes)
    .filter(([name]) => name !== 'links')
    .map(([name, change]) => ({ name, size: JSON.stringify(change[side]).length }))
  const others = { ...changes }
  let size = JSON.stringify(changes).length
  for (const longest of sizes.toSorted((a, b) => b.size - a.size)) {
    if (size <= CHANGES_CHARS_MAX) break
    others[longest.name] = { ...others[longest.name]!, [side]: LEFT_OUT }
    size -= longest.size
  }
  return others
}
