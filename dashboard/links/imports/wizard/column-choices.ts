import type { ImportColumnsView } from '../../../../src/http/endpoints/browser-types.ts'

type ColumnKind = ImportColumnsView['kinds'][number]['name']
type Columns = readonly Pick<ImportColumnsView['columns'][number], 'kind'>[]
type Kinds = readonly Pick<ImportColumnsView['kinds'][number], 'name'>[]

/**
 * What every field of a link is read from, after a field was chosen for the column at `at` (null: it is not imported): the number of a column,
 * from 1, or null. A field is read from one column only, so it leaves the one that had it.
 */
export function columnsAfter(
  columns: Columns,
  kinds: Kinds,
  chosen: { at: number; kind: ColumnKind | null },
): Partial<Record<ColumnKind, number | null>> {
  const kindAt = (at: number): ColumnKind | null => {
    if (at === chosen.at) return chosen.kind
    const { kind } = columns[at]!
    return kind === chosen.kind ? null : kind
  }
  const numberOf = (name: ColumnKind): number | null => {
    const at = columns.findIndex((_, each) => kindAt(each) === name)
    return at < 0 ? null : at + 1
  }
  return Object.fromEntries(kinds.map(({ name }) => [name, numberOf(name)]))
}
