import type { CheckedRow, NewLinkInput } from '../../../src/http/endpoints/browser-types.ts'
import type { FieldErrors } from '../../api/request.ts'
import { plainErrors } from '../../api/plain-errors.ts'
import { bulkStrings } from './bulk-strings.ts'
import type { BulkColumns, BulkTable } from './bulk-columns.ts'
import { tagsInput } from '../labels/label-queries.ts'
import { withAddedScheme, withScheme } from '../added-scheme.tsx'

/** The API's limit for one request. */
export const BATCH_MAX = 100
export const ROWS_MAX = 5_000

/** `hasAddedScheme`: the list names none, so `https://` was put before the URL. */
export type BulkRow = { line: number; link: NewLinkInput; hasAddedScheme?: boolean }
/** What the links of all rows get. `folder`: '' for none; `domain`: '' for the default. */
export type BulkCommon = { tags: readonly string[]; folder: string; domain: string }
export type RefusedRow = BulkRow & { reasons: string[] }

/** The links of all rows. Columns that were not chosen are not read. */
export function rowsOfTable(table: BulkTable, { url, title, code, tags }: BulkColumns): BulkRow[] {
  if (url === undefined) return []
  return table.rows.map(({ line, fields }) => {
    const value = (column: number | undefined) => plainValue(fields[column ?? -1] ?? '')
    const titleText = value(title)
    const codeText = value(code)
    const tagTexts = tagsInput(value(tags).split(','))
    const link: NewLinkInput = {
      original_url: withScheme(value(url)),
      ...(titleText === '' ? {} : { title: titleText }),
      ...(codeText === '' ? {} : { custom_code: codeText }),
      ...(tagTexts.length === 0 ? {} : { tags: tagTexts }),
    }
    const hasNoScheme = withAddedScheme(value(url)) !== undefined
    return { line, link, ...(hasNoScheme && { hasAddedScheme: true }) }
  })
}

/** On one line, without the apostrophe that exports put before what a spreadsheet would run as a formula. */
const plainValue = (field: string): string =>
  field
    .replace(/\s+/g, ' ')
    .replace(/^'(?=\s*[=+\-@＝＋－＠])/, '')
    .trim()

export function withCommon(rows: readonly BulkRow[], { tags, folder, domain }: BulkCommon): BulkRow[] {
  const common = {
    ...(domain === '' ? {} : { domain }),
    ...(folder.trim() === '' ? {} : { folder: folder.trim() }),
  }
  return rows.map(({ line, link, ...rest }) => {
    const allTags = [...new Set([...tagsInput(tags), ...(link.tags ?? [])])]
    return { line, ...rest, link: { ...link, ...common, ...(allTags.length === 0 ? {} : { tags: allTags }) } }
  })
}

/**
 * The rows share their folder, their domain and their first tags, so an error of these is one of every row. Undefined if
 * there is none.
 */
export function commonErrors(
  [first]: readonly CheckedRow[],
  tags: readonly string[],
): FieldErrors | undefined {
  const common = new Set(['folder', 'domain', ...tagsInput(tags).map((_, at) => `tags.${at}`)])
  const errors = Object.entries(first?.errors ?? {})
    .filter(([field]) => common.has(field))
    .map(([field, sentences]) => [field, sentences.map((each) => each.replace(`links.${first!.index}.`, ''))])
  return errors.length === 0 ? undefined : Object.fromEntries(errors)
}

export function inBatches<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  const batches: Item[][] = []
  for (let at = 0; at < items.length; at += sizeMax) batches.push(items.slice(at, at + sizeMax))
  return batches
}

/** The server's errors, by row. */
export function refusedRows(rows: readonly BulkRow[], checked: readonly CheckedRow[]): RefusedRow[] {
  return checked.flatMap(({ index, errors, error_codes: codes }) => {
    // The API reports a missing URL under both of its names.
    const sentences = Object.values(plainErrors(errors, codes)).flat()
    const reasons = [...new Set(sentences.map((each) => each.replace(/links\.\d+\.tags\.\d+/g, 'tag')))]
    const row = rows[index]
    return row === undefined || reasons.length === 0 ? [] : [{ ...row, reasons }]
  })
}

/** The same for a failed request: `links.3.title` belongs to the row with index 3. */
export function rowsRefusedAs(
  rows: readonly BulkRow[],
  fields: Readonly<Record<string, string[]>>,
): RefusedRow[] {
  const entries = rows.map((_, index) => ({
    index,
    errors: {} as Record<string, string[]>,
    error_codes: {},
  }))
  for (const [field, sentences] of Object.entries(fields)) {
    const [, index, name = 'link'] = /^links\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
    const row = index === undefined ? undefined : entries[Number(index)]
    if (row !== undefined) row.errors[name] = sentences
  }
  return refusedRows(rows, entries)
}

/** Codes that an earlier line uses. The server sees one request at a time, so it cannot find all of them. */
export function repeatedCodes(rows: readonly BulkRow[]): RefusedRow[] {
  const lineOf = new Map<string, number>()
  return rows.flatMap((row) => {
    const { custom_code: code } = row.link
    if (code === undefined || code === null) return []
    const earlier = lineOf.get(code)
    if (earlier !== undefined) return [{ ...row, reasons: [bulkStrings.repeated(String(earlier))] }]
    lineOf.set(code, row.line)
    return []
  })
}
