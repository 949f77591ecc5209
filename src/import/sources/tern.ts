import type { z } from 'zod'
import type { ImportedClicksView } from '../../analytics/imported-view.ts'
import { fieldAnswers } from '../../links/link-fields.ts'
import { csvFormat, csvRows } from '../files/csv-records.ts'
import type { ImportFile } from '../files/import-file.ts'
import { isObject } from '../../validation/is-object.ts'
import { withoutFormulaMark } from '../files/csv-row.ts'
import { type Encoding, encodingOf, headText, textOf } from '../files/text-encoding.ts'
import { parsedJson } from '../files/json-pages.ts'
import type { OpenedFile, Source, SourceItem, SourceLink } from '../source.ts'

// What Tern itself exports: fields with their names in the API.

/** What a creation takes as it was exported: all but what only says that there is a password. */
const FIELDS = Object.keys(fieldAnswers).filter((name) => name !== 'has_password')
const ANSWERS: Readonly<Record<string, z.ZodType>> = fieldAnswers
const LISTS: Record<string, string> = { aliases: ' ', tags: ', ' }

type Fields = Record<string, unknown>

export const tern: Source = {
  title: 'Tern',
  async open(file) {
    const encoding = await encodingOf(file)
    return headText(file, encoding).trimStart().startsWith('{')
      ? { description: ['an export of Tern, a link a line'], uses: [], items: linesOf(file, encoding) }
      : openTernCsv(file)
  },
}

/** Whether the columns are those of our own export. */
export const isTernHeader = (header: readonly string[]): boolean =>
  ['short_code', 'original_url', 'qr_code_url'].every((name) => header.includes(name))

export function openTernCsv(file: ImportFile): OpenedFile {
  return { description: ['an export of Tern in CSV'], uses: [], items: rowsOf(file) }
}

async function* rowsOf(file: ImportFile): AsyncGenerator<SourceItem> {
  let header: string[] | undefined
  for await (const row of csvRows(file, csvFormat(file, await encodingOf(file)))) {
    const at = `line ${row.line}`
    if ('refused' in row) yield { at, refused: row.refused }
    else if (header === undefined) header = row.cells
    else yield { at, ...readRow(header, row.cells) }
  }
}

function readRow(header: readonly string[], cells: readonly string[]) {
  const fields: Fields = {}
  for (const [at, name] of header.entries()) {
    const cell = withoutFormulaMark(cells[at] ?? '')
    if (cell !== '') fields[name] = valueOf(name, cell)
  }
  return { link: linkOf(fields) }
}

function valueOf(name: string, cell: string): unknown {
  const separator = LISTS[name]
  if (separator !== undefined) return cell.split(separator)
  if (name === 'click_count' || name === 'id') return Number(cell)
  if (name === 'imported_clicks') return parsedJson(cell)?.value
  const answer = ANSWERS[name]
  // Whether other JSON fits, the API says.
  return answer === undefined || answer.safeParse(cell).success ? cell : (parsedJson(cell)?.value ?? cell)
}

async function* linesOf(file: ImportFile, encoding: Encoding): AsyncGenerator<SourceItem> {
  let line = 0
  for await (const text of linesIn(textOf(file, encoding))) {
    line++
    if (text.trim() === '') continue
    const parsed = parsedJson(text)
    const fields = parsed?.value as Fields | undefined
    if (typeof fields !== 'object' || fields === null)
      yield { at: `line ${line}`, refused: 'The line is not a JSON object.' }
    // The export of an account has lines of other kinds.
    else if (fields.type === undefined || fields.type === 'link')
      yield { at: `line ${line}`, link: linkOf(fields) }
  }
}

const LINE_LENGTH_MAX = 1_000_000

async function* linesIn(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    yield* lines
    // Cut, it is not JSON.
    if (rest.length > LINE_LENGTH_MAX) return yield rest
  }
  if (rest !== '') yield rest
}

function linkOf(fields: Fields): SourceLink {
  const others = Object.fromEntries(FIELDS.map((name) => [name, fields[name]]))
  const { total: imported, ...clicksBy } = importedIn(fields)
  const clicks = numberOrNone(fields.click_count ?? fields.clicks)
  return {
    domain: textOrNone(fields.domain),
    code: textOrNone(fields.short_code),
    createdAt: textOrNone(fields.created_at),
    hasUnknownPassword: fields.has_password === true,
    clicks: (clicks ?? 0) + (numberOrNone(imported) ?? 0),
    clicksBy,
    // An import by the server that made the export knows its own links by it.
    others: { id: fields.id, ...withoutDefaults(others) },
  }
}

/** Their names and numbers are checked by the API. */
function importedIn({ imported_clicks: clicks }: Fields): Partial<ImportedClicksView> {
  const { total, ...parts } = isObject(clicks) ? clicks : {}
  const rows = Object.entries(parts).flatMap(([name, part]) =>
    Array.isArray(part) ? [[name, part.filter(isObject)]] : [],
  )
  return { ...Object.fromEntries(rows), total }
}

const numberOrNone = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const textOrNone = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** What a plain link has anyway needs not be said. */
const withoutDefaults = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) =>
        value !== undefined &&
        value !== '' &&
        !(name !== 'is_active' && value === false) &&
        !(Array.isArray(value) && value.length === 0),
    ),
  )
