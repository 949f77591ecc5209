/** `line` is where the row begins, from 1. `source` is its text. Fields are trimmed. */
export type CsvRow = { line: number; fields: string[]; source: string }
export type Separator = ',' | ';' | '\t'

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
  let [at, line] = [0, 1]
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
