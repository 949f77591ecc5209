import { bulkStrings } from './bulk-strings.ts'

export const BULK_FIELDS = ['url', 'title', 'code', 'tags'] as const
export type BulkField = (typeof BULK_FIELDS)[number]
/** Indexes of columns. A field without one is not in the list. */
export type BulkColumns = Partial<Record<BulkField, number>>

/** `head`: the row with the names of the columns. `rows`: the others. */
export type BulkTable = { head: CsvRow | undefined; rows: CsvRow[] }

/** Without a head: the order in which the dialog asks for them. */
const PLAIN_COLUMNS: BulkColumns = { url: 0, title: 1, code: 2 }
const PLAIN_COLUMNS_MAX = 3
const SAMPLED_ROWS = 100

/** Names of columns, the surest first: letters only, without accents. Those of exports of Tern and of others. */
const NAMES: Record<BulkField, readonly string[]> = {
  url: [
    'originalurl',
    'longurl',
    'destinationurl',
    'destination',
    'targeturl',
    'target',
    'longlink',
    'url',
    'zielurl',
    'ziel',
    'link',
    'address',
    'website',
  ],
  title: ['title', 'linktitle', 'pagetitle', 'titel', 'titre', 'titulo'],
  code: [
    'shortcode',
    'customcode',
    'code',
    'slug',
    'customslug',
    'slashtag',
    'keyword',
    'backhalf',
    'kurzcode',
  ],
  tags: ['tags', 'tag'],
}

const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

export function readTable(text: string): BulkTable {
  const [first, ...others] = readCsv(text, separatorOf(text))
  if (first === undefined) return { head: undefined, rows: [] }
  return isHead(first, others) ? { head: first, rows: others } : { head: undefined, rows: [first, ...others] }
}

function isHead({ fields }: CsvRow, [next]: readonly CsvRow[]): boolean {
  if (fields.some(looksLikeUrl)) return false
  const hasKnownName = fields.some((field) =>
    BULK_FIELDS.some((each) => NAMES[each].includes(plainName(field))),
  )
  return hasKnownName || (fields.length > 1 && next !== undefined && next.fields.some(looksLikeUrl))
}

/** Also `example.com/page`, which is a URL that lacks its scheme, not the name of a column. */
const looksLikeUrl = (field: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\S/i.test(field) || /^[^\s/.]+(\.[^\s/.]+)+(\/\S*)?$/.test(field)

/** Whether the columns are those of the dialog: URL, title, code. */
export const isPlain = ({ head, rows }: BulkTable): boolean =>
  head === undefined && widthOf(rows) <= PLAIN_COLUMNS_MAX && startsWithUrls(rows)

/** That of most rows: a URL with commas makes a single row wider. */
function widthOf(rows: readonly CsvRow[]): number {
  const widths = rows.slice(0, SAMPLED_ROWS).map(({ fields }) => fields.length)
  return widths.sort((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 0
}

const startsWithUrls = (rows: readonly CsvRow[]): boolean =>
  urlColumns(rows).includes(0) || urlColumns(rows).length === 0

/** The columns that hold URLs in at least half of the rows that fill them. */
function urlColumns(rows: readonly CsvRow[]): number[] {
  const sample = rows.slice(0, SAMPLED_ROWS)
  return Array.from({ length: widthOf(rows) }, (_, column) => column).filter((column) => {
    const values = sample.map(({ fields }) => fields[column] ?? '').filter((value) => value !== '')
    return values.length > 0 && values.filter(looksLikeUrl).length * 2 >= values.length
  })
}

/** What is certain: names that are known, and otherwise the only column of URLs. Users choose the rest. */
export function guessColumns(table: BulkTable): BulkColumns {
  if (isPlain(table)) return PLAIN_COLUMNS
  const names = (table.head?.fields ?? []).map(plainName)
  const columns: BulkColumns = {}
  for (const field of BULK_FIELDS) {
    const name = NAMES[field].find((each) => names.includes(each))
    if (name !== undefined) columns[field] = names.indexOf(name)
  }
  const [only, ...others] = urlColumns(table.rows)
  return columns.url === undefined && only !== undefined && others.length === 0
    ? { ...columns, url: only }
    : columns
}

/** The names of all columns: from the head, or numbers with the first value. */
export function columnNames({ head, rows: [first] }: BulkTable): string[] {
  const { columnNumber } = bulkStrings
  if (head !== undefined) return head.fields.map((name, at) => name || columnNumber(at + 1))
  return (first?.fields ?? []).map((value, at) =>
    [columnNumber(at + 1), value.slice(0, 30)].filter(Boolean).join(': '),
  )
}

/** Rows of a list without a head that have more fields than it can have. */
export const overlongRows = (table: BulkTable): CsvRow[] =>
  isPlain(table) ? table.rows.filter(({ fields }) => fields.length > PLAIN_COLUMNS_MAX) : []

/** Where the user's choice of columns holds: for this head, and as long as lines have as many fields. */
export const shapeOf = ({ head, rows }: BulkTable): string => head?.source ?? `${widthOf(rows)} columns`

/** `line` is where the row begins, from 1. `source` is its text. Fields are trimmed. */
type CsvRow = { line: number; fields: string[]; source: string }
type Separator = ',' | ';' | '\t'

/** In the order in which they are preferred. */
const SEPARATORS: readonly Separator[] = ['\t', ';', ',']
const SAMPLED_CHARACTERS = 20_000

/** The separator that splits most rows. Spreadsheets write semicolons in locales with decimal commas. */
export function separatorOf(text: string): Separator {
  // Parameters of a path (`;v=2`) and HTML entities (`&amp;`) have semicolons that separate nothing.
  const sample = text.slice(0, SAMPLED_CHARACTERS).replace(/;(?=[\w.-]+=)|&#?\w+;/g, ' ')
  const scores = SEPARATORS.map((separator) => scoreOf(readCsv(sample, separator)))
  // Nobody types a tab into a text.
  if (scores[0]! > 0) return '\t'
  const best = Math.max(...scores)
  return best === 0 ? ',' : SEPARATORS[scores.indexOf(best)]!
}

/** Rows count before the fields of the first one. */
function scoreOf(rows: readonly CsvRow[]): number {
  const splitRows = rows.filter(({ fields }) => fields.length > 1 && !fields.some(isTornField))
  return splitRows.length === 0 ? 0 : splitRows.length + (rows[0]!.fields.length - 1) / SAMPLED_CHARACTERS
}

/** A URL that goes on after a blank, or one quote of two: the separator is not that of the file. */
const isTornField = (field: string) => /^[a-z]+:\/\/\S*\s/i.test(field) || field.split('"').length % 2 === 0

/**
 * RFC 4180, and what people write: blanks around fields, and quotes that were never closed, which are part of the text.
 * Blank lines are left out.
 */
export function readCsv(text: string, separator: Separator): CsvRow[] {
  const characters = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const rows: CsvRow[] = []
  let at = 0
  let line = 1
  while (at < characters.length) {
    const start = at
    const fields: string[] = []
    let field = readField(characters, at, separator)
    fields.push(field.value)
    while (characters[field.end] === separator) {
      field = readField(characters, field.end + 1, separator)
      fields.push(field.value)
    }
    const source = characters.slice(start, field.end)
    if (fields.some((value) => value !== '')) rows.push({ line, fields, source })
    line += source.split('\n').length
    at = field.end + 1
  }
  return rows
}

type Field = { value: string; end: number }

function readField(text: string, start: number, separator: Separator): Field {
  const first = afterBlanks(text, start, separator)
  const quoted = text[first] === '"' ? readQuoted(text, first, separator) : undefined
  if (quoted !== undefined) return quoted
  const plain = new RegExp(`[^${separator}\n]*`, 'y')
  plain.lastIndex = start
  const [value = ''] = plain.exec(text) ?? []
  return { value: value.trim(), end: start + value.length }
}

/** Undefined if the field does not end at its closing quote. */
function readQuoted(text: string, open: number, separator: Separator): Field | undefined {
  let close = text.indexOf('"', open + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close === -1) return undefined
  const end = afterBlanks(text, close + 1, separator)
  const isEnd = end === text.length || text[end] === separator || text[end] === '\n'
  const value = text.slice(open + 1, close).replaceAll('""', '"')
  return isEnd ? { value: value.trim(), end } : undefined
}

function afterBlanks(text: string, start: number, separator: Separator): number {
  let at = start
  while (text[at] === ' ' || (text[at] === '\t' && separator !== '\t')) at++
  return at
}
