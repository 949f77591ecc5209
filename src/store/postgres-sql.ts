import { CompiledQuery, sql } from 'kysely'
import { dayOf, DAY_US } from '../clock.ts'
import type { EngineSql, LinkSearch, RowTarget } from './engine-sql.ts'
import type { Db } from './open-store.ts'

/** What PostgreSQL does in a way of its own. */
export const postgresSql: EngineSql = {
  insertRows: (tx, target, rows) => runInLists(tx, { target, textOf: insertText }, rows),
  findRows: (tx, target, rows) => runInLists(tx, { target, textOf: findText }, rows),
  contains: (text, part) => sql<boolean>`strpos(${text}, ${part}) > 0`,
  // OFFSET keeps it apart from the rest of the query, which would read all rows of a link once and again for each place.
  joinEach: (places, { table, where }) =>
    sql`${places} CROSS JOIN LATERAL (SELECT * FROM ${sql.table(table)} WHERE ${where} OFFSET 0) AS ${sql.table(table)}`,
  searchedLinks,
  // The index is kept with the rows.
  indexNewLinks: async () => false,
  async indexRestoredLink() {},
  raiseIds,
  async lock(tx, name) {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  },
  readLock: sql`FOR SHARE`,
  changeLock: sql`FOR NO KEY UPDATE`,
  freeRowsLock: sql`FOR UPDATE SKIP LOCKED`,
  runOnOneNode,
  prepareClickDays,
  removeClicksBefore,
  async forgetChanges(db) {
    await sql`DELETE FROM changes WHERE changed_at < clock_timestamp() - ${CHANGES_KEPT}::interval`.execute(
      db,
    )
  },
}

/** Twice as long as a node that had no word goes by what it knows (src/links/watch-changes.ts). */
const CHANGES_KEPT = sql.lit('1 hour')

const ROWS_PER_STATEMENT = 5_000

type TextOf = (target: RowTarget) => string

const statements = new Map<TextOf, WeakMap<RowTarget, CompiledQuery>>()

/** A list for each column: one statement for any number of rows, which is prepared once. */
async function runInLists<Returned>(
  tx: Db,
  { target, textOf }: { target: RowTarget; textOf: TextOf },
  rows: readonly (readonly unknown[])[],
): Promise<Returned[]> {
  const ofKind = statements.get(textOf) ?? new WeakMap<RowTarget, CompiledQuery>()
  statements.set(textOf, ofKind)
  const statement = ofKind.get(target) ?? CompiledQuery.raw(textOf(target))
  ofKind.set(target, statement)
  const returned: Returned[] = []
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const some = rows.slice(from, from + ROWS_PER_STATEMENT)
    const parameters = target.columns.map((_, column) => list(some.map((row) => row[column])))
    const { rows: back } = await tx.executeQuery<Returned>({ ...statement, parameters })
    returned.push(...back)
  }
  return returned
}

function insertText(target: RowTarget): string {
  const { table, columns, then = '' } = target
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT * FROM ${givenRows(target)} ${then}`
}

function findText(target: RowTarget): string {
  const names = target.columns.join(', ')
  return `SELECT ${target.table}.* FROM ${givenRows(target)} AS given (${names}) JOIN ${target.table} USING (${names})`
}

function givenRows({ columns, texts = [] }: RowTarget): string {
  const lists = columns.map((name, i) => `$${i + 1}::text::${texts.includes(name) ? 'text' : 'bigint'}[]`)
  return `unnest(${lists.join(', ')})`
}

/** As PostgreSQL writes arrays: `{1,NULL,"a \\"text\\""}`. */
const list = (values: readonly unknown[]): string => `{${values.map(listed).join(',')}}`

function listed(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  return typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : String(value)
}

/** Of a shorter word the index knows nothing, and would propose every text. */
const TRIGRAM_CHARS = 3

function searchedLinks({ accountId, words, by }: LinkSearch) {
  const hasWord = words.map((word) =>
    by === 'trigrams' && [...word].length >= TRIGRAM_CHARS
      ? sql`text LIKE ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`
      : sql`strpos(text, ${word}) > 0`,
  )
  return sql`SELECT link_id AS id FROM link_texts WHERE account_id = ${accountId} AND ${sql.join(hasWord, sql` AND `)}`
}

/** Changing the sequence, if to what it is, keeps everybody else from drawing from it until the transaction ends. */
async function raiseIds(db: Db, table: 'accounts' | 'links', id: number): Promise<void> {
  const sequence = sql.id(`${table}_id_seq`)
  await sql`ALTER SEQUENCE ${sequence} INCREMENT BY 1`.execute(db)
  // Before the first draw the last value is 1 as well, which then is the one to be drawn.
  await sql`SELECT setval(${`${table}_id_seq`}, ${id}) FROM ${sequence}
    WHERE last_value < ${id} OR (last_value = ${id} AND NOT is_called)`.execute(db)
}

/** The lock is the connection's, so it ends with the node, however that ends. */
async function runOnOneNode(db: Db, name: string, work: () => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // It does nothing but hold the lock, while the work goes on elsewhere.
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(tx)
    const { rows } = await sql<{ taken: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS taken`.execute(tx)
    if (rows[0]!.taken) await work()
  })
}

const PARTITION = /^clicks_of_(\d+)$/
const partitionOf = (day: number) => `clicks_of_${day}`

async function prepareClickDays(db: Db, days: Iterable<number>): Promise<void> {
  const known = new Set(await clickDays(db))
  const missing = [...days].filter((day) => !known.has(day))
  if (missing.length === 0) return
  await db.transaction().execute(async (tx) => {
    await postgresSql.lock(tx, 'days of clicks')
    for (const statement of makeClickDays(missing)) await sql.raw(statement).execute(tx)
  })
}

export const makeClickDays = (days: readonly number[]): string[] =>
  days.map(
    (day) => `CREATE TABLE IF NOT EXISTS ${partitionOf(day)} PARTITION OF clicks
      FOR VALUES FROM (${day * DAY_US}) TO (${(day + 1) * DAY_US})`,
  )

async function removeClicksBefore(db: Db, beforeUs: number): Promise<void> {
  for (const day of await clickDays(db)) {
    if (day >= dayOf(beforeUs)) continue
    await db.transaction().execute(async (tx) => {
      await postgresSql.lock(tx, 'days of clicks')
      // A long report would hold this up, and this everybody who counts: rather the next time.
      await sql`SET LOCAL lock_timeout = '2s'`.execute(tx)
      // Refused where the store was moved away, as a change of rows is (moved-mark.ts).
      await sql`DELETE FROM clicks WHERE FALSE`.execute(tx)
      await sql`DROP TABLE IF EXISTS ${sql.id(partitionOf(day))}`.execute(tx)
    })
  }
}

async function clickDays(db: Db): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`SELECT relname::text AS name FROM pg_inherits
    JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'clicks'::regclass`.execute(db)
  return rows.flatMap(({ name }) => Number(PARTITION.exec(name)?.[1] ?? NaN)).filter(Number.isFinite)
}
