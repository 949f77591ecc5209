import { useMemo, useState } from 'react'
import { bulkStrings } from './bulk-strings.ts'
import {
  type BulkColumns,
  type BulkTable,
  guessColumns,
  overlongRows,
  readTable,
  shapeOf,
} from './bulk-columns.ts'
import { type BulkCommon, rowsOfTable, withCommon } from './bulk-rows.ts'
import type { BulkList } from './bulk-work.ts'

export type BulkText = BulkCommon & { text: string }

/** What was typed or read from a file, as links. The choice of columns holds until the text has others. */
export function useBulkList(typed: BulkText) {
  const table = useMemo(() => readTable(typed.text), [typed.text])
  const [choice, setChoice] = useState<{ shape: string; columns: BulkColumns }>()
  const columns = choice?.shape === shapeOf(table) ? choice.columns : guessColumns(table)
  const chooseColumns = (next: BulkColumns) => setChoice({ shape: shapeOf(table), columns: next })
  return { table, columns, chooseColumns, list: listOf(table, columns, typed) }
}

/** Rows that are too long to be read stand among those with errors. */
function listOf(table: BulkTable, columns: BulkColumns, common: BulkCommon): BulkList {
  const overlong = new Set(overlongRows(table))
  const readable = { ...table, rows: table.rows.filter((row) => !overlong.has(row)) }
  const refusals = [...overlong].map(({ line, source }) => ({
    line,
    link: { original_url: source },
    reasons: [bulkStrings.overlong],
  }))
  return { rows: withCommon(rowsOfTable(readable, columns), common), refused: refusals, tags: common.tags }
}
