const KEPT_MS = 60_000

export type CsvTable = { heads: string[]; rows: (string | number)[][] }

/** RFC 4180, with what a spreadsheet would run as a formula made plain text. */
export function toCsv({ heads, rows }: CsvTable): string {
  return [heads, ...rows].map((row) => row.map(field).join(',')).join('\r\n') + '\r\n'
}

function field(value: string | number): string {
  if (typeof value === 'number') return String(value)
  // OWASP, CSV injection: these begin a formula, also behind blanks, and in their wide forms of East Asian fonts.
  const plain = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

export function downloadCsv(fileName: string, table: CsvTable): void {
  // Spreadsheets take a file without this mark for one in the alphabet of their country.
  const parts = ['\uFEFF', toCsv(table)]
  const address = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${fileName}.csv`
  link.click()
  // Not at once: some browsers read it only after the click.
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}

type Separator = ',' | ';' | '\t'

/** What stands between the fields: spreadsheets write semicolons where a comma is part of numbers. */
export function separatorOf(text: string): Separator {
  const [first = ''] = text.replace(/"[^"]*"/g, '').split(/\r|\n/, 1)
  const separators: Separator[] = [',', ';', '\t']
  const counts = separators.map((separator) => first.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))]!
}

/** The fields of each line, quoted ones too; blank lines are left out. Line numbers count from 1. */
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
