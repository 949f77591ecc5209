import { saveFile } from './save-file.ts'

export type CsvTable = { heads: string[]; rows: (string | number)[][] }

/** RFC 4180. Cells that a spreadsheet would run as a formula are made plain text. */
export function toCsv({ heads, rows }: CsvTable): string {
  return [heads, ...rows].map((row) => row.map(field).join(',')).join('\r\n') + '\r\n'
}

function field(value: string | number): string {
  if (typeof value === 'number') return String(value)
  // These start a formula, also after blanks and in their full-width forms (OWASP, CSV injection).
  const plain = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

export function downloadCsv(fileName: string, table: CsvTable): void {
  // Without a byte order mark, spreadsheets do not read the file as UTF-8.
  const parts = ['\uFEFF', toCsv(table)]
  saveFile(`${fileName}.csv`, new Blob(parts, { type: 'text/csv;charset=utf-8' }))
}

type Separator = ',' | ';' | '\t'

/** The separator. Spreadsheets write semicolons in locales with decimal commas. */
export function separatorOf(text: string): Separator {
  const [first = ''] = text.replace(/"[^"]*"/g, '').split(/\r|\n/, 1)
  const separators: Separator[] = [',', ';', '\t']
  const counts = separators.map((separator) => first.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))]!
}

/** The fields of each line. Blank lines are skipped. Line numbers start at 1. */
export function parseCsv(text: string, separator: Separator = ','): { line: number; fields: string[] }[] {
  const rows: { line: number; fields: string[] }[] = []
  let fields: string[] = []
  let value = ''
  let isQuoted = false
  let [line, startLine] = [1, 1]
  const endRow = () => {
    fields.push(value)
    if (fields.some((each) => each.trim() !== ''))
      rows.push({ line: startLine, fields: fields.map((each) => each.trim()) })
    fields = []
    value = ''
    startLine = line
  }
  const characters = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '\n') line++
    if (isQuoted) {
      if (character !== '"') value += character
      else if (characters[at + 1] === '"') value += characters[++at]
      else isQuoted = false
    } else if (character === '"' && value.trim() === '') {
      isQuoted = true
      value = ''
    } else if (character === separator) {
      fields.push(value)
      value = ''
    } else if (character === '\n') endRow()
    else value += character
  }
  endRow()
  return rows
}
