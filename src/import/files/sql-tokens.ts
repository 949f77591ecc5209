// The words of an SQL dump, read in pieces. A statement may have all rows of a table, so none is kept as a whole.

/** A piece that is longer than what a row can have: a quote or comment is not closed, or the file is no dump. */
export class EndlessToken extends Error {}

/** `name` is in backticks or double quotes, `text` in single quotes without their escapes. */
export type SqlToken = { kind: 'word' | 'name' | 'text' | 'sign'; value: string }

const TOKEN_LENGTH_MAX = 1_000_000

/** Blanks and comments. Those that MySQL runs (`/*!40103 … *\/`) are read as if they were none. */
const SKIPPED = /(?:\s+|--[ \t][^\n]*\n|--\r?\n|#[^\n]*\n|\/\*![0-9]*|\*\/)+/y
/** One that goes on in the next piece. */
const COMMENT = /--(?:\s|$)|#/y
const SIGNS = '(),;='
/** How `--hex-blob` writes the text of binary columns. */
const HEX = /^0x(?:[0-9a-f]{2})+$/i
const WORD = /(?:(?!\/\*|\*\/)[^\s'"`(),;=])+/y

export async function* sqlTokens(chunks: AsyncIterable<string>): AsyncGenerator<SqlToken[], void> {
  let rest = ''
  for await (const chunk of chunks) {
    const { tokens, end } = tokensIn(rest + chunk, false)
    rest = (rest + chunk).slice(end)
    if (rest.length > TOKEN_LENGTH_MAX) throw new EndlessToken()
    yield tokens
  }
  const { tokens, end } = tokensIn(`${rest}\n`, true)
  if (end <= rest.length) throw new EndlessToken()
  yield tokens
}

/** All that is complete. `end`: where the first that may go on begins. */
function tokensIn(text: string, isLast: boolean): { tokens: SqlToken[]; end: number } {
  const tokens: SqlToken[] = []
  let at = 0
  while (at < text.length) {
    const token = tokenAt(text, at)
    // What touches the end may go on in the next piece.
    if (token === undefined || (token.end >= text.length && !isLast)) break
    if (token.kind !== 'blank') tokens.push({ kind: token.kind, value: token.value })
    at = token.end
  }
  return { tokens, end: at }
}

type TokenAt = { kind: SqlToken['kind'] | 'blank'; value: string; end: number }

/** Undefined if it has no end. */
function tokenAt(text: string, at: number): TokenAt | undefined {
  const skipped = matchAt(SKIPPED, text, at)
  if (skipped !== undefined) return { kind: 'blank', value: '', end: at + skipped.length }
  if (matchAt(COMMENT, text, at) !== undefined) return undefined
  const sign = text[at]!
  if (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2)
    return end < 0 ? undefined : { kind: 'blank', value: '', end: end + 2 }
  }
  if (SIGNS.includes(sign)) return { kind: 'sign', value: sign, end: at + 1 }
  if (sign === "'" || sign === '"' || sign === '`') return quotedAt(text, at)
  const word = matchAt(WORD, text, at) ?? sign
  const end = at + word.length
  return HEX.test(word)
    ? { kind: 'text', value: Buffer.from(word.slice(2), 'hex').toString(), end }
    : { kind: 'word', value: word, end }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** A quote in it is doubled, or, except in a name, behind a backslash. */
function quotedAt(text: string, start: number): TokenAt | undefined {
  const quote = text[start]!
  const kind = quote === '`' ? 'name' : 'text'
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && kind === 'text') at++
    else if (text[at] === quote && text[at + 1] === quote) at++
    else if (text[at] === quote) {
      const inner = text.slice(start + 1, at).replaceAll(quote + quote, quote)
      return { kind, value: kind === 'text' ? unescaped(inner) : inner, end: at + 1 }
    }
  }
  return undefined
}

const ESCAPES: Record<string, string> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' }

const unescaped = (text: string): string =>
  text.includes('\\') ? text.replace(/\\([\s\S])/g, (_, escape: string) => ESCAPES[escape] ?? escape) : text
