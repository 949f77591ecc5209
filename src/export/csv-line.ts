/** A line of CSV (RFC 4180). Numbers, true and false stand as they are, null is empty, and what has parts is JSON. */
export const csvLine = (cells: readonly unknown[]): string => cells.map(cellOf).join(',') + '\r\n'

/** Without it, spreadsheets do not read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // These start a formula, also after blanks and in their full-width forms (OWASP, CSV injection).
  const plain = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
