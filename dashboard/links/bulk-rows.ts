import type { CheckedRow, NewLinkInput } from '../../src/http/dashboard-api/types/link-types.ts'
import { parseCsv, separatorOf } from '../csv.ts'
import type { FieldErrors } from '../request.ts'
import { plainErrors } from '../plain-errors.ts'
import { bulkStrings } from '../strings/bulk-strings.ts'
import { errorStrings } from '../strings/error-strings.ts'
import { tagsInput } from './labels/tags-input.ts'

/** The API's limit for one request. */
export const BATCH_MAX = 100
export const ROWS_MAX = 5_000

export type BulkRow = { line: number; link: NewLinkInput }
/** What the links of all rows get. `folder`: '' for none; `domain`: '' for the default. */
export type BulkCommon = { tags: readonly string[]; folder: string; domain: string }
export type RefusedRow = BulkRow & { reasons: string[] }

const HEADS = /^(original_url|url|address|destination|link|long url)$/i

/** Lines of `URL, title, code`. A comma without a blank after it belongs to the URL. */
export function parseLines(text: string): BulkRow[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, at) => ({ line: at + 1, ...splitLine(line.trim()) }))
    .filter(({ url }) => url !== '' && !HEADS.test(url))
    .map(({ line, url, rest }) => {
      const [title, code] = parseCsv(rest)[0]?.fields ?? []
      return { line, link: newLink(url, title, code) }
    })
}

function splitLine(line: string): { url: string; rest: string } {
  if (line.startsWith('"')) {
    const [url = '', ...rest] = parseCsv(line)[0]?.fields ?? []
    return { url, rest: rest.map(quoted).join(',') }
  }
  const end = /,\s|\t|,$/.exec(line)
  if (end === null) return { url: line, rest: '' }
  return { url: line.slice(0, end.index).trim(), rest: line.slice(end.index + 1).trim() }
}

/** Converts a CSV file to lines of the field, so that the user sees and can edit how it was read. */
export function csvToLines(text: string): string {
  return parseCsv(text, separatorOf(text))
    .filter(({ fields: [url = ''] }) => !HEADS.test(url))
    .map(({ fields: [url = '', title = '', code = ''] }) => {
      const values = code !== '' ? [title, code] : title !== '' ? [title] : []
      return [url, ...values.map((value) => quoted(value.replace(/\s+/g, ' ')))].join(', ')
    })
    .join('\n')
}

const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

function newLink(url: string, title = '', code = ''): NewLinkInput {
  return {
    original_url: url,
    ...(title === '' ? {} : { title }),
    ...(code === '' ? {} : { custom_code: code }),
  }
}

export function withCommon(rows: readonly BulkRow[], { tags, folder, domain }: BulkCommon): BulkRow[] {
  const common = {
    ...(domain === '' ? {} : { domain }),
    ...(tagsInput(tags).length === 0 ? {} : { tags: tagsInput(tags) }),
    ...(folder.trim() === '' ? {} : { folder: folder.trim() }),
  }
  return rows.map(({ line, link }) => ({ line, link: { ...link, ...common } }))
}

/** The rows share their tags, folder and domain, so an error of these is one of every row. Undefined if there is none. */
export function commonErrors([first]: readonly CheckedRow[]): FieldErrors | undefined {
  const errors = Object.entries(first?.errors ?? {})
    .filter(([field]) => /^(tags|folder|domain)\b/.test(field))
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
    const reasons = [...new Set(Object.values(plainErrors(errors, codes)).flat())]
    const row = rows[index]
    return row === undefined || reasons.length === 0 ? [] : [{ ...row, reasons: withAdvice(row, reasons) }]
  })
}

/** A title that follows its comma without a space was read as part of the URL. */
const withAdvice = ({ link }: BulkRow, reasons: string[]): string[] =>
  reasons.includes(errorStrings.notAUrl) && /,\S/.test(link.original_url)
    ? [...reasons, bulkStrings.spaces]
    : reasons

/** The same for a failed request: `links.3.title` belongs to the row with index 3. */
export function rowsRefusedAs(
  rows: readonly BulkRow[],
  fields: Readonly<Record<string, string[]>>,
): RefusedRow[] {
  const checked = rows.map((_, index) => ({
    index,
    errors: {} as Record<string, string[]>,
    error_codes: {},
  }))
  for (const [field, sentences] of Object.entries(fields)) {
    const [, index, name = 'link'] = /^links\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
    const row = index === undefined ? undefined : checked[Number(index)]
    if (row !== undefined) row.errors[name] = sentences
  }
  return refusedRows(rows, checked)
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
