/** Some browsers read the file only after the click. */
const KEPT_MS = 60_000

/** Offers a file that was made here as a download. */
export function saveFile(fileName: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

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
