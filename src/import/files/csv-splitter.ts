/** `line`: where it begins. */
export type CsvRow = { line: number; cells: string[] } | { line: number; refused: string }

/** A row has a limit, as a quote that is never closed would make one of the rest of the file. */
const ROW_LENGTH_MAX = 1_000_000

/** The last one is that of web pages, from which people copy. */
const BLANKS = [' ', '\t', '\f', '\xa0']

const NEVER_CLOSED = 'A quote is opened and never closed, so the rest of the file was not read.'
const TOO_LONG = 'The row is longer than 1 MB: a quote may not be closed. The rest of the file was not read.'

/** A row, how many lines it has, and where the next one begins. */
type EndedRow = ({ cells: string[] } | { refused: string }) & { lines: number; end: number }

/**
 * Splits the text of a CSV into rows (RFC 4180), as it arrives. Blanks around values are left out, and so are rows without any value. A
 * quote inside of a value that has none around it is text.
 */
export class CsvSplitter {
  readonly #delimiter: string
  /** What is left of a value without quotes. */
  readonly #plain: RegExp
  readonly #blanks: RegExp
  /** Without an end so far. */
  #text = ''
  /** So long has it to be for another look: its row would be read from the start with every piece otherwise. */
  #lookedAtFrom = 0
  #line = 1
  #hasEnded = false

  constructor(delimiter: string) {
    this.#delimiter = delimiter
    this.#plain = new RegExp(`[^\\r\\n${delimiter.replace(/[\\\]^-]/, '\\$&')}]*`, 'y')
    this.#blanks = new RegExp(`[${BLANKS.filter((blank) => blank !== delimiter).join('')}]*`, 'y')
  }

  /** Whether nothing more is read. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The rows that have an end now. `isLast`: nothing follows. */
  *rows(text: string, isLast = false): Generator<CsvRow, void> {
    if (this.#hasEnded) return
    this.#text += text
    if (this.#text.length < this.#lookedAtFrom && !isLast) return
    let start = this.#afterEmptyLines(0)
    for (let row = this.#rowAt(start, isLast); row !== undefined; row = this.#rowAt(start, isLast)) {
      const { end, lines, ...content } = row
      if (end - start > ROW_LENGTH_MAX) break
      if ('refused' in content || content.cells.some((cell) => cell.trim() !== ''))
        yield { line: this.#line, ...content }
      this.#line += lines
      start = this.#afterEmptyLines(end)
    }
    this.#text = this.#text.slice(start)
    this.#lookedAtFrom = Math.min(2 * this.#text.length, ROW_LENGTH_MAX + 1)
    if (this.#text.length <= ROW_LENGTH_MAX && !isLast) return
    this.#hasEnded = true
    if (this.#text !== '')
      yield { line: this.#line, refused: this.#text.length > ROW_LENGTH_MAX ? TOO_LONG : NEVER_CLOSED }
  }

  #afterEmptyLines(at: number): number {
    for (; isLineEnd(this.#text[at]) && at < this.#text.length - 1; at = this.#afterLineEnd(at)) this.#line++
    return at
  }

  /** Behind `\n`, `\r\n` or `\r`. */
  #afterLineEnd(at: number): number {
    return this.#text[at] === '\r' && this.#text[at + 1] === '\n' ? at + 2 : at + 1
  }

  /** Undefined: its end is not there yet. */
  #rowAt(start: number, isLast: boolean): EndedRow | undefined {
    const text = this.#text
    if (start >= text.length) return undefined
    const cells: string[] = []
    let lines = 1
    for (let at = start; ; at++) {
      at = this.#after(this.#blanks, at)
      if (text[at] === '"') {
        const close = closingQuote(text, at)
        if (close < 0) return undefined
        const cell = text.slice(at + 1, close).replaceAll('""', '"')
        lines += linesIn(cell)
        cells.push(cell)
        at = this.#after(this.#blanks, close + 1)
        if (at < text.length && text[at] !== this.#delimiter && !isLineEnd(text[at]))
          return this.#unclearRow(at, lines, isLast)
      } else {
        const end = this.#after(this.#plain, at)
        cells.push(withoutLastBlanks(text.slice(at, end)))
        at = end
      }
      // A quote or a line end may be the first half of one.
      if (at >= text.length - 1 && !isLast) return undefined
      if (text[at] !== this.#delimiter) return { cells, lines, end: this.#afterLineEnd(at) }
    }
  }

  /** A value goes on at this place, behind the quote that closes it: the next row is that of the next line. */
  #unclearRow(at: number, lines: number, isLast: boolean): EndedRow | undefined {
    const end = this.#after(/[^\r\n]*/y, at)
    if (end >= this.#text.length - 1 && !isLast) return undefined
    const lastLine = this.#line + lines - 1
    const refused = `A value goes on behind its closing quote in line ${lastLine}: a quote is missing or one too many. Up to there, nothing was read.`
    return { refused, lines, end: this.#afterLineEnd(end) }
  }

  /** Behind what the expression matches there, which may be nothing. */
  #after(expression: RegExp, at: number): number {
    expression.lastIndex = at
    expression.test(this.#text)
    return expression.lastIndex
  }
}

const isLineEnd = (character: string | undefined): boolean => character === '\n' || character === '\r'

/** The quote that ends the value which begins with this one; negative if there is none. Two are one in the value. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

const linesIn = (cell: string): number => cell.match(/\r\n|\r|\n/g)?.length ?? 0

function withoutLastBlanks(cell: string): string {
  let end = cell.length
  while (BLANKS.includes(cell[end - 1]!)) end--
  return end === cell.length ? cell : cell.slice(0, end)
}
