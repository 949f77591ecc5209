import { CompiledQuery, sql } from 'kysely'
import { monthStartUs } from '../../runtime/clock.ts'
import { runReady, transact } from '../transact.ts'
import type { AnySelect, EngineSql, NumberedTable, RowInsert, Rows } from '../engine-sql.ts'
import { isIndexed } from '../fold-search.ts'
import { kyselyOf, type AnyDb, type CurrentDb, type Tx, type WriteDb } from '../handles.ts'

export const postgresSql: EngineSql = {
  writeRows,
  writeTogether,
  positionOf: (_db, text, part) => sql<number>`strpos(${text}, ${part})`,
  jsonElements: (_db, json) => sql`json_array_elements(CAST(CAST(${json} AS text) AS json))`,
  searchedLinks,
  // PostgreSQL updates its index with the rows.
  indexNewLinks: async () => false,
  async indexRestoredLink() {},
  raiseIds,
  async lock(tx, name) {
    await sql`SELECT pg_advisory_xact_lock(${lockKey(name)})`.execute(tx)
  },
  readLocked: (_tx, query) => withEnd(query, 'FOR SHARE'),
  lockedToChange: (_db, query) => withEnd(query, 'FOR NO KEY UPDATE'),
  freeToRemove: (_db, query) => withEnd(query, 'FOR UPDATE SKIP LOCKED'),
  runOnOneNode,
  prepareClickMonths,
  tryToWrite,
  async forgetChanges(db) {
    await sql`DELETE FROM changes WHERE changed_at < clock_timestamp() - ${CHANGES_KEPT}::interval`.execute(
      db,
    )
  },
}

/** Locks belong to the database, so each schema has its own. Those of `public` are as earlier versions take them. */
const lockKey = (name: string) =>
  sql`hashtextextended(concat(nullif(current_schema(), 'public'), ${name}::text), 0)`

const withEnd = <Query extends AnySelect>(query: Query, end: string): Query =>
  query.modifyEnd(sql.raw(end)) as Query

/** Twice as long as a node keeps using what it knows without an answer (src/links/routes/watch-changes.ts). */
const CHANGES_KEPT = sql.lit('1 hour')

const ROWS_PER_STATEMENT = 5_000

const statements = new WeakMap<RowInsert, CompiledQuery>()

/** One array per column: one prepared statement for any number of rows. */
async function writeRows<Returned>(db: WriteDb | Tx, target: RowInsert, rows: Rows): Promise<Returned[]> {
  const statement = statements.get(target) ?? CompiledQuery.raw(insertText(target))
  statements.set(target, statement)
  const returned: Returned[] = []
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const some = rows.slice(from, from + ROWS_PER_STATEMENT)
    const { rows: back } = await runReady<Returned>(db, {
      ...statement,
      parameters: listsOf(target, some),
    })
    returned.push(...back)
  }
  return returned
}

const listsOf = ({ columns }: RowInsert, rows: Rows): string[] =>
  columns.map((_, column) => list(rows.map((row) => row[column])))

const statementsTogether = new WeakMap<readonly RowInsert[], CompiledQuery>()

async function writeTogether(tx: Tx, targets: readonly RowInsert[], rows: readonly Rows[]): Promise<void> {
  const statement = statementsTogether.get(targets) ?? CompiledQuery.raw(insertsText(targets))
  statementsTogether.set(targets, statement)
  const parameters = targets.flatMap((target, index) => listsOf(target, rows[index]!))
  await runReady(tx, { ...statement, parameters })
}

/** Each INSERT but the last is a WITH query, which runs whether or not anything reads it. */
function insertsText(targets: readonly RowInsert[]): string {
  let first = 1
  const inserts = targets.map((target) => {
    const text = insertText(target, first)
    first += target.columns.length
    return text
  })
  const others = inserts.slice(0, -1).map((text, index) => `written_${index} AS (${text})`)
  return `WITH ${others.join(', ')} ${inserts.at(-1)}`
}

/** `first`: the number of its first parameter. */
function insertText({ table, columns, texts = [], then = '' }: RowInsert, first = 1): string {
  const lists = columns.map((name, i) => `$${first + i}::text::${texts.includes(name) ? 'text' : 'bigint'}[]`)
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT * FROM unnest(${lists.join(', ')}) ${then}`
}

/** PostgreSQL's array syntax: `{1,NULL,"a \\"text\\""}`. */
const list = (values: readonly unknown[]): string => `{${values.map(listed).join(',')}}`

function listed(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  return typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : String(value)
}

function searchedLinks(_db: AnyDb, workspaceId: number, words: readonly string[]) {
  // For a shorter word, the index would return every text.
  const hasWord = words.map((word) =>
    isIndexed(word)
      ? sql`text LIKE ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`
      : sql`strpos(text, ${word}) > 0`,
  )
  return sql`SELECT link_id AS id FROM link_texts WHERE workspace_id = ${workspaceId} AND ${sql.join(hasWord, sql` AND `)}`
}

/** ALTER SEQUENCE, although it changes nothing, blocks other uses of the sequence until the transaction ends. */
async function raiseIds(tx: Tx, table: NumberedTable, id: number): Promise<void> {
  const sequence = sql.id(`${table}_id_seq`)
  await sql`ALTER SEQUENCE ${sequence} INCREMENT BY 1`.execute(tx)
  // Before the first use, last_value is 1 too, and 1 is the next value.
  await sql`SELECT setval(${`${table}_id_seq`}, ${id}) FROM ${sequence}
    WHERE last_value < ${id} OR (last_value = ${id} AND NOT is_called)`.execute(tx)
}

/** The lock belongs to the connection, so it also ends when the node is killed. */
async function runOnOneNode(db: WriteDb, name: string, work: () => Promise<void>): Promise<void> {
  // Not with transact, which may run the work twice.
  await kyselyOf(db)
    .transaction()
    .execute(async (tx) => {
      // This transaction only holds the lock; the work runs on other connections.
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(tx)
      const { rows } = await sql<{ taken: boolean }>`
      SELECT pg_try_advisory_xact_lock(${lockKey(name)}) AS taken`.execute(tx)
      if (rows[0]!.taken) await work()
    })
}

/** More than a page, so that the server needs room on its disk. */
async function tryToWrite(db: WriteDb): Promise<void> {
  await transact(db, async (tx) => {
    await sql`CREATE TEMPORARY TABLE tern_write_test ON COMMIT DROP AS
      SELECT repeat(md5(n::text), 30) AS text FROM generate_series(1, 100) AS n`.execute(tx)
  })
}

const partitionOf = (month: number) =>
  `clicks_of_${new Date(monthStartUs(month) / 1000).toISOString().slice(0, 7).replace('-', '_')}`

async function prepareClickMonths(db: WriteDb, months: Iterable<number>): Promise<void> {
  const existing = new Set(await clickMonths(db))
  const missing = [...months].filter((month) => !existing.has(partitionOf(month)))
  if (missing.length === 0) return
  await transact(db, async (tx) => {
    await postgresSql.lock(tx, 'months of clicks')
    for (const statement of makeClickMonths(missing)) await sql.raw(statement).execute(tx)
  })
}

export const makeClickMonths = (months: readonly number[]): string[] =>
  months.map(
    (month) => `CREATE TABLE IF NOT EXISTS ${partitionOf(month)} PARTITION OF clicks
      FOR VALUES FROM (${monthStartUs(month)}) TO (${monthStartUs(month + 1)})`,
  )

async function clickMonths(db: CurrentDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT relname::text AS name FROM pg_inherits
    JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'clicks'::regclass`.execute(db)
  return rows.map(({ name }) => name)
}
