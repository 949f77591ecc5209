import type { CreatedLinkView } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api/api-client.ts'
import { newIdempotencyKey, RequestFailure } from '../../api/request.ts'
import { bulkStrings } from './bulk-strings.ts'
import {
  type BulkColumns,
  type BulkTable,
  guessColumns,
  overlongRows,
  readTable,
  shapeOf,
} from './bulk-columns.ts'
import {
  BATCH_MAX,
  type BulkCommon,
  type BulkRow,
  commonErrors,
  inBatches,
  type RefusedRow,
  refusedRows,
  repeatedCodes,
  rowsOfTable,
  rowsRefusedAs,
  withCommon,
} from './bulk-rows.ts'
import { useMemo, useState } from 'react'

/** Rows of one request: all or none are created. The idempotency key makes a repeated request safe. */
type BulkPart = { key: string; rows: BulkRow[] }
export type Checked = { parts: BulkPart[]; refused: RefusedRow[]; created: CreatedLinkView[] }
/** What is checked. `refused`: rows that cannot be read. `tags`: those of all rows. */
export type BulkList = { rows: BulkRow[]; refused: RefusedRow[]; tags: readonly string[] }
type OnProgress = (rows: number) => void

export const rowsOf = ({ parts }: Checked): number => parts.reduce((sum, { rows }) => sum + rows.length, 0)

/** The lines that still have to be edited or created. Created ones are removed, so that they are not created twice. */
export function remainingLines({ head, rows }: BulkTable, { parts, refused }: Checked): string {
  const openLines = new Set([...parts.flatMap(({ rows }) => rows), ...refused].map(({ line }) => line))
  const leftRows = rows.filter(({ line }) => openLines.has(line))
  return [...(head === undefined ? [] : [head]), ...leftRows].map(({ source }) => source).join('\n')
}

/** Validates every row on the server. Nothing is stored. */
export async function checkRows(list: BulkList, onProgress: OnProgress): Promise<Checked> {
  const refusals = [...list.refused, ...repeatedCodes(list.rows)]
  const rows = withoutLines(list.rows, linesOf(refusals))
  for (const batch of inBatches(rows, BATCH_MAX)) {
    const { data } = await ask('POST /links/check', { input: { links: batch.map(({ link }) => link) } })
    const fields = commonErrors(data, list.tags)
    if (fields !== undefined) throw new RequestFailure('invalid', bulkStrings.labelsRefused, { fields })
    refusals.push(...refusedRows(batch, data))
    onProgress(batch.length)
  }
  return { parts: partsOf(withoutLines(rows, linesOf(refusals))), refused: inOrder(refusals), created: [] }
}

/** A failure midway, with the remaining parts and their idempotency keys. */
export class BulkStopped extends Error {
  override readonly name = 'BulkStopped'
  constructor(
    readonly left: Checked,
    override readonly cause: unknown,
  ) {
    super('Not all links were created.')
  }
}

/** Creates one part after the other. Errors that were not found by the check name their row. */
export async function createParts(checked: Checked, onProgress: OnProgress): Promise<CreatedLinkView[]> {
  let rest = checked
  for (const { key, rows } of checked.parts) {
    const links = rows.map(({ link }) => link)
    let newLinks: CreatedLinkView[]
    try {
      const { data } = await ask('POST /bulk-shorten', { input: { links }, idempotencyKey: key })
      // It was no dry run.
      newLinks = data as CreatedLinkView[]
    } catch (error) {
      throw new BulkStopped(leftAfter(rest, error), error)
    }
    rest = { ...rest, parts: rest.parts.slice(1), created: [...rest.created, ...newLinks] }
    onProgress(rows.length)
  }
  return rest.created
}

function leftAfter(left: Checked, error: unknown): Checked {
  const [stopped, ...others] = left.parts
  const fields = error instanceof RequestFailure && error.kind === 'invalid' ? error.fields : {}
  const newlyRefused = rowsRefusedAs(stopped!.rows, fields)
  if (newlyRefused.length === 0) return left
  const lines = linesOf(newlyRefused)
  // A different body needs a new key.
  return {
    ...left,
    parts: [...partsOf(withoutLines(stopped!.rows, lines)), ...others],
    refused: inOrder([...left.refused, ...newlyRefused]),
  }
}

const partsOf = (rows: readonly BulkRow[]): BulkPart[] =>
  inBatches(rows, BATCH_MAX).map((batch) => ({ key: newIdempotencyKey(), rows: batch }))

const linesOf = (rows: readonly BulkRow[]) => new Set(rows.map(({ line }) => line))

const withoutLines = (rows: readonly BulkRow[], lines: ReadonlySet<number>): BulkRow[] =>
  rows.filter(({ line }) => !lines.has(line))

const inOrder = (rows: RefusedRow[]): RefusedRow[] => rows.sort((a, b) => a.line - b.line)

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
