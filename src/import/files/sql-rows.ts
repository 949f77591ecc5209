import type { SqlToken } from './sql-tokens.ts'

// The rows that a dump inserts into one table, which is known by its columns.

export type SqlRow = { row: Record<string, string> } | { refused: string }

/** It is sent the tokens one after the other, and yields a row where one is complete. */
type Parser<Result> = Generator<SqlRow | undefined, Result, SqlToken>

/** What is more has no meaning here. */
const HEAD_WORDS_MAX = 8
const ITEMS_MAX = 100
const KEYS = /^(PRIMARY|UNIQUE|KEY|INDEX|CONSTRAINT|FULLTEXT|SPATIAL|FOREIGN|CHECK)$/i

/** `required`: columns that only the wanted table has. */
export function* sqlRows(required: readonly string[]): Parser<never> {
  const created = new Map<string, string[]>()
  for (;;) {
    const { words, end } = yield* head()
    const [verb, ...others] = words.map((word) => word.toUpperCase())
    const table = words.at(-1) ?? ''
    if (verb === 'CREATE' && others[0] === 'TABLE' && end === '(') {
      created.set(table, yield* names())
      yield* toEnd()
    } else if ((verb === 'INSERT' || verb === 'REPLACE') && others.includes('INTO') && end !== ';') {
      const columns = end === '(' ? yield* names() : created.get(table)
      if (end === '(') yield* head()
      if (columns === undefined) yield* unknown(table)
      else if (required.every((name) => columns.includes(name))) yield* rows(columns)
      else yield* toEnd()
    } else if (end !== ';') yield* toEnd()
  }
}

const isSign = ({ kind, value }: SqlToken, sign: string): boolean => kind === 'sign' && value === sign

/** The first words of a statement, up to its end, its first parenthesis or its values. */
function* head(): Parser<{ words: string[]; end: string }> {
  const words: string[] = []
  for (;;) {
    const token = yield
    if (isSign(token, ';') || isSign(token, '(')) return { words, end: token.value }
    if (token.kind === 'word' && /^VALUES?$/i.test(token.value)) return { words, end: 'VALUES' }
    if (words.length < HEAD_WORDS_MAX) words.push(token.value)
  }
}

function* toEnd(): Parser<void> {
  while (!isSign(yield, ';'));
}

function* unknown(table: string): Parser<void> {
  const refused = `The columns of the table ${table} are not in the dump. Dump it with its CREATE TABLE.`
  if (!isSign(yield { refused }, ';')) yield* toEnd()
}

/** The names that begin the items of a list, without those of keys. */
function* names(): Parser<string[]> {
  const items = yield* list()
  return items.flatMap(({ first }) => (first.kind === 'word' && KEYS.test(first.value) ? [] : [first.value]))
}

/** Up to the end of the statement, or to a clause behind the rows: `ON DUPLICATE KEY UPDATE url = VALUES(url)`. */
function* rows(columns: readonly string[]): Parser<void> {
  let token = yield
  while (token.kind === 'sign' && token.value !== ';')
    token = isSign(token, '(') ? yield rowOf(columns, yield* list()) : yield
  if (!isSign(token, ';')) yield* toEnd()
}

/** Of an item, what may be a name, and what may be a value. `_binary 'a'` has the value last. */
type Item = { first: SqlToken; last: SqlToken; length: number }

/** What a text may have in front of it, to name its characters. */
const INTRODUCER = /^(?:_[a-z0-9]+|N)$/i

/** A value is not computed: it would be another one. */
const isExpression = ({ first, length }: Item): boolean =>
  length > 2 || (length === 2 && !(first.kind === 'word' && INTRODUCER.test(first.value)))

/** A list in parentheses, of which the first is read. */
function* list(): Parser<Item[]> {
  const items: Item[] = []
  let item: Item | undefined
  let depth = 1
  for (;;) {
    const token = yield
    if (isSign(token, '(')) {
      depth++
      // What has arguments is a call.
      if (item !== undefined) item = { ...item, length: Infinity }
    } else if (isSign(token, ')')) depth--
    else if (!isSign(token, ','))
      item = { first: item?.first ?? token, last: token, length: (item?.length ?? 0) + 1 }
    const isEnd = depth === 0 || (depth === 1 && isSign(token, ','))
    if (isEnd && item !== undefined && items.length < ITEMS_MAX) items.push(item)
    if (depth === 0) return items
    if (isEnd) item = undefined
  }
}

function rowOf(columns: readonly string[], items: readonly Item[]): SqlRow {
  if (items.length !== columns.length)
    return { refused: `The row has ${items.length} values for ${columns.length} columns.` }
  const expression = items.findIndex(isExpression)
  if (expression >= 0)
    return {
      refused: `Its ${columns[expression]!} is an expression of SQL. Dump the table with plain values.`,
    }
  const entries = items.flatMap(({ last: { kind, value } }, at) =>
    kind === 'word' && value.toUpperCase() === 'NULL' ? [] : [[columns[at]!, value]],
  )
  return { row: Object.fromEntries(entries) as Record<string, string> }
}
